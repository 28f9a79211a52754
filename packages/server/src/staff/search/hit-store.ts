import { directoryKinds, kinds } from '@gatehouse/contract/directory/kinds'
import { type SearchHit, searchLimit } from '@gatehouse/contract/search'
import { type RawBuilder, sql } from 'kysely'
import { nearness } from '../../directory/text-search-store.ts'
import type { Db } from '../../platform/db/database.ts'
import { hasPart, isAnyPart, isRare, mostOrdered, rareParts } from './any-part-store.ts'
import type { SearchScope } from './search-source-store.ts'
import { searchUsers } from './user-search-store.ts'

/** Maximum hits per kind. */
const limitOfKind = 6

/**
 * Customers, domains, lists, resources and folders that match a text, best first per kind, deleted ones last.
 * One or two characters find customers only.
 */
export async function staffHits(
  db: Db,
  text: string,
  scope: SearchScope,
  withLdap: boolean,
): Promise<SearchHit[]> {
  const [users, objects] = await Promise.all([
    searchUsers(db, text, scope, { page: 1, size: limitOfKind }, withLdap),
    findObjects(db, text, scope),
  ])
  const people = users.list.map(({ id, email, name }) => ({
    type: 'user' as const,
    id,
    title: email,
    detail: name,
  }))
  return [...people, ...objects].slice(0, searchLimit)
}

async function findObjects(db: Db, text: string, { tenantId }: SearchScope): Promise<SearchHit[]> {
  if (!isAnyPart(text)) return []
  const parts = await rareParts(db, text)
  const limits = sql`${tenantId === undefined ? sql`` : sql`and o.tenant_id = ${tenantId}`} limit ${mostOrdered}`
  const near = nearness(sql`o.search_text`, text)
  // released names are replaced by a number
  const domains = sql`select 'domain' as type, o.id, o.display_name as title, o.namespace as detail, o.deleted_at,
      ${near} as rank
    from domains o where ${hasPart(sql`o`, parts.domains, text)} and position('#' in o.namespace) = 0 ${limits}`
  const objects = sql`select ${typeOf(sql`o.kind`)} as type, o.id, o.name as title, o.email as detail, o.deleted_at,
      ${near} as rank
    from directory_objects o where ${hasPart(sql`o`, parts.objects, text)} and position('#' in o.email) = 0 ${limits}`
  const sources = [...(isRare(parts.domains) ? [domains] : []), ...(isRare(parts.objects) ? [objects] : [])]
  if (sources.length === 0) return []
  const all = sql.join(
    sources.map((source) => sql`(${source})`),
    sql` union all `,
  )
  const { rows } =
    await sql<SearchHit>`select type, id::float8 as id, title, nullif(detail, title) as detail from (
      select *, row_number() over (
        partition by type order by deleted_at is not null, rank, title, id) as place from (${all}) found
    ) f where place <= ${limitOfKind} order by array_position(${order}::text[], type), place`.execute(db)
  return rows
}

const order = ['domain', ...directoryKinds.map((kind) => kinds[kind].name)]

function typeOf(kind: RawBuilder<unknown>): RawBuilder<unknown> {
  const names = directoryKinds.map((one) => sql`when ${one} then ${kinds[one].name}`)
  return sql`case ${kind} ${sql.join(names, sql` `)} end`
}
