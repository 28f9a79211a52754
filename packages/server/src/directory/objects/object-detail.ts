import type { ObjectStatusInfo, objectDetail, refreshOutcome } from '@gatehouse/contract/directory/directory'
import type { z } from 'zod'
import { wireDate } from '../../platform/clock.ts'
import type { RequestFacts } from '../../platform/http/call.ts'
import type { Principal } from '../../platform/http/callers/principal.ts'
import { provision } from '../../platform/provision/provision.ts'
import { revisionOf } from '../../platform/revision.ts'
import { subscriptionsOf } from '../../subscriptions/subscriptions-of.ts'
import { type PresentFacts, presentWallet } from '../../users/account-view/present.ts'
import { nextStep } from '../../users/account-view/setup-process.ts'
import { actorOf } from '../../users/actor.ts'
import { canRead } from '../../users/policy.ts'
import type { DirectoryParts } from '../directory-parts.ts'
import { refreshDomainStep } from '../domains/dns/refresh-domain.ts'
import { objectRights } from '../policy.ts'
import { type DirectoryKind, type DirectoryObject, ownedObject } from './object.ts'
import { isUsable, requireObject } from './object-access.ts'
import { objectStatusInfo } from './object-process.ts'
import { readSetup } from './object-store.ts'

/** A request for one object of a kind. */
export interface ObjectRequest extends Pick<RequestFacts, 't' | 'language' | 'ip'> {
  readonly principal: Principal
  readonly params: { readonly id: string }
}

/** Returns the requested object with what its page shows for every kind; `shown` is what its form edits. */
export async function objectPage(
  parts: DirectoryParts,
  object: DirectoryObject,
  request: ObjectRequest,
  shown: readonly unknown[],
): Promise<z.input<typeof objectDetail>> {
  const { db, presenter, views } = parts
  const facts = await presenter.facts(request, object.tenantId)
  const owner = await views.read(object.ownerId)
  const wallet = owner?.wallets.find((one) => one.id === object.walletId)
  const usable = await isUsable(parts, request.principal, object.kind, request)
  return {
    id: object.id,
    status: object.status,
    created_at: wireDate(object.createdAt),
    updated_at: wireDate(object.updatedAt),
    deleted_at: object.deletedAt && wireDate(object.deletedAt),
    statusInfo: objectStatusInfo(object, await readSetup(db, object), facts),
    skus: (await subscriptionsOf(db, object.kind, [object.id])).get(object.id) ?? {},
    wallet: wallet === undefined ? null : presentWallet(wallet, request.principal.userId, facts),
    revision: revisionOf(shown),
    ...objectRights(request.principal, ownedObject(object), usable),
  }
}

type Outcome = { [K in keyof typeof refreshOutcome]?: z.input<(typeof refreshOutcome)[K]> }

/**
 * Returns the set-up progress of the requested object. `refresh` provisions it again or reports what else is
 * missing; reference api-objects §4.
 */
export async function objectStatus(
  parts: DirectoryParts,
  kind: DirectoryKind,
  request: ObjectRequest & { readonly query: { readonly refresh?: string | null | undefined } },
): Promise<{ object: DirectoryObject; facts: PresentFacts; info: ObjectStatusInfo & Outcome }> {
  const object = await requireObject(parts, request.principal, { kind, id: request.params.id }, canRead)
  const facts = await parts.presenter.facts(request, object.tenantId)
  let setup = await readSetup(parts.db, object)
  let info = objectStatusInfo(object, setup, facts)
  if (request.query.refresh == null) return { object, facts, info }
  const by = actorOf(request.principal, request)
  if (await refreshDomainStep(parts, nextStep(info)?.label, setup.domain?.id, by)) {
    setup = await readSetup(parts.db, object)
    info = objectStatusInfo(object, setup, facts)
  }
  const open = nextStep(info)
  if (open === undefined) {
    return { object, facts, info: { ...info, status: 'success', message: request.t('app.process-success') } }
  }
  const isOwn = !open.label.startsWith('domain-')
  const target = isOwn ? object : open.label === 'domain-ldap-ready' ? setup.domain : undefined
  if (target !== undefined) {
    await provision(parts.db, { kind: isOwn ? kind : 'domain', id: target.id })
    const outcome = { status: 'success', message: request.t('app.process-async') } as const
    return { object, facts, info: { ...info, processState: 'waiting', ...outcome } }
  }
  const message = request.t(`process-error-${open.label}` as 'process-error-user-new') // every label has a text
  return { object, facts, info: { ...info, status: 'error', message } }
}
