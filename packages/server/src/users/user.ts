import type { UserFlags } from '@gatehouse/contract/directory/users'
import { hasBit, userStatus } from '@gatehouse/contract/status'
import type { Role } from '../platform/http/callers/principal.ts'

/** A user as policies see it. */
export interface User {
  readonly id: number
  readonly tenantId: number
  readonly email: string
  readonly role: Role | null
  readonly status: number
  readonly language: string | null
  /** The wallet of the user's account. */
  readonly walletId: string | null
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly deletedAt: Date | null
}

/** Returns first and last name for e-mails and lists; empty without a name. */
export function fullName(person: {
  readonly firstName?: string | null | undefined
  readonly lastName?: string | null | undefined
}): string {
  return `${person.firstName ?? ''} ${person.lastName ?? ''}`.trim()
}

/** Returns a user's state flags; reference "Status bits". `ownerDegraded` is that of the account's owner. */
export function userFlags(
  user: Pick<User, 'status' | 'deletedAt'>,
  ownerDegraded: boolean,
  withLdap: boolean,
): UserFlags {
  const has = (bit: number) => hasBit(user.status, bit)
  const isDegraded = has(userStatus.degraded)
  const ldapReady = has(userStatus.ldapReady)
  return {
    isActive: has(userStatus.active),
    isSuspended: has(userStatus.suspended),
    isDeleted: has(userStatus.deleted) || user.deletedAt !== null,
    isImapReady: has(userStatus.imapReady),
    ...(withLdap && { isLdapReady: ldapReady }),
    isDegraded,
    isRestricted: has(userStatus.restricted),
    isReady: has(userStatus.active) && has(userStatus.imapReady) && (!withLdap || ldapReady),
    isAccountDegraded: isDegraded || ownerDegraded,
  }
}
