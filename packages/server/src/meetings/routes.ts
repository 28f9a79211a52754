import type { Api } from '../platform/http/api.ts'
import { Forbidden, message } from '../platform/http/errors.ts'
import { skusOfObject } from '../subscriptions/skus-of-object.ts'
import { actorOf } from '../users/actor.ts'
import { mayBuy } from '../users/policy.ts'
import { askAtDoor, type DoorParts } from './door/door.ts'
import { mayDelete, mayRead } from './policy.ts'
import { configureRoom } from './rooms/configure-room.ts'
import { createRoom, giveFirstRoom } from './rooms/create-room.ts'
import { deleteRoom, restoreRoom } from './rooms/end-room.ts'
import { presentRoom } from './rooms/present-room.ts'
import { requireRoom } from './rooms/room-access.ts'
import { listRooms } from './rooms/room-list-store.ts'
import { updateRoom } from './rooms/update-room.ts'

/** Routes for managing meeting rooms; reference api-meet §1.2. */
export function serveRooms(api: Api, parts: DoorParts): void {
  const { db, clock, config } = parts
  const offer = { isOffered: config.APP_WITH_MEET }
  const retention = config.RETENTION_DAYS

  api.serve(
    'GET /api/v4/rooms',
    async ({ principal, query, ...request }) => {
      await giveFirstRoom(parts, principal, request)
      const page = await listRooms(db, principal, query, { now: clock.now(), retention })
      const text = request.t('rooms.search-found', { x: page.total })
      return { ...page, count: page.list.length, message: text }
    },
    offer,
  )

  api.serve(
    'GET /api/v4/rooms/{id}',
    async ({ principal, params, ...request }) => {
      const room = await requireRoom(db, principal, params.id, mayRead)
      return presentRoom(parts, room, principal, request)
    },
    offer,
  )

  api.serveLate(
    'POST /api/v4/rooms',
    async (context) => {
      const made = await createRoom(parts, context)
      return { status: 'success', message: context.t('rooms.room-create-success'), ...made }
    },
    offer,
  )

  api.serveLate(
    'PUT /api/v4/rooms/{id}',
    async (context) => {
      const revision = await updateRoom(parts, context)
      return { status: 'success', message: context.t('rooms.room-update-success'), revision }
    },
    offer,
  )

  api.serve(
    'DELETE /api/v4/rooms/{id}',
    async ({ principal, params, ...request }) => {
      const room = await requireRoom(db, principal, params.id, mayDelete)
      await deleteRoom(parts, room, actorOf(principal, request))
      return { status: 'success', message: request.t('rooms.room-delete-success') }
    },
    offer,
  )

  api.serve(
    'POST /api/v4/rooms/{id}/restore',
    async ({ principal, params, ...request }) => {
      const room = await requireRoom(db, principal, params.id, mayDelete, { isDeleted: true })
      if (!mayBuy(room.ownerStatus)) throw new Forbidden(message('rooms.degraded'))
      const by = actorOf(principal, request)
      await restoreRoom(parts, room, by, retention)
      return { status: 'success', message: request.t('rooms.room-restore-success') }
    },
    offer,
  )

  api.serveLate(
    'POST /api/v4/rooms/{id}/config',
    async (context) => {
      await configureRoom(parts, context)
      return { status: 'success', message: context.t('rooms.room-setconfig-success') }
    },
    offer,
  )

  api.serve(
    'GET /api/v4/rooms/{id}/skus',
    async ({ principal, params, language }) => {
      const room = await requireRoom(db, principal, params.id, mayDelete)
      const object = { type: 'room', id: room.id } as const
      return skusOfObject(db, { object, tenantId: room.tenantId, isController: true, language })
    },
    offer,
  )

  api.serve(
    'POST /api/v4/meet/rooms/{name}',
    ({ principal, params, body, ip }) => askAtDoor(parts, params.name, { principal, ip, input: body }),
    offer,
  )
}
