import type { FolderDetail, FolderListItem } from '@gatehouse/contract/directory/folders'
import type { GroupDetail, GroupListItem } from '@gatehouse/contract/directory/groups'
import { type DirectoryKind, kinds, type PathOf } from '@gatehouse/contract/directory/kinds'
import type { ResourceDetail } from '@gatehouse/contract/directory/resources'
import type { Api } from '../platform/http/api.ts'
import type { RequestFacts } from '../platform/http/call.ts'
import { Forbidden, message } from '../platform/http/errors.ts'
import { skusOfObject } from '../subscriptions/skus-of-object.ts'
import { actorOf } from '../users/actor.ts'
import { canDelete, canRead, isController, mayBuy } from '../users/policy.ts'
import type { DirectoryParts } from './directory-parts.ts'
import { isOffered } from './kinds.ts'
import { deleteObject } from './objects/end-object.ts'
import { type DirectoryObject, objectFlags, ownedObject } from './objects/object.ts'
import { requireObject, requireUsable } from './objects/object-access.ts'
import { type ObjectRequest, objectStatus } from './objects/object-detail.ts'
import { type ListedObject, listObjects } from './objects/object-list-store.ts'
import { restoreObject } from './objects/restore-object.ts'

/** What differs between the responses of the kinds. */
interface Shown {
  group: { row: Pick<GroupListItem, 'members'>; detail: GroupDetail }
  resource: { row: object; detail: ResourceDetail }
  'shared-folder': { row: Pick<FolderListItem, 'type'>; detail: FolderDetail }
}

export interface ServedKind<K extends DirectoryKind> {
  readonly kind: K
  /** Fields of a list row specific to the kind. */
  readonly row: (object: ListedObject) => Shown[K]['row']
  /** The data of an object's own page. */
  readonly page: (
    parts: DirectoryParts,
    object: DirectoryObject,
    request: ObjectRequest,
  ) => Promise<Shown[K]['detail']>
}

type Act = 'create' | 'update' | 'delete' | 'restore' | 'setconfig'

/** Returns the response to a successful action. */
export function succeeded(kind: DirectoryKind, act: Act, { t }: Pick<RequestFacts, 't'>) {
  return { status: 'success', message: t(`directory.${kinds[kind].label}-${act}-success`) } as const
}

/**
 * Serves the routes common to lists, resources and shared folders: list, read, status, SKUs, delete and
 * restore. Routes with their own input are served by each kind.
 */
export function serveKind<K extends DirectoryKind>(
  api: Api,
  parts: DirectoryParts,
  { kind, row, page }: ServedKind<K>,
): void {
  const { config } = parts
  const path: PathOf<DirectoryKind> = kinds[kind].path
  const offer = { isOffered: isOffered(kind, config) }
  const find = ({ principal, params: { id } }: ObjectRequest) =>
    requireObject(parts, principal, { kind, id }, canRead)

  api.serve(
    `GET /api/v4/${path}`,
    async ({ principal, query, t }) => {
      const context = { now: parts.clock.now(), withLdap: config.APP_LDAP, retention: config.RETENTION_DAYS }
      const { rows, hasMore, total } = await listObjects(parts.db, kind, principal.userId, query, context)
      const list = rows.map((one) => ({
        ...one.item,
        email: one.email,
        name: one.name,
        ...row(one),
        ...objectFlags(one, config.APP_LDAP),
      }))
      const found = t(`directory.search-foundx${kinds[kind].label}s`, { x: total })
      // rows of a single kind, which the combined types can't express
      return { list: list as never[], count: list.length, hasMore, total, message: found }
    },
    offer,
  )

  api.serve(`GET /api/v4/${path}/{id}`, async (request) => page(parts, await find(request), request), offer)

  api.serve(
    `GET /api/v4/${path}/{id}/status`,
    async (request) => {
      const { object, info } = await objectStatus(parts, kind, request)
      return { ...info, ...objectFlags(object, config.APP_LDAP) }
    },
    offer,
  )

  api.serve(
    `GET /api/v4/${path}/{id}/skus`,
    async (request) => {
      const object = await find(request)
      return skusOfObject(parts.db, {
        object: { type: kind, id: object.id },
        tenantId: object.tenantId,
        isController: isController(request.principal.userId, ownedObject(object)),
        language: request.language,
      })
    },
    offer,
  )

  api.serve(
    `DELETE /api/v4/${path}/{id}`,
    async (request) => {
      await remove(parts, kind, request)
      return succeeded(kind, 'delete', request)
    },
    offer,
  )

  api.serveLate(
    `POST /api/v4/${path}/{id}/restore`,
    async (context) => {
      await restore(parts, kind, context)
      return succeeded(kind, 'restore', context)
    },
    offer,
  )
}

async function remove(parts: DirectoryParts, kind: DirectoryKind, request: ObjectRequest): Promise<void> {
  const { principal, params } = request
  const object = await requireObject(parts, principal, { kind, id: params.id }, canDelete)
  await deleteObject(parts, object, actorOf(principal, request))
}

async function restore(parts: DirectoryParts, kind: DirectoryKind, request: ObjectRequest): Promise<void> {
  const { principal, params } = request
  const wanted = { kind, id: params.id, isDeleted: true }
  const object = await requireObject(parts, principal, wanted, canDelete)
  await requireUsable(parts, principal, kind, request)
  if (!mayBuy(object.ownerStatus)) throw new Forbidden(message('directory.degraded'))
  await restoreObject(parts, object, actorOf(principal, request), parts.config.RETENTION_DAYS)
}
