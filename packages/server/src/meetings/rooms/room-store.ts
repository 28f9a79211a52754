import { type RawBuilder, sql } from 'kysely'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { newObjectId, newUuid } from '../../platform/ids.ts'
import { type Moderator, newRoomName, type Room, roomRights } from './room.ts'

interface Row {
  id: number
  name: string
  description: string | null
  tenantId: number
  walletId: string
  password: Buffer | null
  locked: boolean
  nomedia: boolean
  isShareable: boolean
  moderators: Moderator[]
  ownerId: number
  ownerStatus: number
  isOwnerDeleted: boolean
  controllerIds: number[]
  createdAt: Date
  updatedAt: Date
  deletedAt: Date | null
  meetingId: string | null
  participants: number
}

/** A share with a deleted user of the room's own account: hidden, and restored with the user. */
const isGoneColleague = sql`exists (select from users g where g.id = p.user_id and g.deleted_at is not null
  and g.wallet_id = r.wallet_id)`

/** Selects rooms with related data by a condition on `r`. */
async function select(db: Db, condition: RawBuilder<unknown>): Promise<Room[]> {
  const { rows } =
    await sql<Row>`select r.id, r.name, r.description, r.tenant_id, r.wallet_id, r.password, r.locked,
      r.nomedia, r.created_at, r.updated_at, r.deleted_at, w.user_id as owner_id, o.status as owner_status,
      o.deleted_at is not null as is_owner_deleted,
      array(select c.user_id from wallet_controllers c where c.wallet_id = r.wallet_id) as controller_ids,
      exists (select from entitlements e join skus k on k.id = e.sku_id where e.object_type = 'room'
        and e.object_id = r.id and e.deleted_at is null and k.handler = 'GroupRoom') as is_shareable,
      (select coalesce(json_agg(json_build_object('userId', u.id, 'email', p.address, 'rights', p.rights)
          order by p.address), '[]')
        from room_permissions p
          left join users u on u.id = p.user_id and u.deleted_at is null and u.tenant_id = r.tenant_id
        where p.room_id = r.id and not ${isGoneColleague}) as moderators,
      m.id as meeting_id, ${participantsOf(sql`m.id`)} as participants
    from rooms r join wallets w on w.id = r.wallet_id join users o on o.id = w.user_id
      left join meetings m on m.room_id = r.id and m.ended_at is null
    where ${condition}`.execute(db)
  return rows.map(toRoom)
}

/** Counts the participants of a meeting. */
export function participantsOf(meeting: RawBuilder<unknown>): RawBuilder<number> {
  return sql<number>`(select count(*)::int from meeting_peers i where i.meeting_id = ${meeting}
    and i.left_at is null and i.joined_at is not null)`
}

function toRoom(row: Row): Room {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    tenantId: row.tenantId,
    walletId: row.walletId,
    password: row.password,
    locked: row.locked,
    nomedia: row.nomedia,
    isShareable: row.isShareable,
    moderators: row.moderators,
    ownerId: row.ownerId,
    ownerStatus: row.ownerStatus,
    isOwnerDeleted: row.isOwnerDeleted,
    controllerIds: row.controllerIds,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    deletedAt: row.deletedAt,
    meetingId: row.meetingId,
    participants: row.participants,
  }
}

/** Returns a room by id, deleted or not. */
export async function readRoom(db: Db, id: number): Promise<Room | undefined> {
  const [found] = await select(db, sql`r.id = ${id}`)
  return found
}

/** Returns a room by name, ignoring case, deleted or not. */
export async function findRoom(db: Db, name: string): Promise<Room | undefined> {
  const [found] = await select(db, sql`lower(r.name) = lower(${name})`)
  return found
}

/** Locks a room until the transaction ends and returns its current state. */
export async function holdRoom(trx: Db, id: number): Promise<Room | undefined> {
  const row = await trx.selectFrom('rooms').select('id').where('id', '=', id).forUpdate().executeTakeFirst()
  return row && readRoom(trx, row.id)
}

/** Returns a batch of active rooms in an owner's wallets. */
export function roomsOfOwner(db: Db, ownerId: number, limit: number): Promise<Room[]> {
  return select(
    db,
    sql`r.wallet_id in (select id from wallets where user_id = ${ownerId}) and r.deleted_at is null
      order by r.id limit ${limit}`,
  )
}

/** Returns the active rooms of a wallet, by name. */
export function roomsOfWallet(db: Db, walletId: string): Promise<Room[]> {
  return select(db, sql`r.wallet_id = ${walletId} and r.deleted_at is null order by r.name`)
}

/** Returns the ids of rooms that were deleted along with an owner's account. */
export async function roomsDeletedWith(db: Db, ownerId: number, since: Date): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select r.id from rooms r join wallets w on w.id = r.wallet_id
    where w.user_id = ${ownerId} and r.deleted_at >= ${since}::timestamptz order by r.id`.execute(db)
  return rows.map((row) => row.id)
}

/** Returns true if a wallet has or had a room. */
export async function hadRoom(db: Db, walletId: string): Promise<boolean> {
  const row = await db.selectFrom('rooms').select('id').where('walletId', '=', walletId).executeTakeFirst()
  return row !== undefined
}

export interface NewRoom {
  readonly tenantId: number
  readonly walletId: string
  readonly description: string | null
  /** Absent: generated. */
  readonly name?: string
}

/**
 * Inserts a new room. If the name is taken, a new one is generated, or undefined is returned if it was given.
 */
export async function insertRoom(
  trx: Db,
  clock: Clock,
  room: NewRoom,
): Promise<{ id: number; name: string } | undefined> {
  const now = clock.now()
  for (;;) {
    const row = await trx
      .insertInto('rooms')
      .values({
        id: newObjectId(),
        name: room.name ?? newRoomName(),
        description: room.description,
        tenantId: room.tenantId,
        walletId: room.walletId,
        password: null,
        createdAt: now,
        updatedAt: now,
        deletedAt: null,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning(['id', 'name'])
      .executeTakeFirst()
    if (row !== undefined || room.name !== undefined) return row
  }
}

/** Columns of a room that can change, apart from moderators. */
export interface RoomChange {
  readonly description?: string | null
  readonly password?: Buffer | null
  readonly locked?: boolean
  readonly nomedia?: boolean
  readonly deletedAt?: Date | null
}

/** Updates a room and its modification time. */
export async function writeRoom(trx: Db, clock: Clock, id: number, change: RoomChange): Promise<void> {
  await trx
    .updateTable('rooms')
    .set({ ...change, updatedAt: clock.now() })
    .where('id', '=', id)
    .execute()
}

/** Addresses with their users; null: unknown in the tenant. */
export type AddressHolders = ReadonlyMap<string, number | null>

/**
 * Replaces the shares of a room with full rights for these addresses. Shares with deleted users of the account
 * are kept for when the users are restored.
 */
export async function writeModerators(
  trx: Db,
  clock: Clock,
  roomId: number,
  holders: AddressHolders,
): Promise<void> {
  await sql`delete from room_permissions p using rooms r where r.id = p.room_id and p.room_id = ${roomId}
    and p.address <> all(${[...holders.keys()]}::text[]) and not ${isGoneColleague}`.execute(trx)
  if (holders.size === 0) return
  await trx
    .insertInto('roomPermissions')
    .values(
      [...holders].map(([address, userId]) => ({
        id: newUuid(),
        roomId,
        address,
        userId,
        rights: roomRights.full,
        createdAt: clock.now(),
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['roomId', 'address']).doUpdateSet({
        rights: roomRights.full,
        // a deleted user keeps the share unless another user has the address now
        userId: sql`coalesce(excluded.user_id, room_permissions.user_id)`,
      }),
    )
    .execute()
}

/** Deletes all shares of a room. */
export async function removeModerators(trx: Db, roomId: number): Promise<void> {
  await trx.deleteFrom('roomPermissions').where('roomId', '=', roomId).execute()
}

/** Returns active users of a tenant by address. */
export async function usersOfTenant(
  db: Db,
  tenantId: number,
  emails: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (emails.length === 0) return new Map()
  const rows = await db
    .selectFrom('users')
    .select(['id', 'email'])
    .where('email', 'in', [...emails])
    .where('tenantId', '=', tenantId)
    .where('deletedAt', 'is', null)
    .execute()
  return new Map(rows.map((row) => [row.email, row.id]))
}

/** Removes a batch of rooms deleted before a date; returns their number. */
export async function removeRooms(db: Db, before: Date, limit: number): Promise<number> {
  const { rows } = await sql`delete from rooms where id in (
      select id from rooms where deleted_at <= ${before}::timestamptz order by id limit ${limit} for update)
    returning id`.execute(db)
  return rows.length
}
