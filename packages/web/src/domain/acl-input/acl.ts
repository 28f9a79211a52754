import { displayAddress } from '@gatehouse/contract/canonical-address'
/** One right of an access list. */
export interface AclEntry {
  /** An address, or `anyone`. */
  who: string
  right: string
}

/** Everybody who has an account. */
export const anyone = 'anyone'

/** Reads `<who>, <right>`; without a comma all of it is who. */
export function parseAclEntry(text: string): AclEntry {
  const comma = text.lastIndexOf(',')
  if (comma < 0) return { who: text.trim(), right: '' }
  return { who: displayAddress(text.slice(0, comma).trim()), right: text.slice(comma + 1).trim() }
}

/** Writes an entry as the server takes it. */
export function formatAclEntry({ who, right }: AclEntry): string {
  return `${who.trim()}, ${right}`
}
