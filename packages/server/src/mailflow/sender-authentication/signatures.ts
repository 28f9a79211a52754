import { asciiDomain } from '@gatehouse/contract/canonical-address'
import type { HeaderField } from './message-header.ts'
import type { DkimResult } from './sender-results.ts'

/** A DKIM signature that is worth checking. */
export interface Signature {
  readonly field: HeaderField
  readonly domain: string
  readonly selector: string
}

export interface SortedSignatures {
  /** In the order of the header, as the library returns their results. */
  readonly checked: readonly Signature[]
  /** Names of their keys in the DNS, those of the author's domains first. */
  readonly keyNames: readonly string[]
  /** Those that can't pass, with the reason. */
  readonly refused: readonly DkimResult[]
}

/** Real messages have one to four signatures. Each costs a look-up, and two passes over the body at most. */
const mostSignatures = 8
/** Bytes that are hashed for one message, however many signatures it has. */
const mostHashed = 64 * 1024 * 1024
const longestField = 4096
const mostSignedFields = 200

const longestLine = 512 * 1024
/** Lines with tabs, repeated blanks, or blanks at the end. */
const mostIrregularities = 200_000

/**
 * Whether the library can hash a body in a few seconds. Its time grows with the square of a line's length, and it handles
 * irregular lines one by one; 20 MB of either take it 10 to 20 seconds.
 */
export function isHashable(body: Buffer): boolean {
  for (let at = 0; at + longestLine <= body.length; at += longestLine) {
    if (!body.subarray(at, at + longestLine).includes(0x0a)) return false
  }
  let count = 0
  for (const irregularity of ['\t', '  ', ' \r\n']) {
    for (
      let at = body.indexOf(irregularity);
      at >= 0;
      at = body.indexOf(irregularity, at + irregularity.length)
    ) {
      if (++count > mostIrregularities) return false
    }
  }
  return true
}

/**
 * Chooses the signatures that are checked, those of the author's domains first. The library accepts signatures that don't
 * cover From, only cover the start of the body, or use SHA-1; these prove nothing (RFC 6376 §5.4, §8.2; RFC 8301 §3.1).
 */
export function sortSignatures(
  fields: readonly HeaderField[],
  bodyLength: number,
  isFromAuthor: (domain: string) => boolean,
): SortedSignatures {
  const refused: DkimResult[] = []
  const sound: Signature[] = []
  for (const field of fields.filter(({ name }) => name === 'dkim-signature')) {
    const tags = readTags(field)
    const domain = asciiDomain(tags.get('d') ?? '')
    const selector = tags.get('s')?.toLowerCase()
    if (domain === undefined || selector === undefined || !/^[\w.-]{1,200}$/.test(selector)) continue
    const note = weakness(field, tags, domain)
    if (note === undefined) sound.push({ field, domain, selector })
    else if (refused.length < mostSignatures) refused.push({ result: 'policy', domain, selector, note })
  }
  const most = Math.max(2, Math.min(mostSignatures, Math.floor(mostHashed / Math.max(1, bodyLength))))
  const preferred = sound.toSorted((one, other) => rank(one) - rank(other)).slice(0, most)
  const keyNames = preferred.map(({ domain, selector }) => `${selector}._domainkey.${domain}`)
  return { checked: sound.filter((one) => preferred.includes(one)), keyNames, refused }

  function rank({ domain }: Signature): number {
    return isFromAuthor(domain) ? 0 : 1
  }
}

function weakness(field: HeaderField, tags: ReadonlyMap<string, string>, domain: string): string | undefined {
  if (field.line.length > longestField) return 'signature too long'
  if (tags.get('v') !== '1') return 'unknown version'
  if (!/^(rsa|ed25519)-sha256$/i.test(tags.get('a') ?? '')) return 'algorithm not allowed'
  const signed = (tags.get('h') ?? '').toLowerCase().split(':')
  if (!signed.includes('from') || signed.length > mostSignedFields) return 'From not signed'
  if (tags.has('l')) return 'only part of the body signed'
  const identity = (tags.get('i') ?? `@${domain}`).replace(/^.*@/s, '')
  const isWithin = `.${asciiDomain(identity) ?? ''}`.endsWith(`.${domain}`)
  return isWithin ? undefined : 'identity outside of the domain'
}

/** Tags of a signature, without white space; the first of a name counts (RFC 6376 §3.2). */
export function readTags({ line }: HeaderField): Map<string, string> {
  const tags = new Map<string, string>()
  for (const tag of line.slice(line.indexOf(':') + 1, line.indexOf(':') + 1 + longestField).split(';')) {
    const equals = tag.indexOf('=')
    const name = tag.slice(0, Math.max(0, equals)).trim()
    if (/^[a-zA-Z]\w{0,20}$/.test(name) && !tags.has(name)) {
      tags.set(name, tag.slice(equals + 1).replace(/\s/g, ''))
    }
  }
  return tags
}
