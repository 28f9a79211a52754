import { domainStatus, hasBit, userStatus } from '@gatehouse/contract/status'
import type { Role } from '../../platform/http/callers/principal.ts'
import type { FactorStanding } from '../../sessions/standing-store.ts'

/** Somebody who signs in to mail, with all that decides about it. */
export interface MailUser extends FactorStanding {
  readonly id: number
  readonly email: string
  readonly role: Role | null
  readonly status: number
  readonly passwordHash: string | null
  readonly limitGeo: string | null
  readonly guamEnabled: string | null
  readonly hasCompanion: boolean
  /** Of the account's owner; null: there is none. */
  readonly ownerStatus: number | null
  /** Of the domain of the address; null: it is no domain of ours. */
  readonly domainStatus: number | null
  readonly isDomainDeleted: boolean
}

/** Why a user gets no mail whatever is proved; undefined: nothing speaks against it. */
export function shutOut(user: MailUser): 'suspended' | 'inactive' | 'domain' | undefined {
  if (hasBit(user.status, userStatus.suspended)) return 'suspended'
  // technical users belong to nobody's account and have no mailbox to be made
  if (user.role === 'service') return undefined
  if (!hasBit(user.status, userStatus.active)) return 'inactive'
  if (user.isDomainDeleted || hasBit(user.domainStatus ?? 0, domainStatus.suspended)) return 'domain'
  return undefined
}

/** Whether somebody's account is degraded, by a mark of his own or of its owner. */
export function isDegraded(user: MailUser): boolean {
  return hasBit(user.status | (user.ownerStatus ?? 0), userStatus.degraded)
}
