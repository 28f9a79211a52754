import { userStatus } from '@gatehouse/contract/status'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { userSetting } from '../../users/setting-store.ts'
import type { Column, Columns } from '../filter/filter-store.ts'

/** A user as directories see it. */
export interface UserRow {
  readonly id: number
  readonly email: string
  readonly status: number
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly settings: Readonly<Record<string, string>>
  readonly aliases: readonly string[]
  readonly externalId: string | null
  readonly managerId: number | null
  readonly managerName: string | null
  /** Id and name of the lists that the user is a member of. */
  readonly groups: readonly (readonly [number, string])[]
}

/** Which resources of an account, in which order. */
export interface Selection {
  readonly condition?: RawBuilder<boolean> | undefined
  readonly order?: RawBuilder<unknown> | undefined
  readonly isDescending?: boolean
  readonly offset?: number
  readonly limit?: number
}

const settings = ['first_name', 'last_name', 'organization', 'department', 'phone', 'external_email']

const nameOf = (user: string) => sql<string>`coalesce(nullif((select string_agg(value, ' ' order by key)
  from user_settings where user_id = ${sql.ref(`${user}.id`)} and key in ('first_name', 'last_name')), ''),
  ${sql.ref(`${user}.email`)})`

const source = (walletId: string) => sql`users u
  left join scim_users s on s.user_id = u.id and s.wallet_id = u.wallet_id
  where u.wallet_id = ${walletId} and u.deleted_at is null`

/** Returns users of an account. */
export async function readUsers(db: Db, walletId: string, selection: Selection): Promise<UserRow[]> {
  const {
    condition = sql`true`,
    order = sql`u.email`,
    isDescending = false,
    offset = 0,
    limit = 1,
  } = selection
  const { rows } = await sql<UserRow>`with page as materialized (
      select u.id, row_number() over (order by ${order} ${isDescending ? sql`desc` : sql`asc`} nulls last, u.id) as place
      from ${source(walletId)} and ${condition}
      order by place limit ${limit} offset ${offset}
    )
    select u.id, u.email, u.status, u.created_at, u.updated_at, s.external_id,
      coalesce((select jsonb_object_agg(key, value) from user_settings
        where user_id = u.id and key = any(${settings}::text[])), '{}') as settings,
      array(select address from addresses where kind = 'alias' and object_id = u.id order by 1) as aliases,
      m.id as manager_id, case when m.id is not null then ${nameOf('m')} end as manager_name,
      (select coalesce(jsonb_agg(jsonb_build_array(g.id, g.name) order by g.name), '[]')
        from directory_objects g where g.wallet_id = u.wallet_id and g.kind = 'group' and g.deleted_at is null
          and exists (select from group_members gm join addresses a on a.address = gm.address
            where gm.group_id = g.id and gm.withdrawn_at is null
              and a.kind in ('user', 'alias') and a.object_id = u.id)) as groups
    from page join users u on u.id = page.id
      left join scim_users s on s.user_id = u.id and s.wallet_id = u.wallet_id
      left join users m on m.id = s.manager_id and m.wallet_id = u.wallet_id and m.deleted_at is null
    order by page.place`.execute(db)
  return rows
}

/** Returns a user of an account; undefined if there is none. */
export async function readUser(db: Db, walletId: string, id: number): Promise<UserRow | undefined> {
  const [row] = await readUsers(db, walletId, { condition: sql`u.id = ${id}` })
  return row
}

export async function countUsers(
  db: Db,
  walletId: string,
  condition: RawBuilder<boolean> = sql`true`,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::integer as count
    from ${source(walletId)} and ${condition}`.execute(db)
  return rows[0]?.count ?? 0
}

const emails = sql`(select u.email as value, 'work' as type, true as is_primary
  union all select a.address, 'other', false from addresses a where a.kind = 'alias' and a.object_id = u.id
  union all select x.value, 'home', false from user_settings x
    where x.user_id = u.id and x.key = 'external_email')`

const phones = sql`(select x.value, 'work' as type, true as is_primary from user_settings x
  where x.user_id = u.id and x.key = 'phone')`

const text = (column: RawBuilder<unknown>): Column => ({ kind: 'text', sql: column })

const element: Columns = {
  value: text(sql`e.value`),
  type: text(sql`e.type`),
  primary: { kind: 'boolean', sql: sql`e.is_primary` },
}

/** The attributes of users that can be searched. */
export const userColumns: Columns = {
  id: { kind: 'text', sql: sql`u.id::text`, isExact: true },
  externalid: { kind: 'text', sql: sql`s.external_id`, isExact: true },
  username: { kind: 'text', sql: sql`u.email`, isLower: true },
  displayname: text(nameOf('u')),
  'name.formatted': text(nameOf('u')),
  'name.givenname': text(userSetting('first_name')),
  'name.familyname': text(userSetting('last_name')),
  active: { kind: 'boolean', sql: sql`(u.status & ${sql.lit(userStatus.suspended)} = 0)` },
  emails: { kind: 'elements', sql: emails, parts: element },
  'emails.value': { kind: 'elements', sql: emails, parts: element },
  phonenumbers: { kind: 'elements', sql: phones, parts: element },
  'phonenumbers.value': { kind: 'elements', sql: phones, parts: element },
  organization: text(userSetting('organization')),
  department: text(userSetting('department')),
  'manager.value': { kind: 'text', sql: sql`s.manager_id::text`, isExact: true },
  'meta.created': { kind: 'moment', sql: sql`u.created_at` },
  'meta.lastmodified': { kind: 'moment', sql: sql`u.updated_at` },
}

/**
 * Stores what the directory knows about a user. The external id of a deleted user can be used again. Throws a
 * unique violation (`scim_users_external`) if another user has it.
 */
export async function writeScimUser(
  trx: Db,
  user: {
    readonly id: number
    readonly walletId: string
    readonly externalId: string | null
    readonly managerId: number | null
  },
): Promise<void> {
  const { id, walletId, externalId, managerId } = user
  await sql`delete from scim_users s using users u
    where s.wallet_id = ${walletId} and s.external_id = ${externalId} and u.id = s.user_id
      and (u.deleted_at is not null or u.wallet_id <> s.wallet_id)`.execute(trx)
  await sql`insert into scim_users (user_id, wallet_id, external_id, manager_id)
    values (${id}, ${walletId}, ${externalId}, ${managerId})
    on conflict (user_id) do update set wallet_id = excluded.wallet_id, external_id = excluded.external_id,
      manager_id = excluded.manager_id`.execute(trx)
}

/** Returns whether an address belongs to a deleted user of an account. */
export async function isOfDeletedUser(db: Db, walletId: string, address: string): Promise<boolean> {
  const row = await db
    .selectFrom('addresses as a')
    .innerJoin('users as u', 'u.id', 'a.objectId')
    .select('u.id')
    .where('a.kind', 'in', ['user', 'alias'])
    .where('a.address', '=', address)
    .where('u.walletId', '=', walletId)
    .where('u.deletedAt', 'is not', null)
    .executeTakeFirst()
  return row !== undefined
}
