import { fieldsWith } from '@gatehouse/contract/directory/user-fields'
import { userStatus } from '@gatehouse/contract/status'
import { CompiledQuery, sql } from 'kysely'
import type { Db } from '../platform/db/database.ts'

/** Users whose status says that they still need to be synced. */
export const unsettledUsers = sql<{
  id: number
}>`select u.id from users u where u.role is distinct from 'service'
      and ((u.deleted_at is not null and u.status & ${sql.lit(userStatus.deleted)} = 0)
        or (u.deleted_at is null and u.status & ${sql.lit(userStatus.imapReady)} = 0
          and exists (select from entitlements e join skus k on k.id = e.sku_id
            where e.object_type = 'user' and e.object_id = u.id and e.deleted_at is null
              and k.handler = 'Mailbox')))`

/** The data of a user that is synced to the back end. */
export interface ProvisionedUser {
  id: number
  email: string
  status: number
  passwordHash: string | null
  role: string | null
  isDeleted: boolean
  aliases: string[]
  settings: Record<string, string>
  /** Units by handler. */
  units: Record<string, number>
  ownerStatus: number | null
  planMode: string | null
  domain: { id: number; status: number } | null
}

const statement = `select u.id, u.email, u.status, u.password_hash as "passwordHash", u.role, u.deleted_at is not null as "isDeleted",
    o.status as "ownerStatus",
    array(select a.address from addresses a where a.kind = 'alias' and a.object_id = u.id order by 1) as aliases,
    (select coalesce(json_object_agg(s.key, s.value), '{}') from user_settings s
      where s.user_id = u.id and s.key = any($2)) as settings,
    (select coalesce(json_object_agg(handler, units), '{}') from (
      select k.handler, count(*)::int as units from entitlements e join skus k on k.id = e.sku_id
      where e.object_type = 'user' and e.object_id = u.id and e.deleted_at is null group by k.handler) h) as units,
    (select p.mode from user_settings s join plans p on p.id::text = s.value
      where s.user_id = o.id and s.key = 'plan_id') as "planMode",
    (select json_build_object('id', d.id, 'status', d.status) from domains d
      where d.namespace = split_part(u.email, '@', 2) and d.deleted_at is null) as domain
  from users u left join wallets w on w.id = u.wallet_id left join users o on o.id = w.user_id
  where u.id = $1`

export async function readProvisionedUser(db: Db, id: number): Promise<ProvisionedUser | undefined> {
  const { rows } = await db.executeQuery<ProvisionedUser>(
    CompiledQuery.raw(statement, [id, fieldsWith('backend')]),
  )
  return rows[0]
}
