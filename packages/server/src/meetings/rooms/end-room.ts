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
 * Deletes a room softly: it is billed no more, a meeting in it ends (the process that holds it hears of the change).
 * Its name stays taken until it cannot be restored any more. Throws NotFound when somebody was faster.
 */
export async function deleteRoom({ db, clock }: Parts, room: Room, by: Actor): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await holdWallet(trx, room.walletId)
    if (!(await endRoom(trx, clock, room.id, by))) throw new NotFound()
  })
}

/** Everything that the end of a room means, in a transaction that holds the wallet; false: it is over already. */
async function endRoom(trx: Db, clock: Clock, id: number, by: Actor): Promise<boolean> {
  const room = await holdRoom(trx, id)
  if (room === undefined || room.deletedAt !== null) return false
  const { tenantId, walletId, name, description } = room
  // in this order: what is removed from the moment of the deletion on comes back with the room
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

/** Deletes some rooms of an owner, in a transaction that holds the wallets. Returns false when none is left. */
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

/** Whether what is not on sale any more comes back as well, and why it is done, for the record. */
interface RestoreOptions {
  readonly retention: number
  readonly isOperator?: boolean
  readonly comment?: string | undefined
}

/**
 * Brings a deleted room back, with its settings, moderators and price. `retention` in days. Throws NotFound when it
 * cannot be any more, ValidationError at `skus` for what is not on sale. Call it inside a transaction.
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

/** The same in a transaction of its own. `retention` in days. */
export async function restoreRoom(
  { db, clock }: Parts,
  room: Pick<Room, 'id' | 'walletId' | 'ownerId'>,
  by: Actor,
  retention: number,
): Promise<void> {
  await db.transaction().execute((trx) => restoreRoomIn(trx, clock, room, by, { retention }))
}

/** Rooms that one statement removes. */
const batch = 500

/** Removes rooms that nobody can restore any more; their names are free then. */
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
