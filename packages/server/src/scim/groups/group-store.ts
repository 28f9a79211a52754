import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { Columns } from '../filter/filter-store.ts'
import type { Selection } from '../users/user-store.ts'

/** A user or list that receives a list's mail: id, kind, name. */
export type MemberRow = readonly [number, 'User' | 'Group', string]

/** A distribution list as directories see it. */
export interface GroupRow {
  readonly id: number
  readonly name: string
  readonly email: string
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly externalId: string | null
  /** Members in the account; null if they weren't read. External addresses aren't included. */
  readonly members: readonly MemberRow[] | null
}

const source = (walletId: string) => sql`directory_objects o
  left join scim_groups s on s.group_id = o.id
  where o.wallet_id = ${walletId} and o.kind = 'group' and o.deleted_at is null`

const members = sql`(select coalesce(jsonb_agg(jsonb_build_array(m.id, m.kind, m.name) order by m.id), '[]')
  from (
    select distinct u.id, 'User' as kind, u.email as name from group_members gm
      join addresses a on a.address = gm.address and a.kind in ('user', 'alias')
      join users u on u.id = a.object_id and u.wallet_id = o.wallet_id and u.deleted_at is null
      where gm.group_id = o.id and gm.withdrawn_at is null
    union all
    select g.id, 'Group', g.name from group_members gm
      join addresses a on a.address = gm.address and a.kind = 'group'
      join directory_objects g on g.id = a.object_id and g.wallet_id = o.wallet_id and g.deleted_at is null
      where gm.group_id = o.id and gm.withdrawn_at is null
  ) m)`

/** Returns distribution lists of an account. */
export async function readGroups(
  db: Db,
  walletId: string,
  selection: Selection & { readonly withMembers: boolean },
): Promise<GroupRow[]> {
  const { condition = sql`true`, order = sql`o.id`, isDescending = false, offset = 0, limit = 1 } = selection
  const { rows } =
    await sql<GroupRow>`select o.id, o.name, o.email, o.created_at, o.updated_at, s.external_id,
      ${selection.withMembers ? members : sql`null`} as members
    from ${source(walletId)} and ${condition}
    order by ${order} ${isDescending ? sql`desc` : sql`asc`} nulls last, o.id
    limit ${limit} offset ${offset}`.execute(db)
  return rows
}

/** Returns a distribution list of an account; undefined if there is none. */
export async function readGroup(db: Db, walletId: string, id: number): Promise<GroupRow | undefined> {
  const [row] = await readGroups(db, walletId, { condition: sql`o.id = ${id}`, withMembers: true })
  return row
}

/** Returns whether an account has a distribution list. */
export async function isGroup(db: Db, walletId: string, id: number): Promise<boolean> {
  return (await countGroups(db, walletId, sql`o.id = ${id}`)) > 0
}

export async function countGroups(
  db: Db,
  walletId: string,
  condition: RawBuilder<boolean> = sql`true`,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::integer as count
    from ${source(walletId)} and ${condition}`.execute(db)
  return rows[0]?.count ?? 0
}

const memberRows = sql`(select a.object_id::text as value,
    case when a.kind = 'group' then 'Group' else 'User' end as type
  from group_members gm join addresses a on a.address = gm.address and a.kind in ('user', 'alias', 'group')
  where gm.group_id = o.id and gm.withdrawn_at is null)`

const member: Columns = {
  value: { kind: 'text', sql: sql`e.value`, isExact: true },
  type: { kind: 'text', sql: sql`e.type` },
}

/** The attributes of groups that can be searched. */
export const groupColumns: Columns = {
  id: { kind: 'text', sql: sql`o.id::text`, isExact: true },
  externalid: { kind: 'text', sql: sql`s.external_id`, isExact: true },
  displayname: { kind: 'text', sql: sql`o.name` },
  email: { kind: 'text', sql: sql`o.email`, isLower: true },
  members: { kind: 'elements', sql: memberRows, parts: member },
  'members.value': { kind: 'elements', sql: memberRows, parts: member },
  'meta.created': { kind: 'moment', sql: sql`o.created_at` },
  'meta.lastmodified': { kind: 'moment', sql: sql`o.updated_at` },
}

/** Stores the directory's id of a list. Throws a unique violation (`scim_groups_external`). */
export async function writeScimGroup(
  trx: Db,
  {
    id,
    walletId,
    externalId,
  }: { readonly id: number; readonly walletId: string; readonly externalId: string | null },
): Promise<void> {
  await sql`delete from scim_groups s using directory_objects o
    where s.wallet_id = ${walletId} and s.external_id = ${externalId} and o.id = s.group_id
      and o.deleted_at is not null`.execute(trx)
  await sql`insert into scim_groups (group_id, wallet_id, external_id) values (${id}, ${walletId}, ${externalId})
    on conflict (group_id) do update set wallet_id = excluded.wallet_id, external_id = excluded.external_id`.execute(
    trx,
  )
}

/**
 * Returns the addresses of a list's members by the users and lists that they belong to, and the primary address of
 * each of `ids` in the account.
 */
export async function memberAddresses(
  trx: Db,
  walletId: string,
  groupId: number,
  ids: readonly number[],
): Promise<{
  readonly held: { id: number; address: string }[]
  readonly known: { id: number; address: string }[]
}> {
  const held = await sql<{
    id: number
    address: string
  }>`select a.object_id as id, gm.address from group_members gm
    join addresses a on a.address = gm.address and a.kind in ('user', 'alias', 'group')
    where gm.group_id = ${groupId} and gm.withdrawn_at is null`.execute(trx)
  const known = await sql<{ id: number; address: string }>`select id, email as address from users
      where id = any(${ids}::bigint[]) and wallet_id = ${walletId} and deleted_at is null
    union all select id, email from directory_objects
      where id = any(${ids}::bigint[]) and wallet_id = ${walletId} and kind = 'group' and deleted_at is null`.execute(
    trx,
  )
  return { held: held.rows, known: known.rows }
}
