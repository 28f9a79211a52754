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
  /** The state that the change starts from, if the client said so. */
  readonly revision?: string | null | undefined
  readonly revisionOf?: (room: Room) => string
  /** What the record of changes compares; never a secret. */
  readonly snapshot: (trx: Db, room: Room) => Promise<Snapshot>
  /** Writes the change, given the room as it is now; returns what else the record is to say. */
  readonly apply: (trx: Db, now: Room) => Promise<Readonly<Record<string, unknown>> | undefined>
}

/**
 * Changes a room in one transaction: nobody else changes it or its account meanwhile. Returns the room as it is then.
 * Throws Conflict when the change starts from a state that is no more, NotFound when the room is deleted by now.
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
