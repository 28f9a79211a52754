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

/** Something has an address in the domain (422, without errors of fields; reference api-objects §8.3). */
export class DomainNotEmpty extends HttpError {
  constructor() {
    super(422, message('domains.notempty-error'))
  }
}

/**
 * Deletes a domain softly: its name stays taken until it is released, its account may restore it. Who takes an
 * address in it holds it as well (`claimAddress`), so either that one waits and finds the domain gone, or this
 * waits and finds the address. `comment`: why, for the record. Throws DomainNotEmpty; NotFound when somebody was faster.
 */
export async function deleteDomain(
  parts: Pick<DomainParts, 'db' | 'clock'>,
  seen: Domain,
  by: Actor,
  comment?: string,
): Promise<void> {
  await parts.db.transaction().execute((trx) => deleteDomainIn(trx, parts.clock, seen, by, comment))
}

/** The same in a transaction. */
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
