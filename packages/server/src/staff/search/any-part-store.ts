import { foldText } from '@gatehouse/contract/fold-text'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { foldedPattern } from '../../platform/db/like-pattern.ts'
import { isInScope, isReseller, type SearchScope, type Source } from './search-source-store.ts'

/** Whether a trigram index can look up a text. */
export function isAnyPart(text: string): boolean {
  return foldText(text).length >= 3
}

/** Trigrams of a text for an index lookup, and the estimated number of rows to scan. */
interface Parts {
  readonly parts: readonly string[]
  readonly rows: number
}

const indexes = {
  users: 'users_trigrams',
  domains: 'domains_trigrams',
  objects: 'directory_objects_trigrams',
} as const

/** The trigrams by which each index finds a text. */
export type RareParts = Readonly<Record<keyof typeof indexes, Parts>>

/**
 * More trigrams slow the index down without adding accuracy: rows are compared with the whole text anyway.
 */
const mostParts = 3

/**
 * Returns the rarest trigrams of a text, by database statistics. If most addresses share a domain, nearly
 * every row contains its trigrams, and looking those up would be slowest.
 */
export async function rareParts(db: Db, text: string): Promise<RareParts> {
  const { rows } = await sql<{ index: string; part: string; rows: number }>`with counted as (
      select s.tablename, e.part, f.share from pg_stats s
        cross join unnest(s.most_common_elems::text::text[]) with ordinality e (part, place)
        join unnest(s.most_common_elem_freqs) with ordinality f (share, place) using (place)
      where s.schemaname = current_schema() and s.tablename = any(${Object.values(indexes)}::text[])
    )
    select i.relname as index, p.part, coalesce(c.share * greatest(i.reltuples, 0), 0)::float8 as rows
    from pg_class i
      cross join (select distinct unnest(trigrams(${foldText(text)})) as part) p
      left join counted c on c.tablename = i.relname and c.part = p.part
    where i.relnamespace = current_schema()::regnamespace and i.relname = any(${Object.values(indexes)}::text[])
    order by rows, p.part`.execute(db)
  const of = (index: string): Parts => {
    const known = rows.filter((row) => row.index === index)
    // a part that many rows have costs more to look up than it saves
    const useful = known.filter((row, place) => place === 0 || row.rows <= mostRows)
    return { parts: useful.slice(0, mostParts).map(({ part }) => part), rows: known[0]?.rows ?? 0 }
  }
  return { users: of(indexes.users), domains: of(indexes.domains), objects: of(indexes.objects) }
}

/** Maximum rows that a search may scan. */
const mostRows = 20_000

/** Maximum matching rows to sort; beyond that some are left out. */
export const mostOrdered = 1000

/** Whether an index narrows the search to few enough rows. */
export function isRare({ rows }: Parts): boolean {
  return rows <= mostRows
}

/** Whether a row `of` contains a text, using the trigram index. */
export function hasPart(of: RawBuilder<unknown>, { parts }: Parts, text: string): RawBuilder<unknown> {
  return sql`trigrams(${of}.search_text) @> ${parts}::text[] and ${of}.search_text like ${foldedPattern(text)}`
}

/** Newest customers first; sources are merged in byte order. */
const newestFirst = sql`lpad((99999999999 - extract(epoch from u.created_at)::bigint)::text, 11, '0')`

/** Returns the newest users that contain a text; enough if the text is common. */
export function newestUsers(text: string, scope: SearchScope, limit: number): Source {
  return sql`select u.id, null as match, 9 as rank, ${newestFirst} as sort from (
      select u.id, u.created_at, u.search_text from users u where ${isInScope(scope)}
      order by u.created_at desc, u.id limit ${mostRows}
    ) u where u.search_text like ${foldedPattern(text)} order by u.created_at desc, u.id limit ${limit}`
}

/** Returns users that contain a text, or whose domain, list, resource or folder does. */
export function usersAnywhere(text: string, parts: RareParts, scope: SearchScope, limit: number): Source[] {
  const users = sql`select u.id, null as match, 9 as rank, ${newestFirst} as sort from (
      select u.id, u.created_at from users u where ${hasPart(sql`u`, parts.users, text)} and ${isInScope(scope)}
      limit ${mostOrdered}
    ) u order by u.created_at desc, u.id limit ${limit}`
  const owners = (match: string, rank: number, name: RawBuilder<unknown>, found: RawBuilder<unknown>) =>
    sql`select u.id, ${match} as match, ${rank}::int as rank, ${name} as sort
      from (${found} limit ${mostOrdered}) o join wallets w on w.id = o.wallet_id join users u on u.id = w.user_id
      where ${isInScope(scope)} order by ${name} using ~<~, u.id limit ${limit}`
  const domains = sql`select d.wallet_id, d.namespace from domains d
    where ${hasPart(sql`d`, parts.domains, text)} and d.wallet_id is not null`
  const objects = sql`select d.wallet_id, d.email from directory_objects d
    where ${hasPart(sql`d`, parts.objects, text)}`
  return [
    // an earlier tier covers all customers of a reseller
    ...(isReseller(scope) ? [] : [users]),
    ...(isRare(parts.domains) ? [owners('domain', 10, sql`o.namespace`, domains)] : []),
    ...(isRare(parts.objects) ? [owners('object', 11, sql`o.email`, objects)] : []),
  ]
}
