import { foldText } from '@gatehouse/contract/fold-text'
import { type RawBuilder, sql } from 'kysely'
import { foldedPattern } from '../platform/db/like-pattern.ts'

/** Searchable tables by their alias in a statement, with the kind of their address aliases. */
const aliasKinds = { u: 'alias', o: 'folder-alias' } as const

/**
 * Returns whether a user `u` or directory object `o` has a text in name, organisation, address or alias,
 * ignoring case and accents. Uses the folded text in the index, unless that had no room for all aliases.
 */
export function hasText(table: keyof typeof aliasKinds, text: string): RawBuilder<unknown> {
  const column = sql.raw(`${table}.search_text`)
  const pattern = foldedPattern(text)
  // this leading character marks a text with further aliases
  return sql`(${column} like ${pattern} or (starts_with(${column}, chr(1)) and exists (
    select from addresses a where a.kind = ${aliasKinds[table]} and a.object_id = ${sql.raw(`${table}.id`)}
      and a.address like ${pattern})))`
}

/**
 * Ranks a folded multi-line text against a search. 0: a name or address is equal, 1: begins with it, 2: has a
 * word that does, 3: contains it.
 */
export function nearness(column: RawBuilder<unknown>, text: string): RawBuilder<unknown> {
  const wanted = foldText(text)
  // thousands of rows may contain a letter, so only texts that begin with it are copied
  return sql`case
    when starts_with(${column}, ${wanted}) or strpos(${column}, ${`\n${wanted}`}) > 0
        or starts_with(${column}, ${`\u0001${wanted}`}) then
      case when strpos(concat(chr(10), ltrim(${column}, chr(1)), chr(10)), ${`\n${wanted}\n`}) > 0 then 0 else 1 end
    when strpos(${column}, ${` ${wanted}`}) > 0 then 2
    else 3 end`
}
