import type { Actor } from '../../../platform/audit.ts'
import type { Db } from '../../../platform/db/database.ts'
import { provision } from '../../../platform/provision/provision.ts'
import type { Limit } from '../../../platform/throttle/limits.ts'
import type { Throttle } from '../../../platform/throttle/throttle.ts'
import { type Domain, domainFlags, isConfirmed, isPublicDomain } from '../domain.ts'
import type { DomainChecks } from '../domain-parts.ts'
import { readDomain } from '../domain-store.ts'
import { checkExistence, checkOwnership, watchAgain } from './check-domain.ts'

/**
 * Limit for checks on request, because they query third-party name servers. Generous for people, tight for
 * scripts.
 */
const looks: Limit = { free: 10, firstWait: 5, longestWait: 60 }

/** Counts a requested check. Throws TooManyRequests. */
export function spendLook(throttle: Throttle, domain: Pick<Domain, 'id'>): Promise<void> {
  return throttle.spend({ kind: 'domain-look', account: domain.id, limits: { account: looks } })
}

/**
 * Advances the set-up steps that depend on the DNS as far as possible; reference api-objects §4. Returns the
 * updated domain. Throws TooManyRequests.
 */
export async function refreshDomain(
  parts: DomainChecks & { readonly throttle: Throttle },
  domain: Domain,
  by: Actor,
): Promise<Domain> {
  const { isVerified, isConfirmed: isDone } = domainFlags(domain, false)
  if ((isVerified && isDone) || isPublicDomain(domain)) return domain
  await spendLook(parts.throttle, domain)
  const existing = await checkExistence(parts, domain)
  if (!domainFlags(existing, false).isVerified) return existing
  const now = await checkOwnership(parts, existing, by)
  if (!isConfirmed(now)) await watchAgain(parts, now)
  return now
}

/**
 * Checks the DNS if the next open step of an object depends on its domain. Returns true if the domain may have
 * changed. Throws TooManyRequests.
 */
export async function refreshDomainStep(
  parts: DomainChecks & { readonly throttle: Throttle },
  step: string | undefined,
  domainId: number | undefined,
  by: Actor,
): Promise<boolean> {
  const isOfDns = step === 'domain-verified' || step === 'domain-confirmed'
  const domain = isOfDns && domainId !== undefined ? await readDomain(parts.db, domainId) : undefined
  if (domain === undefined || domain.deletedAt !== null) return false
  await refreshDomain(parts, domain, by)
  return true
}

/** Provisions a domain in the back end again. */
export function provisionAgain(db: Db, { id }: Pick<Domain, 'id'>): Promise<void> {
  return db.transaction().execute((trx) => provision(trx, { kind: 'domain', id }))
}
