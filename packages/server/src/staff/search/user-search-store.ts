import type { StaffMatch, StaffUserItem } from '@gatehouse/contract/staff/staff-views'
import { hasBit, userStatus } from '@gatehouse/contract/status'
import { type RawBuilder, sql } from 'kysely'
import { wireDate } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { foldedPattern } from '../../platform/db/like-pattern.ts'
import type { Role } from '../../platform/http/callers/principal.ts'
import { presentTenant } from '../../platform/tenant.ts'
import { userFlags } from '../../users/user.ts'
import { isAnyPart, isRare, newestUsers, rareParts, usersAnywhere } from './any-part-store.ts'
import { type SearchScope, type Source, searchTiers } from './search-source-store.ts'

/** A page of the results. */
export interface Part {
  readonly page: number
  readonly size: number
}

export interface StaffPage<T> {
  readonly list: T[]
  readonly count: number
  readonly hasMore: boolean
  readonly page: number
}

interface Row {
  id: number
  match: StaffMatch | null
  email: string
  firstName: string | null
  lastName: string | null
  role: Role | null
  status: number
  tenantId: number
  createdAt: Date
  updatedAt: Date
  deletedAt: Date | null
  ownerId: number | null
  ownerEmail: string | null
  ownerStatus: number | null
}

/**
 * Accounts that match a text, best first: exact matches before prefixes before substrings. Includes deleted
 * users until they're purged; resellers find customers of their own tenant.
 */
export async function searchUsers(
  db: Db,
  text: string,
  scope: SearchScope,
  part: Part,
  withLdap: boolean,
): Promise<StaffPage<StaffUserItem>> {
  const limit = part.page * part.size + 1
  const read = (sources: readonly Source[]) => readPage(db, union(sources), part, withLdap, text)
  for (const { sources, isBeginning } of searchTiers(text, scope, limit)) {
    if (sources.length === 0) continue
    // most of these searches need the parts, which take as long to find as the first page
    const [first, parts] = await Promise.all([
      read(sources),
      isBeginning && isAnyPart(text) ? rareParts(db, text) : undefined,
    ])
    let page = first
    if (parts !== undefined && !page.hasMore) {
      const newest = isRare(parts.users) ? [] : [newestUsers(text, scope, limit)]
      if (newest.length > 0) page = await read([...sources, ...newest])
      if (!page.hasMore) {
        page = await read([...sources, ...newest, ...usersAnywhere(text, parts, scope, limit)])
      }
    }
    // a later page may be empty; don't fall back to weaker matches then
    if (page.list.length > 0 || part.page > 1) return page
  }
  return { list: [], count: 0, hasMore: false, page: part.page }
}

/** Returns users billed to the wallets of a user, by address, including deleted ones. */
export function usersOfOwner(
  db: Db,
  ownerId: number,
  part: Part,
  withLdap: boolean,
): Promise<StaffPage<StaffUserItem>> {
  const found = sql`select u.id, null::text as match, 0 as rank, u.email as sort from users u
    where u.wallet_id in (select id from wallets where user_id = ${ownerId}) and u.forgotten_at is null`
  return readPage(db, found, part, withLdap)
}

function union(sources: readonly Source[]): Source {
  return sql.join(
    sources.map((source) => sql`(${source})`),
    sql` union all `,
  )
}

async function readPage(
  db: Db,
  found: Source,
  { page, size }: Part,
  withLdap: boolean,
  text?: string,
): Promise<StaffPage<StaffUserItem>> {
  const match = text === undefined ? sql`p.match` : sql`coalesce(p.match, ${whatHas(text)})`
  const { rows } = await sql<Row>`with best as (
      select distinct on (id) id, match, rank, sort from (${found}) found order by id, rank, sort collate "C"
    ), part as (
      select * from best order by rank, sort collate "C", id limit ${size + 1} offset ${(page - 1) * size}
    )
    select u.id, ${match} as match, u.email, u.role, u.status, u.tenant_id, u.created_at, u.updated_at, u.deleted_at,
      o.id as owner_id, o.email as owner_email, o.status as owner_status,
      (select value from user_settings where user_id = u.id and key = 'first_name') as first_name,
      (select value from user_settings where user_id = u.id and key = 'last_name') as last_name
    from part p join users u on u.id = p.id
      left join wallets w on w.id = u.wallet_id left join users o on o.id = w.user_id
    order by p.rank, p.sort collate "C", p.id`.execute(db)
  const list = rows.slice(0, size).map((row) => present(row, withLdap))
  return { list, count: list.length, hasMore: rows.length > size, page }
}

/** Returns which field of user `u` contains a text. */
function whatHas(text: string): RawBuilder<unknown> {
  const pattern = foldedPattern(text)
  return sql`case
    when fold_text(concat_ws(' ', (select value from user_settings where user_id = u.id and key = 'first_name'),
      (select value from user_settings where user_id = u.id and key = 'last_name'))) like ${pattern} then 'name'
    when exists (select from user_settings where user_id = u.id and key = 'organization'
      and fold_text(value) like ${pattern}) then 'organization'
    when fold_text(concat_ws(chr(10), u.email, readable_address(u.email))) like ${pattern} then 'email'
    else 'alias' end`
}

function present(row: Row, withLdap: boolean): StaffUserItem {
  const name = [row.firstName, row.lastName].filter((part) => part !== null).join(' ')
  const isOwnerDegraded = row.ownerStatus !== null && hasBit(row.ownerStatus, userStatus.degraded)
  return {
    id: row.id,
    email: row.email,
    name: name === '' ? null : name,
    status: row.status,
    tenant_id: presentTenant(row.tenantId),
    owner:
      row.ownerId === null || row.ownerEmail === null ? null : { id: row.ownerId, email: row.ownerEmail },
    match: row.match,
    created_at: wireDate(row.createdAt),
    updated_at: wireDate(row.updatedAt),
    deleted_at: row.deletedAt && wireDate(row.deletedAt),
    ...userFlags({ status: row.status, deletedAt: row.deletedAt }, isOwnerDegraded, withLdap),
  }
}
