import type { Clock } from '../platform/clock.ts'
import type { Db } from '../platform/db/database.ts'
import type { Role } from '../platform/http/callers/principal.ts'
import { newObjectId, newUuid } from '../platform/ids.ts'
import { holdDomainOf } from './addresses/domain-store.ts'
import type { EmailAddress } from './addresses/email-address.ts'

/**
 * The address belongs to a user, alias, list, resource or folder already, maybe a deleted one; or its domain was
 * deleted a moment ago.
 */
export class AddressTaken extends Error {
  override name = 'AddressTaken'
  readonly address: string

  constructor(address: string) {
    super(address)
    this.address = address
  }
}

export interface NewUser {
  readonly tenantId: number
  readonly email: EmailAddress
  readonly passwordHash: string | null
  readonly role?: Role
  readonly status: number
  readonly language: string
  readonly currency: string
  /** Id of the user's own wallet; absent: a new one. */
  readonly walletId?: string
  /** Wallet of the account that the user joins; absent: the user owns a new account. */
  readonly accountWalletId?: string
  readonly aliases?: readonly string[]
  readonly settings: Readonly<Record<string, string | null | undefined>>
}

/**
 * Creates a user with address, settings and an own wallet. Call it inside a transaction.
 * Throws AddressTaken; two callers with the same address at once: one waits, then fails so.
 */
export async function createUser(
  db: Db,
  clock: Clock,
  user: NewUser,
): Promise<{ id: number; walletId: string }> {
  const now = clock.now()
  const walletId = user.walletId ?? newUuid()
  const id = await insertUser(db, now, user)
  // in one order for all writers, so that two who want the same addresses never wait for each other in a ring
  const addresses = [user.email.full, ...(user.aliases ?? [])].sort()
  for (const address of addresses) {
    const kind = address === user.email.full ? 'user' : 'alias'
    await claimAddress(db, { address, kind, object_id: id, tenant_id: user.tenantId })
  }
  await db
    .insertInto('wallets')
    .values({
      id: walletId,
      user_id: id,
      currency: user.currency,
      description: null,
      discount_id: null,
      created_at: now,
    })
    .execute()
  await db
    .updateTable('users')
    .set({ wallet_id: user.accountWalletId ?? walletId })
    .where('id', '=', id)
    .execute()
  await writeSettings(db, id, { currency: user.currency, ...user.settings })
  return { id, walletId }
}

/**
 * Takes an address for an object. Call it inside a transaction: its domain cannot be deleted until that ends. Take
 * locks of wallets before it. Throws AddressTaken.
 */
export async function claimAddress(
  db: Db,
  row: {
    address: string
    kind: 'user' | 'alias' | 'group' | 'resource' | 'shared-folder' | 'folder-alias'
    object_id: number
    tenant_id: number
  },
): Promise<void> {
  const domain = row.address.slice(row.address.lastIndexOf('@') + 1)
  if (!(await holdDomainOf(db, domain))) throw new AddressTaken(row.address)
  const taken = await db
    .insertInto('addresses')
    .values(row)
    .onConflict((conflict) => conflict.column('address').doNothing())
    .returning('address')
    .executeTakeFirst()
  if (taken === undefined) throw new AddressTaken(row.address)
}

/** Writes settings; null and undefined remove the key. */
export async function writeSettings(
  db: Db,
  userId: number,
  settings: Readonly<Record<string, string | null | undefined>>,
): Promise<void> {
  const entries = Object.entries(settings)
  const removed = entries.filter(([, value]) => value == null).map(([key]) => key)
  const kept = entries.flatMap(([key, value]) => (value == null ? [] : [{ user_id: userId, key, value }]))
  if (removed.length > 0) {
    await db.deleteFrom('user_settings').where('user_id', '=', userId).where('key', 'in', removed).execute()
  }
  if (kept.length > 0) {
    await db
      .insertInto('user_settings')
      .values(kept)
      .onConflict((conflict) =>
        conflict.columns(['user_id', 'key']).doUpdateSet({ value: (row) => row.ref('excluded.value') }),
      )
      .execute()
  }
}

/** Numbers are random, so a collision is possible and simply drawn again. */
async function insertUser(db: Db, now: Date, user: NewUser): Promise<number> {
  for (;;) {
    const row = await db
      .insertInto('users')
      .values({
        id: newObjectId(),
        tenant_id: user.tenantId,
        email: user.email.full,
        password_hash: user.passwordHash,
        role: user.role ?? null,
        status: user.status,
        language: user.language,
        wallet_id: null,
        created_at: now,
        updated_at: now,
        deleted_at: null,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst()
    if (row !== undefined) return row.id
    const holder = await db
      .selectFrom('users')
      .select('id')
      .where('email', '=', user.email.full)
      .executeTakeFirst()
    if (holder !== undefined) throw new AddressTaken(user.email.full)
  }
}
