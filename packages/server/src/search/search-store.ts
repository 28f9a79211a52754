import { directoryKinds, kinds } from '@gatehouse/contract/directory/kinds'
import { type SearchHit, type SearchType, searchLimit } from '@gatehouse/contract/search'
import { type RawBuilder, sql } from 'kysely'
import { hasText, nearness } from '../directory/text-search-store.ts'
import type { Db } from '../platform/db/database.ts'
import { foldedPattern } from '../platform/db/like-pattern.ts'
import { walletsUnder } from '../users/member-store.ts'

/** Maximum results per kind, so that a common letter in user names doesn't hide everything else. */
const limitOfKind = 8

interface Row {
  type: SearchType
  id: number
  title: string
  detail: string | null
}

/**
 * Returns the user and what the user owns or controls whose name, organisation, address or alias contains the
 * text: exact matches first, then prefixes, then prefixes of later words, then the rest. The matches are found
 * in indexes that contain the account and all searchable text, as for lists.
 */
export async function search(
  db: Db,
  readerId: number,
  text: string,
  types: readonly SearchType[],
): Promise<SearchHit[]> {
  const sources = [
    ...users(readerId, text),
    ...(types.includes('domain') ? [domains(readerId, text)] : []),
    ...directory(readerId, text, types),
    ...(types.includes('room') ? [rooms(readerId, text)] : []),
  ]
  // best matches per kind first: sorting all matches would be slower
  const best = sources.map((source) => sql`(${source} order by rank, sort, id limit ${limitOfKind})`)
  const { rows } = await sql<Row>`with best as (
      select type, id, rank, row_number() over (partition by type order by rank, sort, id) as place
      from (${sql.join(best, sql` union all `)}) found order by rank, place, type limit ${searchLimit}
    )
    select b.type, b.id::float8 as id,
      case b.type
        when 'user' then coalesce(nullif(concat_ws(' ',
          (select value from user_settings where user_id = b.id and key = 'first_name'),
          (select value from user_settings where user_id = b.id and key = 'last_name')), ''), u.email)
        when 'domain' then d.display_name
        when 'room' then coalesce(r.description, r.name)
        else o.name end as title,
      case b.type when 'user' then u.email when 'domain' then d.namespace when 'room' then r.name
        else o.email end as detail
    from best b
      left join users u on b.type = 'user' and u.id = b.id
      left join domains d on b.type = 'domain' and d.id = b.id
      left join rooms r on b.type = 'room' and r.id = b.id
      left join directory_objects o on b.type not in ('user', 'domain', 'room') and o.id = b.id
    order by b.rank, b.place, b.type`.execute(db)
  return rows.map(({ title, detail, ...hit }) => ({
    ...hit,
    title,
    detail: detail === title ? null : detail,
  }))
}

function users(readerId: number, text: string): RawBuilder<unknown>[] {
  const columns = sql`select 'user' as type, u.id, ${nearness(sql`u.search_text`, text)} as rank, u.sort_name as sort
    from users u`
  const matches = sql`u.deleted_at is null and ${hasText('u', text)}`
  const wallets = walletsUnder(readerId)
  // users who control nothing still find themselves
  return [
    sql`${columns} where u.wallet_id = any(${wallets}) and ${matches}`,
    sql`${columns} where u.id = ${readerId} and u.wallet_id <> all(${wallets}) and ${matches}`,
  ]
}

function domains(readerId: number, text: string): RawBuilder<unknown> {
  const names = sql`concat_ws(chr(10), d.search_text, d.namespace)`
  return sql`select 'domain' as type, d.id, ${nearness(names, text)} as rank, d.namespace as sort from domains d
    where d.wallet_id = any(${walletsUnder(readerId)}) and d.deleted_at is null
      and ${names} like ${foldedPattern(text)}`
}

/** Rooms of accounts that the reader controls, and those shared with the reader. */
function rooms(readerId: number, text: string): RawBuilder<unknown> {
  return sql`select 'room' as type, r.id, ${nearness(sql`r.search_text`, text)} as rank, r.name as sort from rooms r
    where r.deleted_at is null and r.search_text like ${foldedPattern(text)}
      and (r.wallet_id = any(${walletsUnder(readerId)})
        or r.id in (select p.room_id from room_permissions p where p.user_id = ${readerId}))`
}

function directory(readerId: number, text: string, types: readonly SearchType[]): RawBuilder<unknown>[] {
  return directoryKinds
    .filter((kind) => types.includes(kinds[kind].name))
    .map(
      (kind) => sql`select ${kinds[kind].name} as type, o.id, ${nearness(sql`o.search_text`, text)} as rank,
          o.sort_name as sort
        from directory_objects o
        where o.wallet_id = any(${walletsUnder(readerId)}) and o.kind = ${kind} and o.deleted_at is null
          and ${hasText('o', text)}`,
    )
}
