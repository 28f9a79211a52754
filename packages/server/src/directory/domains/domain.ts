import type { DomainFlags } from '@gatehouse/contract/directory/domains'
import { domainStatus, domainType, hasBit } from '@gatehouse/contract/status'
import type { DnsFound } from '../../platform/db/schema.ts'
import type { OwnedObject } from '../../users/policy.ts'

/** A domain as used by the policies. */
export interface Domain {
  readonly id: number
  readonly tenantId: number
  /** In ASCII, lower case. */
  readonly namespace: string
  /** In its original script. */
  readonly displayName: string
  readonly status: number
  readonly type: number
  readonly walletId: string | null
  /** Owner of the wallet and its other controllers. */
  readonly ownerId: number | null
  /** Status bits of that owner. */
  readonly ownerStatus: number | null
  readonly controllerIds: readonly number[]
  /** Token that the owner publishes to prove ownership. */
  readonly token: string
  readonly spfWhitelist: readonly string[]
  readonly dnsFound: DnsFound
  readonly dnsCheckedAt: Date | null
  readonly nextCheckAt: Date | null
  readonly watchedSince: Date | null
  readonly missingSince: Date | null
  readonly toldMissingAt: Date | null
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly deletedAt: Date | null
}

export function isPublicDomain(domain: Pick<Domain, 'type'>): boolean {
  return hasBit(domain.type, domainType.public)
}

export function isConfirmed(domain: Pick<Domain, 'status'>): boolean {
  return hasBit(domain.status, domainStatus.confirmed)
}

/** Returns the properties of a domain that the policies need. */
export function ownedDomain(domain: Domain): OwnedObject {
  return { tenantId: domain.tenantId, ownerId: domain.ownerId, controllerIds: domain.controllerIds }
}

/** Returns the state flags of a domain; reference "Status bits". */
export function domainFlags(
  domain: { readonly status: number; readonly deletedAt: Date | null },
  withLdap: boolean,
): DomainFlags {
  const has = (bit: number) => hasBit(domain.status, bit)
  return {
    isActive: has(domainStatus.active),
    isSuspended: has(domainStatus.suspended),
    isDeleted: has(domainStatus.deleted) || domain.deletedAt !== null,
    isConfirmed: has(domainStatus.confirmed),
    isVerified: has(domainStatus.verified),
    ...(withLdap && { isLdapReady: has(domainStatus.ldapReady) }),
    isReady: has(readyBits(withLdap)),
  }
}

/** Returns the status bits of a domain whose set-up is complete. */
export function readyBits(withLdap: boolean): number {
  const { active, confirmed, verified, ldapReady } = domainStatus
  return active | confirmed | verified | (withLdap ? ldapReady : 0)
}
