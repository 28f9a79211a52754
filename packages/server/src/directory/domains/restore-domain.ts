import { type Actor, audit } from '../../platform/audit.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { NotFound } from '../../platform/http/errors.ts'
import { provision } from '../../platform/provision/provision.ts'
import { noteStep } from '../../platform/provision/provisioning-store.ts'
import { holdWallet } from '../../subscriptions/entitlement-store.ts'
import { restoreSubscriptions } from '../../subscriptions/restore-subscriptions.ts'
import { holdUser } from '../../users/member-store.ts'
import type { RestoreOptions } from '../objects/restore-object.ts'
import type { Domain } from './domain.ts'
import type { DomainParts } from './domain-parts.ts'
import { transitionDomain } from './domain-state.ts'
import { holdDomain, writeDomain } from './domain-store.ts'

/**
 * Restores a deleted domain with its settings and subscriptions. Throws NotFound if it was restored
 * concurrently or the account is gone, and ValidationError at `skus` if a SKU is no longer on sale.
 */
export async function restoreDomain(
  parts: Pick<DomainParts, 'db' | 'clock'>,
  seen: Domain,
  by: Actor,
  comment?: string,
): Promise<void> {
  await parts.db.transaction().execute((trx) => restoreDomainIn(trx, parts.clock, seen, by, { comment }))
}

/**
 * Same as `restoreDomain`, inside the caller's transaction. Operators can also restore SKUs that are no longer
 * on sale.
 */
export async function restoreDomainIn(
  trx: Db,
  clock: Clock,
  seen: Domain,
  by: Actor,
  { isOperator = false, comment }: RestoreOptions = {},
): Promise<void> {
  const { walletId, ownerId } = seen
  if (walletId === null || ownerId === null) throw new NotFound()
  await holdWallet(trx, walletId)
  if (!(await holdUser(trx, ownerId))) throw new NotFound()
  const domain = await holdDomain(trx, seen.id)
  if (domain?.deletedAt == null || domain.walletId !== walletId) throw new NotFound()
  const object = { type: 'domain', id: domain.id } as const
  await reviveDomain(trx, { clock }, domain, by, comment)
  const { deletedAt } = domain
  await restoreSubscriptions(trx, clock, { walletId, object, deletedAt, mustBeOnSale: !isOperator })
  await provision(trx, { kind: 'domain', id: domain.id })
}

/**
 * Reactivates a deleted domain, in a transaction that holds it and its wallet. Its name was reserved here
 * while it was deleted but may have been sold elsewhere, so ownership has to be proved again. The token is
 * unchanged: if it is still published, the check that is due immediately confirms the domain.
 */
export async function reviveDomain(
  trx: Db,
  { clock }: { readonly clock: Clock },
  domain: Domain,
  actor: Actor,
  comment?: string,
): Promise<void> {
  const now = clock.now()
  await transitionDomain(trx, clock, domain.id, 'restore')
  await writeDomain(trx, domain.id, {
    deletedAt: null,
    watchedSince: now,
    nextCheckAt: now,
    missingSince: null,
    toldMissingAt: null,
  })
  await noteStep(trx, clock, { kind: 'domain', id: domain.id }, 'verified', { state: 'waiting' })
  const { tenantId, id: objectId } = domain
  const event = 'domain.restored'
  const why = comment === undefined ? {} : { comment }
  await audit(trx, clock, { tenantId, objectType: 'domain', objectId, event, actor, ...why })
}
