import type { roomRoutes } from '@gatehouse/contract/meetings/rooms'
import type { Db } from '../../platform/db/database.ts'
import type { LateContext } from '../../platform/http/call.ts'
import { Forbidden } from '../../platform/http/errors.ts'
import { unless } from '../../platform/http/validation.ts'
import { revisionOf } from '../../platform/revision.ts'
import { changeSubscriptions, subscriptionErrors } from '../../subscriptions/change-subscriptions.ts'
import { readUnits } from '../../subscriptions/entitlement-store.ts'
import { subscriptionRights } from '../../subscriptions/policy.ts'
import { readSkusById } from '../../subscriptions/sku-store.ts'
import { actorOf } from '../../users/actor.ts'
import { controlsRoom, mayChange } from '../policy.ts'
import { changeRoom } from './change-room.ts'
import { requireSubscription } from './create-room.ts'
import { ownedRoom, type Room } from './room.ts'
import { requireRoom } from './room-access.ts'
import type { RoomParts } from './room-parts.ts'
import { readRoom, removeModerators, writeRoom } from './room-store.ts'

type Context = LateContext<(typeof roomRoutes)['PUT /api/v4/rooms/{id}']>

/**
 * Changes description and subscriptions of a room; reference api-meet §1.2. Absent keys are unchanged.
 * Subscriptions cost money, so only controllers of the account can change them. Returns the new revision.
 */
export async function updateRoom(parts: RoomParts, context: Context): Promise<string> {
  const { principal, params } = context
  const room = await requireRoom(parts.db, principal, params.id, mayChange)
  const { body, found: request } = await context.read(async ({ skus }, refused) => {
    const isSent = skus != null || refused.has('skus')
    if (isSent && !controlsRoom(principal, room)) throw new Forbidden()
    const wanted = skus == null ? undefined : subscriptionRequest(parts, context, room, skus)
    const problem = wanted && (await subscriptionErrors(parts.db, wanted))
    return unless(problem === undefined ? {} : { skus: problem }, wanted)
  })
  const after = await changeRoom(parts, {
    room,
    actor: actorOf(principal, context),
    event: 'room.updated',
    revision: body.revision,
    revisionOf: roomRevision,
    snapshot: snapshotRoom,
    apply: async (trx) => {
      if (body.description !== undefined) {
        await writeRoom(trx, parts.clock, room.id, { description: body.description })
      }
      if (request !== undefined) {
        await changeSubscriptions(trx, parts.clock, { ...request, walletId: room.walletId })
        await requireSubscription(trx, room.id)
        await endSharesOfOwnRooms(trx, room.id)
      }
      return undefined
    },
  })
  return roomRevision(after)
}

function subscriptionRequest(
  { config }: RoomParts,
  { principal, language }: Context,
  room: Room,
  wanted: Readonly<Record<string, unknown>>,
) {
  return {
    object: { type: 'room', id: room.id } as const,
    tenantId: room.tenantId,
    wanted,
    actor: subscriptionRights(principal, ownedRoom(room), room.ownerStatus),
    language,
    isOffered: config.APP_WITH_SUBSCRIPTIONS,
  }
}

/** Ends all shares of a room that is no longer shareable. */
async function endSharesOfOwnRooms(trx: Db, roomId: number): Promise<void> {
  const room = await readRoom(trx, roomId)
  if (room !== undefined && !room.isShareable) await removeModerators(trx, roomId)
}

/** State of a room that the audit log compares. */
export async function snapshotRoom(trx: Db, room: Room) {
  const units = await readUnits(trx, 'room', [room.id])
  const skus = await readSkusById(trx, [...new Set(units.map((unit) => unit.skuId))])
  return {
    description: room.description,
    moderators: room.moderators.map((one) => one.email),
    subscriptions: Object.fromEntries(skus.map((sku) => [sku.title, 1])),
  }
}

/** Returns the revision of the state that a room's form shows. */
export function roomRevision(room: Room): string {
  return revisionOf([room.description])
}
