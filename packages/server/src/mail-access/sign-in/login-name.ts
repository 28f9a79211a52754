import { parseEmailAddress } from '../../users/addresses/email-address.ts'

/**
 * Normalises a login to a stored address: lower case, domain in ASCII (RFC 5890). Undefined if it can't be an
 * address. Aliases are addresses too but can't be used to sign in.
 */
export function readLoginName(text: string): string | undefined {
  return text.length > 512 ? undefined : parseEmailAddress(text)?.full
}

/** Converts `domain\user`, as used by Windows clients, to `user@domain`. */
export function fromDomainUser(text: string): string {
  const [domain = '', user, ...more] = text.split('\\')
  return user === undefined || more.length > 0 ? text : `${user}@${domain}`
}
