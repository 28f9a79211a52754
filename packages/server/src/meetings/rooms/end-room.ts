import { type Actor, audit } from '../../platform/audit.ts'
import { after, type Clock, day } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { NotFound } from '../../platform/http/errors.ts'
import type { Purgeable } from '../../platform/purge.ts'
import { removeSubscriptions } from '../../subscriptions/change-subscriptions.ts'
import { holdWallet } from '../../subscriptions/entitlement-store.ts'
import { restoreSubscriptions } from '../../subscriptions/restore-subscriptions.ts'
import { holdUser } from '../../users/member-store.ts'
import type { Room } from './room.ts'
import { holdRoom, removeRooms, roomsOfOwner, writeRoom } from './room-store.ts'

interface Parts {
  readonly db: Db
  readonly clock: Clock
}

/**
 * Soft-deletes a room: billing stops, and its meeting ends (the process that holds it is notified). Its name
 * stays taken while it can be restored. Throws NotFound if it was deleted concurrently.
 */
export async function deleteRoom({ db, clock }: Parts, room: Room, by: Actor): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await holdWallet(trx, room.walletId)
    if (!(await endRoom(trx, clock, room.id, by))) throw new NotFound()
  })
}

/**
 * Ends a room with all its consequences, in a transaction that holds the wallet. Returns false if it has
 * already ended.
 */
async function endRoom(trx: Db, clock: Clock, id: number, by: Actor): Promise<boolean> {
  const room = await holdRoom(trx, id)
  if (room === undefined || room.deletedAt !== null) return false
  const { tenantId, walletId, name, description } = room
  // this order matters: whatever is removed after the deletion time is restored with the room
  await writeRoom(trx, clock, id, { deletedAt: clock.now() })
  await removeSubscriptions(trx, clock, { walletId, object: { type: 'room', id } })
  await audit(trx, clock, {
    tenantId,
    objectType: 'room',
    objectId: id,
    event: 'room.deleted',
    actor: by,
    data: { before: { name, description } },
  })
  return true
}

/**
 * Deletes a batch of an owner's rooms, in a transaction that holds the wallets. Returns false if none are
 * left.
 */
export async function endRoomsOf(
  trx: Db,
  clock: Clock,
  ownerId: number,
  limit: number,
  by: Actor,
): Promise<boolean> {
  const rooms = await roomsOfOwner(trx, ownerId, limit)
  for (const room of rooms) await endRoom(trx, clock, room.id, by)
  return rooms.length > 0
}

/** Whether SKUs that are no longer on sale are restored too, and the reason for the audit log. */
interface RestoreOptions {
  readonly retention: number
  readonly isOperator?: boolean
  readonly comment?: string | undefined
}

/**
 * Restores a deleted room with its settings, moderators and price. `retention` in days. Throws NotFound if it
 * can no longer be restored and ValidationError at `skus` for SKUs no longer on sale. Call it inside a
 * transaction.
 */
export async function restoreRoomIn(
  trx: Db,
  clock: Clock,
  room: Pick<Room, 'id' | 'walletId' | 'ownerId'>,
  by: Actor,
  { retention, isOperator = false, comment }: RestoreOptions,
): Promise<void> {
  await holdWallet(trx, room.walletId)
  if (!(await holdUser(trx, room.ownerId))) throw new NotFound()
  const now = await holdRoom(trx, room.id)
  const { deletedAt } = now ?? { deletedAt: null }
  if (now === undefined || deletedAt === null) throw new NotFound()
  if (after(deletedAt, retention * day) <= clock.now()) throw new NotFound()
  const { id, walletId, tenantId, name, description } = now
  await writeRoom(trx, clock, id, { deletedAt: null })
  const object = { type: 'room', id } as const
  await restoreSubscriptions(trx, clock, { walletId, object, deletedAt, mustBeOnSale: !isOperator })
  await audit(trx, clock, {
    tenantId,
    objectType: 'room',
    objectId: id,
    event: 'room.restored',
    actor: by,
    ...(comment !== undefined && { comment }),
    data: { after: { name, description } },
  })
}

/** Same as `restoreRoomIn`, in its own transaction. `retention` in days. */
export async function restoreRoom(
  { db, clock }: Parts,
  room: Pick<Room, 'id' | 'walletId' | 'ownerId'>,
  by: Actor,
  retention: number,
): Promise<void> {
  await db.transaction().execute((trx) => restoreRoomIn(trx, clock, room, by, { retention }))
}

/** Rooms removed per statement. */
const batch = 500

/** Removes rooms whose retention period is over; their names become available. */
export class PurgeRooms implements Purgeable {
  readonly #db: Db
  readonly #clock: Clock
  readonly #retention: number

  /** `retention` in days. */
  constructor(db: Db, clock: Clock, retention: number) {
    this.#db = db
    this.#clock = clock
    this.#retention = retention * day
  }

  async purge(): Promise<void> {
    const before = after(this.#clock.now(), -this.#retention)
    while ((await removeRooms(this.#db, before, batch)) === batch);
  }
}
