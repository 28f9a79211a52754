import { type RawBuilder, sql } from 'kysely'
import { likePattern } from '../platform/db/like-pattern.ts'

const onlyAscii = /^\p{ASCII}*$/u

/**
 * Whether a column of names and addresses has a text in it, whatever its case. Addresses are stored with their domain in
 * ASCII, so a text in another script is also looked for in the names of domains as people write them.
 */
export function hasText(column: RawBuilder<unknown>, text: string): RawBuilder<unknown> {
  const found = sql`${column} like lower(${likePattern(text)})`
  if (onlyAscii.test(text)) return found
  return sql`(${found} or ${column} like any(array(${addressesIn(text.normalize('NFC').toLowerCase())})))`
}

/** Patterns of addresses whose domain has the text, or that have its local part at a domain that begins so. */
function addressesIn(text: string): RawBuilder<unknown> {
  const at = text.lastIndexOf('@')
  const local = likePattern(text.slice(0, at + 1)).slice(0, -1)
  const domain = at < 0 ? likePattern(text) : likePattern(text.slice(at + 1)).slice(1)
  return sql`select ${at < 0 ? '%@' : local} || d.namespace || '%' from domains d
    where d.display_name <> d.namespace and d.deleted_at is null and d.display_name like ${domain}`
}
