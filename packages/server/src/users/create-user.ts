import type { Clock } from '../platform/clock.ts'
import type { Db } from '../platform/db/database.ts'
import type { Role } from '../platform/http/callers/principal.ts'
import { newObjectId, newUuid } from '../platform/ids.ts'
import { holdDomainOf } from './addresses/domain-store.ts'
import type { EmailAddress } from './addresses/email-address.ts'
import { writeSettings } from './setting-store.ts'
import {
  type AddressRow,
  hasUserAt,
  insertAddress,
  insertUserRow,
  insertWallet,
  setAccountWallet,
} from './user-store.ts'

/**
 * The address already belongs to a user, alias, list, resource or folder, possibly a deleted one; or its
 * domain was just deleted.
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
  /** Id of the user's own wallet; default: generated. */
  readonly walletId?: string
  /** Wallet of the account the user joins; if absent, the user owns a new account. */
  readonly accountWalletId?: string
  readonly aliases?: readonly string[]
  readonly settings: Readonly<Record<string, string | null | undefined>>
}

/**
 * Creates a user with address, settings and wallet. Call it inside a transaction. Throws AddressTaken; of two
 * concurrent callers with the same address, one waits and then gets this error.
 */
export async function createUser(
  db: Db,
  clock: Clock,
  user: NewUser,
): Promise<{ id: number; walletId: string }> {
  const now = clock.now()
  const walletId = user.walletId ?? newUuid()
  const id = await insertUser(db, now, user)
  // claim in a fixed order, so that concurrent writers of the same addresses don't deadlock
  const addresses = [user.email.full, ...(user.aliases ?? [])].sort()
  for (const address of addresses) {
    const kind = address === user.email.full ? 'user' : 'alias'
    await claimAddress(db, { address, kind, objectId: id, tenantId: user.tenantId })
  }
  await insertWallet(db, { id: walletId, userId: id, currency: user.currency, now })
  await setAccountWallet(db, id, user.accountWalletId ?? walletId)
  await writeSettings(db, id, { currency: user.currency, ...user.settings })
  return { id, walletId }
}

/**
 * Claims an address for an object. Call it inside a transaction: the domain can't be deleted until it ends.
 * Lock wallets first. Throws AddressTaken.
 */
export async function claimAddress(db: Db, row: AddressRow): Promise<void> {
  const domain = row.address.slice(row.address.lastIndexOf('@') + 1)
  if (!(await holdDomainOf(db, domain))) throw new AddressTaken(row.address)
  if (!(await insertAddress(db, row))) throw new AddressTaken(row.address)
}

/** Ids are random, so draw again in case of a collision. */
async function insertUser(db: Db, now: Date, user: NewUser): Promise<number> {
  for (;;) {
    const id = newObjectId()
    const { tenantId, role, passwordHash, status, language } = user
    const facts = { id, tenantId, email: user.email.full, passwordHash, role: role ?? null, status, language }
    if (await insertUserRow(db, facts, now)) return id
    if (await hasUserAt(db, user.email.full)) throw new AddressTaken(user.email.full)
  }
}
