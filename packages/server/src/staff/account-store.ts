import type { ProtectionKind } from '@gatehouse/contract/directory/users'
import { type Insertable, sql } from 'kysely'
import type { Db } from '../platform/db/database.ts'
import type { Schema } from '../platform/db/schema.ts'
import { protectionKindsOf } from '../sessions/second-factor/factor-store.ts'
import type { AccountView } from '../users/account-view/account-view.ts'
import { heldUntilKey } from '../users/addresses/recovery-address-store.ts'

/** Whether a staff member belongs to the account of an owner, or to an account within it. */
export async function employsStaff(db: Db, ownerId: number): Promise<boolean> {
  const { rows } = await sql<{ employs: boolean }>`with recursive people (id) as (
      select ${ownerId}::bigint
      union select u.id from people p join wallets w on w.user_id = p.id join users u on u.wallet_id = w.id)
    select exists (select from people join users using (id)
      where role in ('admin', 'reseller') and deleted_at is null) as employs`.execute(db)
  return rows[0]?.employs === true
}

/** Returns the tenant and role of a user. */
export function readPerson(db: Db, id: number) {
  return db.selectFrom('users').select(['tenantId', 'role']).where('id', '=', id).executeTakeFirst()
}

/** Returns the e-mail address of an account's owner and the title of its tenant. */
export async function ownerAndTenant(
  db: Db,
  ownerId: number | null,
  tenantId: number,
): Promise<{ email: string | null; title: string | null } | undefined> {
  const { rows } = await sql<{ email: string | null; title: string | null }>`select
    (select email from users where id = ${ownerId}::bigint) as email,
    (select title from tenants where id = ${tenantId}) as title`.execute(db)
  return rows[0]
}

/** What the cockpit shows of a user besides the account view. */
export interface Around {
  ownerEmail: string | null
  tenantTitle: string
  reason: string | null
  factors: ProtectionKind[]
  hasSubscription: boolean
  lastSignIn: Date | null
  heldUntil: string | null
}

export async function readAround(db: Db, { user, owner }: AccountView): Promise<Around> {
  const { rows } = await sql<Around>`select
    (select email from users where id = ${owner?.id ?? null}::bigint) as owner_email,
    (select title from tenants where id = ${user.tenantId}) as tenant_title,
    (select value from user_settings where user_id = ${user.id} and key = 'suspension_reason') as reason,
    (select ${protectionKindsOf} from users u where u.id = ${user.id}) as factors,
    exists (select from entitlements e join skus k on k.id = e.sku_id where e.object_type = 'user'
        and e.object_id = ${user.id} and e.deleted_at is null and k.handler = 'Auth2F') as has_subscription,
    (select max(last_used_at) from sessions where user_id = ${user.id} and impersonation_id is null)
      as last_sign_in,
    (select value from user_settings where user_id = ${user.id} and key = ${heldUntilKey}) as held_until`.execute(
    db,
  )
  const [row] = rows
  if (row === undefined) throw new Error('query returned no row')
  return row
}

/** Stores an impersonation that has not started yet. */
export async function insertImpersonation(
  trx: Db,
  session: Insertable<Schema['impersonations']>,
): Promise<void> {
  await trx.insertInto('impersonations').values(session).execute()
}
