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

/** Throws Forbidden unless the user has the feature for their own files (flag `enableFiles`). */
export async function requireFiles(
  parts: Pick<AccessParts, 'views' | 'presenter'>,
  principal: Principal,
  request: Request,
): Promise<void> {
  const view = await requireOwn(parts.views, principal)
  const facts = await parts.presenter.facts(request, view.user.tenantId)
  if (!presentStatusInfo(view, facts).enableFiles) throw new Forbidden(message('files.not-offered'))
}

/** Prefix of share ids in the API. */
export const sharePrefix = 'share-'

/**
 * Returns the user's access to the active item named by a path, by its id or that of a share. Throws NotFound
 * if it does not exist, is deleted or belongs to another tenant, and Forbidden if the user has no access.
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
 * Same as `reachItem`, for a call: own items require the feature, and the rule must allow access. Throws
 * NotFound and Forbidden.
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

/** The collection that items are added to or listed from, with its owner. */
export interface Place {
  /** Null: the root. */
  readonly collection: Item | null
  readonly ownerId: number
  readonly tenantId: number
  readonly rights: Reach['rights']
  readonly by?: Reach['by']
}

/** Returns the collection with this id, or the user's root. Throws NotFound, also for a file. */
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
