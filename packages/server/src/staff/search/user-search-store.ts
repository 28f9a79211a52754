import type { StaffMatch, StaffUserItem } from '@gatehouse/contract/staff/staff-views'
import { hasBit, userStatus } from '@gatehouse/contract/status'
import { type RawBuilder, sql } from 'kysely'
import { wireDate } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Role } from '../../platform/http/callers/principal.ts'
import { presentTenant } from '../../platform/tenant.ts'
import { userFlags } from '../../users/user.ts'
import { type SearchScope, searchTiers } from './search-source-store.ts'

/** Which part of what is found. */
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
 * Accounts that a text means, the surest first: what is named exactly outranks what only begins so. Deleted users are
 * found as long as they are not forgotten; a reseller finds customers of the own tenant.
 */
export async function searchUsers(
  db: Db,
  text: string,
  scope: SearchScope,
  part: Part,
  withLdap: boolean,
): Promise<StaffPage<StaffUserItem>> {
  for (const sources of searchTiers(text, scope, part.page * part.size + 1)) {
    const page = await readPage(db, union(sources), part, withLdap)
    // a later page of what was found may be empty; then nothing less sure is shown in its stead
    if (page.list.length > 0 || part.page > 1) return page
  }
  return { list: [], count: 0, hasMore: false, page: part.page }
}

/** Users billed to the wallets that a user owns, by address; deleted ones too. */
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

function union(sources: readonly RawBuilder<unknown>[]): RawBuilder<unknown> {
  return sql.join(
    sources.map((source) => sql`(${source})`),
    sql` union all `,
  )
}

async function readPage(
  db: Db,
  found: RawBuilder<unknown>,
  { page, size }: Part,
  withLdap: boolean,
): Promise<StaffPage<StaffUserItem>> {
  const { rows } = await sql<Row>`with best as (
      select distinct on (id) id, match, rank, sort from (${found}) found order by id, rank, sort collate "C"
    ), part as (
      select * from best order by rank, sort collate "C", id limit ${size + 1} offset ${(page - 1) * size}
    )
    select u.id, p.match, u.email, u.role, u.status, u.tenant_id, u.created_at, u.updated_at, u.deleted_at,
      o.id as owner_id, o.email as owner_email, o.status as owner_status,
      (select value from user_settings where user_id = u.id and key = 'first_name') as first_name,
      (select value from user_settings where user_id = u.id and key = 'last_name') as last_name
    from part p join users u on u.id = p.id
      left join wallets w on w.id = u.wallet_id left join users o on o.id = w.user_id
    order by p.rank, p.sort collate "C", p.id`.execute(db)
  const list = rows.slice(0, size).map((row) => present(row, withLdap))
  return { list, count: list.length, hasMore: rows.length > size, page }
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
