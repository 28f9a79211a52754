import type { objectListQuery } from '@gatehouse/contract/directory/directory'
import type { z } from 'zod'
import type { RequestFacts } from '../platform/http/call.ts'
import type { Principal } from '../platform/http/callers/principal.ts'
import { Forbidden, message } from '../platform/http/errors.ts'
import { skusOfObject } from '../subscriptions/skus-of-object.ts'
import { actorOf } from '../users/actor.ts'
import { canDelete, canRead, isController, mayBuy } from '../users/policy.ts'
import type { DirectoryParts } from './directory-parts.ts'
import { kinds } from './kinds.ts'
import { deleteObject } from './objects/end-object.ts'
import { type DirectoryKind, ownedObject } from './objects/object.ts'
import { requireObject, requireUsable } from './objects/object-access.ts'
import type { ObjectRequest } from './objects/object-detail.ts'
import { type ListedObject, listObjects } from './objects/object-list-store.ts'
import { restoreObject } from './objects/restore-object.ts'

/** The calls that are the same for lists, resources and shared folders; each kind's routes name them. */
export function kindCalls(parts: DirectoryParts, kind: DirectoryKind) {
  const { db, config } = parts
  const retention = config.RETENTION_DAYS

  return {
    /** One page of the objects that the caller owns or controls, each row as `present` makes it. */
    async list<Item>(
      request: {
        readonly principal: Principal
        readonly query: z.output<typeof objectListQuery> & { readonly sort?: string | null }
        readonly t: RequestFacts['t']
      },
      present: (row: ListedObject, withLdap: boolean) => Item,
    ) {
      const withLdap = config.APP_LDAP
      const context = { now: parts.clock.now(), withLdap, retention }
      const page = await listObjects(db, kind, request.principal.userId, request.query, context)
      return {
        list: page.rows.map((row) => present(row, withLdap)),
        count: page.rows.length,
        hasMore: page.hasMore,
        total: page.total,
        message: request.t(kinds[kind].found, { x: page.total }),
      }
    },

    async remove(request: ObjectRequest & Pick<RequestFacts, 'ip'>): Promise<void> {
      const { principal, params } = request
      const object = await requireObject(parts, principal, { kind, id: params.id }, canDelete)
      await deleteObject(parts, object, actorOf(principal, request))
    },

    async restore(request: ObjectRequest & Pick<RequestFacts, 'ip'>): Promise<void> {
      const { principal, params } = request
      const wanted = { kind, id: params.id, isDeleted: true }
      const object = await requireObject(parts, principal, wanted, canDelete)
      await requireUsable(parts, principal, kind, request)
      if (!mayBuy(object.ownerStatus)) throw new Forbidden(message('directory.degraded'))
      await restoreObject(parts, object, actorOf(principal, request), retention)
    },

    async skus({ principal, params, language }: ObjectRequest) {
      const object = await requireObject(parts, principal, { kind, id: params.id }, canRead)
      return skusOfObject(db, {
        object: { type: kind, id: object.id },
        tenantId: object.tenantId,
        isController: isController(principal.userId, ownedObject(object)),
        language,
      })
    },
  }
}
