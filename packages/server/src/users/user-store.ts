import type { Db } from '../platform/db/database.ts'
import type { Schema } from '../platform/db/schema.ts'
import type { Role } from '../platform/http/callers/principal.ts'

export interface AddressRow {
  readonly address: string
  readonly kind: Schema['addresses']['kind']
  readonly objectId: number
  readonly tenantId: number
}

/** Returns false if the id or the address belongs to another user. */
export async function insertUserRow(
  db: Db,
  user: {
    readonly id: number
    readonly tenantId: number
    readonly email: string
    readonly passwordHash: string | null
    readonly role: Role | null
    readonly status: number
    readonly language: string
  },
  now: Date,
): Promise<boolean> {
  const row = await db
    .insertInto('users')
    .values({
      ...user,
      walletId: null,
      createdAt: now,
      updatedAt: now,
      deletedAt: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export async function hasUserAt(db: Db, email: string): Promise<boolean> {
  const query = db.selectFrom('users').select('id').where('email', '=', email)
  return (await query.executeTakeFirst()) !== undefined
}

export async function insertWallet(
  db: Db,
  wallet: { readonly id: string; readonly userId: number; readonly currency: string; readonly now: Date },
): Promise<void> {
  const { id, userId, currency, now } = wallet
  await db
    .insertInto('wallets')
    .values({ id, userId, currency, description: null, discountId: null, createdAt: now })
    .execute()
}

/** Makes a user a member of a wallet's account. */
export async function setAccountWallet(db: Db, userId: number, walletId: string): Promise<void> {
  await db.updateTable('users').set({ walletId }).where('id', '=', userId).execute()
}

/** Returns false if the address is taken. */
export async function insertAddress(db: Db, row: AddressRow): Promise<boolean> {
  const taken = await db
    .insertInto('addresses')
    .values(row)
    .onConflict((conflict) => conflict.column('address').doNothing())
    .returning('address')
    .executeTakeFirst()
  return taken !== undefined
}
