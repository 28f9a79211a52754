import { type Actor, audit } from '../../platform/audit.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { HttpError, message, NotFound } from '../../platform/http/errors.ts'
import { provision } from '../../platform/provision/provision.ts'
import { removeSubscriptions } from '../../subscriptions/change-subscriptions.ts'
import { holdWallet } from '../../subscriptions/entitlement-store.ts'
import { markDomainDeleted } from '../../users/addresses/domain-store.ts'
import { type Domain, isPublicDomain } from './domain.ts'
import type { DomainParts } from './domain-parts.ts'
import { holdDomain, isEmptyDomain } from './domain-store.ts'

/** The domain still has addresses (422 without field errors; reference api-objects §8.3). */
export class DomainNotEmpty extends HttpError {
  constructor() {
    super(422, message('domains.notempty-error'))
  }
}

/**
 * Soft-deletes a domain. Its name stays taken until it is released, and the account may restore it until then.
 * `claimAddress` locks the domain too, so a concurrent claim either finds the domain deleted or its address is
 * found here. `comment`: reason for the audit log. Throws DomainNotEmpty, or NotFound if it was deleted
 * concurrently.
 */
export async function deleteDomain(
  parts: Pick<DomainParts, 'db' | 'clock'>,
  seen: Domain,
  by: Actor,
  comment?: string,
): Promise<void> {
  await parts.db.transaction().execute((trx) => deleteDomainIn(trx, parts.clock, seen, by, comment))
}

/** Same as `deleteDomain`, inside the caller's transaction. */
export async function deleteDomainIn(
  trx: Db,
  clock: Clock,
  seen: Domain,
  by: Actor,
  comment?: string,
): Promise<void> {
  const { walletId } = seen
  if (isPublicDomain(seen) || walletId === null) throw new DomainNotEmpty()
  await holdWallet(trx, walletId)
  const domain = await holdDomain(trx, seen.id)
  if (domain === undefined || domain.deletedAt !== null || domain.walletId !== walletId) throw new NotFound()
  if (!(await isEmptyDomain(trx, domain.namespace))) throw new DomainNotEmpty()
  await markDomainDeleted(trx, clock, domain.id)
  await removeSubscriptions(trx, clock, { walletId, object: { type: 'domain', id: domain.id } })
  await audit(trx, clock, {
    tenantId: domain.tenantId,
    objectType: 'domain',
    objectId: domain.id,
    event: 'domain.deleted',
    actor: by,
    ...(comment !== undefined && { comment }),
    data: { before: { namespace: domain.namespace } },
  })
  await provision(trx, { kind: 'domain', id: domain.id })
}
