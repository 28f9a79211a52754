import { canonicalAddress } from '@gatehouse/contract/canonical-address'

const maximumAddresses = 1000

/**
 * Canonical addresses in a From, Sender or To field (RFC 5322 §3.4): display names, comments and groups are left out.
 * Texts that aren't an address are left out too. Never throws.
 */
export function mailboxAddresses(value: string): string[] {
  const addresses: string[] = []
  for (const entry of splitEntries(value)) {
    const angle = /<([^<>]*)>\s*$/.exec(entry)
    // a route such as <@relay.test:jane@acme.test> is obsolete; the address is what follows it
    const address = canonicalAddress((angle?.[1] ?? entry).replace(/^@[^:]*:/, ''))
    if (/^[^\s@]+@[^\s@]+$/.test(address) || /^"[^\r\n]*"@[^\s@"]+$/.test(address)) addresses.push(address)
    if (addresses.length >= maximumAddresses) break
  }
  return addresses
}

/** The one address of a From field; null when there is none or several, or several fields. */
export function soleAuthor(values: readonly string[]): string | null {
  const [value, ...others] = values
  if (value === undefined || others.length > 0) return null
  const [address, ...more] = mailboxAddresses(value)
  return more.length > 0 ? null : (address ?? null)
}

function* splitEntries(value: string): Generator<string> {
  let entry = ''
  let [comments, isQuoted, isAngle] = [0, false, false]
  for (let at = 0; at < value.length; at++) {
    const character = value.charAt(at)
    if (character === '\\' && (isQuoted || comments > 0)) {
      if (comments === 0) entry += character + value.charAt(at + 1)
      at++
    } else if (character === '"' && comments === 0) {
      isQuoted = !isQuoted
      entry += character
    } else if (isQuoted) entry += character
    else if (character === '(') comments++
    else if (character === ')' && comments > 0) comments--
    else if (comments > 0) continue
    else if ((character === ',' || character === ';' || character === ':') && !isAngle) {
      // what stands before a colon is the name of a group
      if (character !== ':') yield entry.trim()
      entry = ''
    } else {
      if (character === '<') isAngle = true
      if (character === '>') isAngle = false
      entry += character
    }
  }
  yield entry.trim()
}
