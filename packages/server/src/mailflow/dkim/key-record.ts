import { textStrings } from '../../platform/dns/text-record.ts'
import type { DkimKeyPair } from './key-pair.ts'

export interface KeyRecord {
  readonly name: string
  /** The value as one text. */
  readonly text: string
  /** The same in strings that a record can hold (RFC 6376 §3.6.2.2). */
  readonly strings: readonly string[]
}

/** The TXT record that publishes a key (RFC 6376 §3.6.1, RFC 8463 §4). Mail only, and no subdomains in identities. */
export function keyRecord(
  domain: string,
  selector: string,
  key: Pick<DkimKeyPair, 'algorithm' | 'publicKey'>,
): KeyRecord {
  const text = keyText(key)
  return { name: keyRecordName(domain, selector), text, strings: textStrings(text) }
}

/** The value of the TXT record that publishes a key. */
export function keyText({ algorithm, publicKey }: Pick<DkimKeyPair, 'algorithm' | 'publicKey'>): string {
  return `v=DKIM1; k=${algorithm}; s=email; t=s; p=${publicKey}`
}

export function keyRecordName(domain: string, selector: string): string {
  return `${selector}._domainkey.${domain}`
}
