import { displayAddress } from '@gatehouse/contract/canonical-address'
/** One right of an access list. */
export interface AclEntry {
  /** An address, or `anyone`. */
  who: string
  right: string
}

/** Everyone who has an account. */
export const anyone = 'anyone'

/** Parses `<who>, <right>`; without a comma everything is who. */
export function parseAclEntry(text: string): AclEntry {
  const comma = text.lastIndexOf(',')
  if (comma < 0) return { who: text.trim(), right: '' }
  return { who: displayAddress(text.slice(0, comma).trim()), right: text.slice(comma + 1).trim() }
}

/** Formats an entry for the server. */
export function formatAclEntry({ who, right }: AclEntry): string {
  return `${who.trim()}, ${right}`
}
