import { parseEmailAddress } from '../../users/addresses/email-address.ts'

/**
 * The address that somebody signs in with, as we store addresses: lower case, the domain in ASCII (RFC 5890). Undefined
 * for what can be nobody's address. Aliases are addresses too, and lead nowhere.
 */
export function readLoginName(text: string): string | undefined {
  return text.length > 512 ? undefined : parseEmailAddress(text)?.full
}

/** `domain\user`, as Windows programs write it, is `user@domain`. */
export function fromDomainUser(text: string): string {
  const [domain = '', user, ...more] = text.split('\\')
  return user === undefined || more.length > 0 ? text : `${user}@${domain}`
}
