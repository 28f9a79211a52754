import { domainToASCII } from 'node:url'
import { parseEmailAddress } from '../accounts/email-address.ts'

/**
 * The address that somebody signs in with, as we store addresses: lower case, the domain in ASCII (RFC 5890). Undefined
 * for what can be nobody's address. Aliases are addresses too, and lead nowhere.
 */
export function readLoginName(text: string): string | undefined {
  const at = text.lastIndexOf('@')
  if (at < 0 || text.length > 512) return undefined
  const domain = domainToASCII(text.slice(at + 1).normalize('NFC'))
  return parseEmailAddress(`${text.slice(0, at)}@${domain}`)?.full
}

/** `domain\user`, as Windows programs write it, is `user@domain`. */
export function fromDomainUser(text: string): string {
  const [domain = '', user, ...more] = text.split('\\')
  return user === undefined || more.length > 0 ? text : `${user}@${domain}`
}
