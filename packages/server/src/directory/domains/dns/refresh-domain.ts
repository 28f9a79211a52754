import type { Actor } from '../../../platform/audit.ts'
import type { Db } from '../../../platform/db/database.ts'
import { provision } from '../../../platform/provision/provision.ts'
import type { Limit } from '../../../platform/throttle/limits.ts'
import type { Throttle } from '../../../platform/throttle/throttle.ts'
import { type Domain, domainFlags, isConfirmed, isPublicDomain } from '../domain.ts'
import type { DomainChecks } from '../domain-parts.ts'
import { readDomain } from '../domain-store.ts'
import { checkExistence, checkOwnership, watchAgain } from './check-domain.ts'

/** Looks that somebody asks for go to strangers' name servers: a person is patient, a script is not. */
const looks: Limit = { free: 10, firstWait: 5, longestWait: 60 }

/** Counts a look that somebody asks for. Throws TooManyRequests. */
export function spendLook(throttle: Throttle, domain: Pick<Domain, 'id'>): Promise<void> {
  return throttle.spend({ kind: 'domain-look', account: domain.id, limits: { account: looks } })
}

/**
 * Walks the steps of a domain's set-up that the DNS decides, as far as that goes; reference api-objects §4. Returns
 * the domain as it is then. Throws TooManyRequests.
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
 * Looks at the DNS when the next open step of an object is one that its domain decides. True: the domain may be
 * another one now. Throws TooManyRequests.
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

/** Tells the back end of a domain once more. */
export function provisionAgain(db: Db, { id }: Pick<Domain, 'id'>): Promise<void> {
  return db.transaction().execute((trx) => provision(trx, { kind: 'domain', id }))
}
