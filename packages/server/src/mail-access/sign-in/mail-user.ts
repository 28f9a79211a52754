import { domainStatus, hasBit, userStatus } from '@gatehouse/contract/status'
import type { Role } from '../../platform/http/callers/principal.ts'
import type { FactorStanding } from '../../sessions/standing-store.ts'

/** A user with everything that decides about their mail sign-in. */
export interface MailUser extends FactorStanding {
  readonly id: number
  readonly email: string
  readonly role: Role | null
  readonly status: number
  readonly passwordHash: string | null
  readonly limitGeo: string | null
  readonly guamEnabled: string | null
  readonly hasCompanion: boolean
  /** Status of the account's owner; null if there is none. */
  readonly ownerStatus: number | null
  /** Status of the address's domain; null if it isn't hosted here. */
  readonly domainStatus: number | null
  readonly isDomainDeleted: boolean
}

/** Returns why a user has no mail access regardless of credentials; undefined if they have. */
export function shutOut(user: MailUser): 'suspended' | 'inactive' | 'domain' | undefined {
  if (hasBit(user.status, userStatus.suspended)) return 'suspended'
  // technical users belong to no account and have no mailbox to set up
  if (user.role === 'service') return undefined
  if (!hasBit(user.status, userStatus.active)) return 'inactive'
  if (user.isDomainDeleted || hasBit(user.domainStatus ?? 0, domainStatus.suspended)) return 'domain'
  return undefined
}

/** Returns whether the account is degraded, by the user's own status or the owner's. */
export function isDegraded(user: MailUser): boolean {
  return hasBit(user.status | (user.ownerStatus ?? 0), userStatus.degraded)
}
