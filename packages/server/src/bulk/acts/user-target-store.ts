import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { Role } from '../../platform/http/callers/principal.ts'
import { heldUntilKey } from '../../users/addresses/recovery-address-store.ts'
import type { OwnedObject } from '../../users/policy.ts'
import { suspensionKey } from '../../users/suspension.ts'

/** An active user with the data that permission and price rules require. */
export interface BulkUser extends OwnedObject {
  readonly userId: number
  readonly email: string
  readonly walletId: string
  /** Status bits of the user and of the account's owner. */
  readonly accountStatus: number
}

/** The state that decides whether an active user can be suspended or mailed at a private address. */
export interface UserState {
  readonly status: number
  readonly suspensionReason: string | null
  readonly externalEmail: string | null
  readonly heldUntil: string | null
}

/** State of the active users among these, by ID. */
export async function readUserStates(
  db: Db,
  ids: readonly number[],
): Promise<ReadonlyMap<number, UserState>> {
  const setting = (key: string) =>
    sql`(select value from user_settings where user_id = u.id and key = ${key})`
  const { rows } = await sql<UserState & { id: number }>`select u.id, u.status,
      ${setting(suspensionKey)} as suspension_reason, ${setting('external_email')} as external_email,
      ${setting(heldUntilKey)} as held_until
    from users u where u.id = any(${ids}::bigint[]) and u.deleted_at is null`.execute(db)
  return new Map(rows.map(({ id, ...state }) => [id, state]))
}

/** The active users among these, with the data for permission rules. */
export async function readUsers(db: Db, ids: readonly number[]): Promise<BulkUser[]> {
  const { rows } = await sql<{
    id: number
    tenantId: number
    email: string
    role: Role | null
    walletId: string
    accountStatus: number
    ownerId: number
    controllerIds: number[]
  }>`select u.id, u.tenant_id, u.email, u.role, w.id as wallet_id, w.user_id as owner_id,
      u.status | o.status as account_status, array(select c.user_id from wallet_controllers c where c.wallet_id = w.id) as controller_ids
    from users u join wallets w on w.id = u.wallet_id join users o on o.id = w.user_id
    where u.id = any(${ids}::bigint[]) and u.deleted_at is null`.execute(db)
  return rows.map((row) => ({
    userId: row.id,
    tenantId: row.tenantId,
    email: row.email,
    role: row.role,
    walletId: row.walletId,
    accountStatus: row.accountStatus,
    ownerId: row.ownerId,
    controllerIds: row.controllerIds,
  }))
}
