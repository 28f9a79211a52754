import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'

/** A user who controls an account. */
export interface StoredController {
  readonly id: number
  readonly email: string
  readonly firstName: string | null
  readonly lastName: string | null
  readonly isOwner: boolean
  /** Whether the account pays for this user. */
  readonly isMember: boolean
}

/** Returns the owner of an account and its other controllers, the owner first. */
export async function listControllers(db: Db, walletId: string): Promise<StoredController[]> {
  const { rows } = await sql<StoredController>`select u.id, u.email, u.id = w.user_id as is_owner,
      coalesce(u.wallet_id = w.id, false) as is_member,
      (select value from user_settings where user_id = u.id and key = 'first_name') as first_name,
      (select value from user_settings where user_id = u.id and key = 'last_name') as last_name
    from wallets w join users u on u.deleted_at is null and (u.id = w.user_id
      or u.id in (select user_id from wallet_controllers where wallet_id = w.id))
    where w.id = ${walletId} order by is_owner desc, u.email`.execute(db)
  return rows
}

/** Adds a controller to an account. Returns false if the user already is one. */
export async function addController(db: Db, walletId: string, userId: number): Promise<boolean> {
  const row = await db
    .insertInto('walletControllers')
    .values({ walletId, userId })
    .onConflict((conflict) => conflict.doNothing())
    .returning('userId')
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Removes a controller from an account, along with the password links for its users and the invitations they
 * created.
 */
export async function removeController(db: Db, walletId: string, userId: number, now: Date): Promise<void> {
  await db
    .deleteFrom('walletControllers')
    .where('walletId', '=', walletId)
    .where('userId', '=', userId)
    .execute()
  await db
    .deleteFrom('accountOffers')
    .where('walletId', '=', walletId)
    .where('invitedBy', '=', userId)
    .execute()
  await sql`update verification_codes c set used_at = ${now}::timestamptz from users u
    where c.creator_id = ${userId} and c.used_at is null and u.id = c.user_id and u.id <> ${userId}
      and u.wallet_id = ${walletId}`.execute(db)
}

/** Returns whether an account belongs to a tenant. Its controllers are always the tenant's staff. */
export async function isTenantWallet(db: Db, walletId: string): Promise<boolean> {
  const row = await db.selectFrom('tenants').select('id').where('walletId', '=', walletId).executeTakeFirst()
  return row !== undefined
}

/**
 * Finds an active customer of a tenant by address or alias who could work with the account: one of its users,
 * or the owner of another account. Users of another account have no access to accounts.
 */
export async function findInvitee(
  db: Db,
  { tenantId, walletId, email }: { tenantId: number; walletId: string; email: string },
): Promise<{ readonly id: number; readonly isMember: boolean } | undefined> {
  const { rows } = await sql<{
    id: number
    isMember: boolean
  }>`select u.id, u.wallet_id = ${walletId} as "isMember"
    from addresses a join users u on u.id = a.object_id join wallets w on w.id = u.wallet_id
    where a.address = ${email} and a.kind in ('user', 'alias') and u.tenant_id = ${tenantId}
      and u.deleted_at is null and u.role is null and (u.wallet_id = ${walletId} or w.user_id = u.id)`.execute(
    db,
  )
  return rows[0]
}
