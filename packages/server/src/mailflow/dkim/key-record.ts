import type { DkimKeyPair } from './key-pair.ts'

/** Bytes of one string in a TXT record (RFC 1035 §3.3.14). */
const longestString = 255

export interface KeyRecord {
  readonly name: string
  /** The value as one text. */
  readonly text: string
  /** The same in strings that a record can hold; readers join them without blanks (RFC 6376 §3.6.2.2). */
  readonly strings: readonly string[]
}

/** The TXT record that publishes a key (RFC 6376 §3.6.1, RFC 8463 §4). Mail only, and no subdomains in identities. */
export function keyRecord(
  domain: string,
  selector: string,
  key: Pick<DkimKeyPair, 'algorithm' | 'publicKey'>,
): KeyRecord {
  const text = `v=DKIM1; k=${key.algorithm}; s=email; t=s; p=${key.publicKey}`
  return { name: keyRecordName(domain, selector), text, strings: splitText(text) }
}

export function keyRecordName(domain: string, selector: string): string {
  return `${selector}._domainkey.${domain}`
}

/** A record's strings as a zone file writes them: `"v=DKIM1; …" "…"`. */
export function zoneFileText(strings: readonly string[]): string {
  return strings.map((text) => `"${text.replace(/["\\]/g, '\\$&')}"`).join(' ')
}

/** Splits ASCII text. */
function splitText(text: string): string[] {
  const strings: string[] = []
  for (let at = 0; at < text.length; at += longestString) strings.push(text.slice(at, at + longestString))
  return strings
}
