import { canonicalAddress } from '@gatehouse/contract/canonical-address'

/** What stands for a sender in greylisting: the same for all messages of one sender, though bounce addresses differ. */
export interface SenderKey {
  /** Empty for the null sender. */
  readonly local: string
  /** Empty for the null sender and texts without a domain. */
  readonly domain: string
}

/** Characters of a local part and a domain that are told apart (RFC 5321 §4.5.3.1). */
const longestLocal = 64
const longestDomain = 255

/**
 * The key of an envelope sender. In the local part, tags (`+…`), numbers and random tokens are collapsed, so that variable
 * return paths (VERP), BATV and SRS give one key for all messages of a sender.
 */
export function senderKey(sender: string): SenderKey {
  const address = canonicalAddress(sender.slice(0, 1024).replace(/^\s*<(.*)>\s*$/s, '$1'))
  const clean = address.replace(/[\p{C}\s]+/gu, '').replace(/\.$/, '')
  const at = clean.lastIndexOf('@')
  const local = at < 0 ? clean : clean.slice(0, at)
  const domain = at < 0 ? '' : clean.slice(at + 1)
  return { local: collapse(local).slice(0, longestLocal), domain: domain.slice(0, longestDomain) }
}

const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g
const batv = /^(?:prvs|msprvs1)=[^=]+=|^btv1==[^=]+==/
/** Rewritten by a forwarder: hash and day change, domain and user at the end stay. */
const srs = /^srs[01][=+-].*=([^=]+=[^=]+)$/

function collapse(local: string): string {
  const [, original] = srs.exec(local) ?? []
  const base = (original ?? local).replace(batv, '').replace(uuid, '#')
  const tag = base.indexOf('+')
  const tokens = (tag < 1 ? base : base.slice(0, tag)).split(/([-._=])/)
  const collapsed = tokens.map((token) => (isVariable(token) ? '#' : token)).join('')
  return collapsed.replace(/#(?:[-._=]#)+/g, '#')
}

/** Numbers, and what a machine makes up: hexadecimal with a digit, or long with several digits. */
function isVariable(token: string): boolean {
  if (/^\d+$/.test(token)) return true
  if (token.length >= 6 && /^[0-9a-f]+$/.test(token) && /\d/.test(token)) return true
  return token.length >= 12 && token.replace(/\D/g, '').length >= 3
}
