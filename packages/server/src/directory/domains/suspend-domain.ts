import { type Actor, audit } from '../../platform/audit.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { provision } from '../../platform/provision/provision.ts'
import type { Domain } from './domain.ts'
import { transitionDomain } from './domain-state.ts'

/**
 * Suspends or unsuspends a domain; reference api-objects §3. A suspended domain is not active: mail to it is
 * rejected, mail from it is held. Users with an address in it can still sign in. Call it inside a transaction.
 * Throws IllegalDomainTransition for a deleted domain.
 */
export async function setDomainSuspended(
  trx: Db,
  clock: Clock,
  domain: Pick<Domain, 'id' | 'tenantId'>,
  isSuspended: boolean,
  by: { readonly actor: Actor; readonly comment?: string; readonly data?: Record<string, unknown> },
): Promise<void> {
  const name = isSuspended ? 'suspend' : 'unsuspend'
  if (!(await transitionDomain(trx, clock, domain.id, name))) return
  const { tenantId, id: objectId } = domain
  await audit(trx, clock, { tenantId, objectType: 'domain', objectId, event: `domain.${name}`, ...by })
  await provision(trx, { kind: 'domain', id: domain.id })
}
