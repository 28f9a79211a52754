import type {
  StaffDomainItem,
  StaffFolderItem,
  StaffGroupItem,
  StaffResourceItem,
} from '@gatehouse/contract/staff/staff-views'
import { type RawBuilder, sql } from 'kysely'
import { domainFlags } from '../directory/domains/domain.ts'
import { type DirectoryKind, groupFlags, mailboxFlags } from '../directory/objects/object.ts'
import { wireDate } from '../platform/clock.ts'
import type { Db } from '../platform/db/database.ts'
import { hasPart, isAnyPart, isRare, type RareParts, rareParts } from './search/any-part-store.ts'
import type { SearchScope } from './search/search-source-store.ts'
import type { Part, StaffPage } from './search/user-search-store.ts'

/**
 * What to find: everything paid from an owner's wallets, or everything with that text in its name or address.
 */
export type Wanted = { readonly ownerId: number } | { readonly name: string }

interface Row {
  id: number
  email: string
  name: string
  status: number
  type: number
  folderType: StaffFolderItem['type'] | null
  createdAt: Date
  updatedAt: Date
  deletedAt: Date | null
}

/** Returns domains of an owner, or with a text in their name; includes deleted ones. */
export async function staffDomains(
  db: Db,
  wanted: Wanted,
  scope: SearchScope,
  part: Part,
  withLdap: boolean,
): Promise<StaffPage<StaffDomainItem>> {
  const rows = await read(
    db,
    sql`select o.id, o.namespace as email, o.namespace as name, o.status, o.type, null as folder_type, o.created_at,
      o.updated_at, o.deleted_at from domains o where ${await condition(db, wanted, scope, 'domains')}`,
    part,
  )
  return toPage(rows, part, (row) => ({
    ...base(row),
    namespace: row.name,
    type: row.type,
    ...domainFlags(state(row), withLdap),
  }))
}

/** Returns distribution lists of an owner, or with a text in name or address; includes deleted ones. */
export async function staffGroups(
  db: Db,
  wanted: Wanted,
  scope: SearchScope,
  part: Part,
  withLdap: boolean,
): Promise<StaffPage<StaffGroupItem>> {
  const rows = await readObjects(db, 'group', wanted, scope, part)
  return toPage(rows, part, (row) => ({
    ...base(row),
    email: row.email,
    name: row.name,
    ...groupFlags({ kind: 'group', ...state(row) }, withLdap),
  }))
}

/** Returns resources of an owner, or with a text in name or address; includes deleted ones. */
export async function staffResources(
  db: Db,
  wanted: Wanted,
  scope: SearchScope,
  part: Part,
  withLdap: boolean,
): Promise<StaffPage<StaffResourceItem>> {
  const rows = await readObjects(db, 'resource', wanted, scope, part)
  return toPage(rows, part, (row) => ({
    ...base(row),
    email: row.email,
    name: row.name,
    ...mailboxFlags({ kind: 'resource', ...state(row) }, withLdap),
  }))
}

/** Returns shared folders of an owner, or with a text in name or address; includes deleted ones. */
export async function staffFolders(
  db: Db,
  wanted: Wanted,
  scope: SearchScope,
  part: Part,
  withLdap: boolean,
): Promise<StaffPage<StaffFolderItem>> {
  const rows = await readObjects(db, 'shared-folder', wanted, scope, part)
  return toPage(rows, part, (row) => ({
    ...base(row),
    email: row.email,
    name: row.name,
    type: row.folderType ?? 'mail',
    ...mailboxFlags({ kind: 'shared-folder', ...state(row) }, withLdap),
  }))
}

async function readObjects(
  db: Db,
  kind: DirectoryKind,
  wanted: Wanted,
  scope: SearchScope,
  part: Part,
): Promise<Row[]> {
  return read(
    db,
    sql`select o.id, o.email, o.name, o.status, 0 as type, o.folder_type, o.created_at, o.updated_at, o.deleted_at
      from directory_objects o where o.kind = ${kind} and ${await condition(db, wanted, scope, 'objects')}`,
    part,
  )
}

async function condition(
  db: Db,
  wanted: Wanted,
  { tenantId }: SearchScope,
  table: 'domains' | 'objects',
): Promise<RawBuilder<unknown>> {
  const tenant = tenantId === undefined ? sql`true` : sql`o.tenant_id = ${tenantId}`
  if ('ownerId' in wanted) {
    return sql`o.wallet_id in (select id from wallets where user_id = ${wanted.ownerId}) and ${tenant}`
  }
  const { name } = wanted
  const isCalled = table === 'domains' ? sql`o.namespace = lower(${name})` : sql`o.email = lower(${name})`
  const parts: RareParts | undefined = isAnyPart(name) ? await rareParts(db, name) : undefined
  return parts && isRare(parts[table])
    ? sql`(${isCalled} or (${hasPart(sql`o`, parts[table], name)})) and ${tenant}`
    : sql`${isCalled} and ${tenant}`
}

async function read(db: Db, source: RawBuilder<unknown>, { page, size }: Part): Promise<Row[]> {
  const { rows } = await sql<Row>`select * from (${source}) o order by o.name, o.id
    limit ${size + 1} offset ${(page - 1) * size}`.execute(db)
  return rows
}

function toPage<T>(rows: readonly Row[], { page, size }: Part, present: (row: Row) => T): StaffPage<T> {
  const list = rows.slice(0, size).map(present)
  return { list, count: list.length, hasMore: rows.length > size, page }
}

function state({ status, deletedAt }: Row) {
  return { status, deletedAt }
}

function base(row: Row) {
  return {
    id: row.id,
    created_at: wireDate(row.createdAt),
    updated_at: wireDate(row.updatedAt),
    deleted_at: row.deletedAt && wireDate(row.deletedAt),
  }
}
