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
 * Brings a deleted domain back with its settings and what it was billed for. Throws NotFound when somebody was
 * faster, or the account is gone; ValidationError at `skus` for what is not on sale any more.
 */
export async function restoreDomain(
  parts: Pick<DomainParts, 'db' | 'clock'>,
  seen: Domain,
  by: Actor,
  comment?: string,
): Promise<void> {
  await parts.db.transaction().execute((trx) => restoreDomainIn(trx, parts.clock, seen, by, { comment }))
}

/** The same in a transaction; an operator brings back also what is not on sale any more. */
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
 * Makes a deleted domain a living one, in a transaction that holds it and its wallet. While it was deleted its name
 * was kept from everybody else here, but it may have been sold outside: so its ownership counts as proved no
 * longer. The proof is the old one; whoever still publishes it is confirmed by the look that is due at once.
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
