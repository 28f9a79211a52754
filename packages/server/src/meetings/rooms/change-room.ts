import { type Actor, audit } from '../../platform/audit.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { Conflict, message, NotFound } from '../../platform/http/errors.ts'
import { holdWallet } from '../../subscriptions/entitlement-store.ts'
import { differences, type Snapshot } from '../../users/user-snapshot.ts'
import type { Room } from './room.ts'
import { holdRoom } from './room-store.ts'

export interface RoomChangeRequest {
  readonly room: Room
  readonly actor: Actor
  readonly event: 'room.updated' | 'room.configured'
  /** The revision that the change is based on, if the client sent one. */
  readonly revision?: string | null | undefined
  readonly revisionOf?: (room: Room) => string
  /** State that the audit log compares; never contains secrets. */
  readonly snapshot: (trx: Db, room: Room) => Promise<Snapshot>
  /** Writes the change, given the room's current state. Returns additional data for the audit log. */
  readonly apply: (trx: Db, now: Room) => Promise<Readonly<Record<string, unknown>> | undefined>
}

/**
 * Changes a room in one transaction that locks the room and its account. Returns the updated room. Throws
 * Conflict if the change is based on a stale revision and NotFound if the room has been deleted.
 */
export function changeRoom(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  request: RoomChangeRequest,
): Promise<Room> {
  const { id, tenantId, walletId } = request.room
  return db.transaction().execute(async (trx) => {
    await holdWallet(trx, walletId)
    const before = await living(trx, id)
    if (request.revision != null && request.revision !== request.revisionOf?.(before)) {
      throw new Conflict(message('directory.changed-meanwhile'))
    }
    const was = await request.snapshot(trx, before)
    const more = await request.apply(trx, before)
    const after = await living(trx, id)
    const data = differences(was, await request.snapshot(trx, after))
    if (data === undefined && more === undefined) return after
    await audit(trx, clock, {
      tenantId,
      objectType: 'room',
      objectId: id,
      event: request.event,
      actor: request.actor,
      data: { ...data, ...more },
    })
    return after
  })
}

async function living(trx: Db, id: number): Promise<Room> {
  const room = await holdRoom(trx, id)
  if (room === undefined || room.deletedAt !== null) throw new NotFound()
  return room
}
