import type { Db } from '../platform/db/database.ts'
import type { RequestFacts } from '../platform/http/call.ts'
import type { Person, Principal } from '../platform/http/callers/principal.ts'
import { Forbidden, message, NotFound } from '../platform/http/errors.ts'
import { isUuid } from '../platform/ids.ts'
import { requireOwn } from '../users/access.ts'
import type { AccountViews } from '../users/account-view/account-views.ts'
import { presentStatusInfo } from '../users/account-view/present.ts'
import type { UserPresenter } from '../users/account-view/presenter.ts'
import type { Item } from './items/item.ts'
import { readItem } from './items/item-store.ts'
import { type Reach, seesItem } from './policy.ts'
import { bestShare, isServing, readShareOf } from './share-store.ts'

export interface AccessParts {
  readonly db: Db
  readonly views: AccountViews
  readonly presenter: UserPresenter
}

type Request = Pick<RequestFacts, 't' | 'language'>

/** Own files are for who has the feature, as the flag `enableFiles` says. Throws Forbidden for others. */
export async function requireFiles(
  parts: Pick<AccessParts, 'views' | 'presenter'>,
  principal: Principal,
  request: Request,
): Promise<void> {
  const view = await requireOwn(parts.views, principal)
  const facts = await parts.presenter.facts(request, view.user.tenantId)
  if (!presentStatusInfo(view, facts).enableFiles) throw new Forbidden(message('files.not-offered'))
}

/** What a share is called on the wire. */
export const sharePrefix = 'share-'

/**
 * What somebody may do with the living item that a path names, by its id or by that of a share. Throws NotFound for one
 * that does not exist, is deleted or belongs to another tenant, Forbidden for one that is not the person's.
 */
export async function reachItem(db: Db, person: Person, id: string): Promise<Reach> {
  const lower = id.toLowerCase()
  if (lower.startsWith(sharePrefix)) return reachShare(db, person, lower.slice(sharePrefix.length))
  const item = isUuid(lower) ? await readItem(db, lower) : undefined
  if (item === undefined || item.deletedAt !== null || !seesItem(person, item)) throw new NotFound()
  if (item.ownerId === person.userId) return { item, rights: 'owner' }
  const share = (await isServing(db, item.ownerId)) ? await bestShare(db, person.userId, item.id) : undefined
  if (share === undefined) throw new Forbidden()
  return {
    item,
    rights: share.rights,
    by: { shareId: share.id, rootId: share.itemId, rights: share.rights },
  }
}

async function reachShare(db: Db, person: Person, shareId: string): Promise<Reach> {
  const share = isUuid(shareId) ? await readShareOf(db, shareId, person.userId) : undefined
  const item = share && (await readItem(db, share.itemId))
  if (share === undefined || item === undefined || item.deletedAt !== null || !seesItem(person, item)) {
    throw new NotFound()
  }
  if (item.ownerId === person.userId) return { item, rights: 'owner' }
  if (!share.isCallers || !(await isServing(db, item.ownerId))) throw new Forbidden()
  return { item, rights: share.rights, by: { shareId: share.id, rootId: item.id, rights: share.rights } }
}

/**
 * The same for a call: own items need the feature, and the rule has to say yes. Throws NotFound and Forbidden.
 */
export async function requireItem(
  parts: AccessParts,
  principal: Principal,
  id: string,
  request: Request,
  may: (reach: Reach) => boolean = () => true,
): Promise<Reach> {
  const reach = await reachItem(parts.db, principal, id)
  if (reach.rights === 'owner') await requireFiles(parts, principal, request)
  if (!may(reach)) throw new Forbidden()
  return reach
}

/** The collection that something is put into or listed from, and whose it is. */
export interface Place {
  /** Null: the root. */
  readonly collection: Item | null
  readonly ownerId: number
  readonly tenantId: number
  readonly rights: Reach['rights']
  readonly by?: Reach['by']
}

/** The collection of an id, or the own root. Throws NotFound also for a file. */
export async function requirePlace(
  parts: AccessParts,
  principal: Principal,
  id: string | null | undefined,
  request: Request,
): Promise<Place> {
  if (id == null) {
    await requireFiles(parts, principal, request)
    return { collection: null, ownerId: principal.userId, tenantId: principal.tenantId, rights: 'owner' }
  }
  const reach = await requireItem(parts, principal, id, request)
  const { item, rights, by } = reach
  if (item.type !== 'collection') throw new NotFound()
  return { collection: item, ownerId: item.ownerId, tenantId: item.tenantId, rights, ...(by && { by }) }
}
