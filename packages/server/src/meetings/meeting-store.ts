import { sql } from 'kysely'
import type { ClientBase } from 'pg'
import { after, type Clock } from '../platform/clock.ts'
import type { Db } from '../platform/db/database.ts'
import { newUuid } from '../platform/ids.ts'
import { participantsOf } from './rooms/room-store.ts'

/** A meeting as used by the door. */
export interface OpenMeeting {
  readonly id: string
  readonly hostId: number | null
}

/** Returns the open meeting of a room. */
export async function openMeetingOf(db: Db, roomId: number): Promise<OpenMeeting | undefined> {
  const row = await db
    .selectFrom('meetings')
    .select(['id', 'hostId'])
    .where('roomId', '=', roomId)
    .where('endedAt', 'is', null)
    .executeTakeFirst()
  return row && { id: row.id, hostId: row.hostId }
}

/** Opens a meeting; undefined if another one was opened concurrently. */
export async function insertMeeting(
  db: Db,
  clock: Clock,
  meeting: { readonly roomId: number; readonly hostId: number },
): Promise<string | undefined> {
  const row = await db
    .insertInto('meetings')
    .values({
      id: newUuid(),
      roomId: meeting.roomId,
      hostId: meeting.hostId,
      createdAt: clock.now(),
    })
    .onConflict((conflict) => conflict.column('roomId').where('endedAt', 'is', null).doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id
}

export interface NewPeer {
  readonly meetingId: string
  readonly userId: number | null
  readonly requestId: string | null
  readonly address: string
  readonly nickname: string
  /** Name of a signed-in user. */
  readonly ownName: string | null
  readonly role: number
}

/**
 * Stores an admitted participant, unless the meeting has ended (`ended`) or is at its limit (`full`).
 * Participants who don't join within `patience` seconds don't count.
 */
export async function insertPeer(
  trx: Db,
  clock: Clock,
  peer: NewPeer,
  { most, patience }: { readonly most: number; readonly patience: number },
): Promise<{ readonly id: string } | 'ended' | 'full'> {
  const meeting = await trx
    .selectFrom('meetings')
    .select('id')
    .where('id', '=', peer.meetingId)
    .where('endedAt', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (meeting === undefined) return 'ended'
  const since = after(clock.now(), -patience)
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from meeting_peers
    where meeting_id = ${peer.meetingId} and left_at is null
      and (joined_at is not null or created_at > ${since}::timestamptz)`.execute(trx)
  if ((rows[0]?.count ?? 0) >= most) return 'full'
  const id = newUuid()
  await trx
    .insertInto('meetingPeers')
    .values({
      id,
      meetingId: peer.meetingId,
      userId: peer.userId,
      requestId: peer.requestId,
      address: peer.address,
      nickname: peer.nickname,
      ownName: peer.ownName,
      role: peer.role,
      createdAt: clock.now(),
    })
    .execute()
  return { id }
}

/** What a process needs when it takes over or refreshes a meeting. */
export interface MeetingFacts {
  readonly id: string
  readonly roomId: number
  readonly name: string
  readonly description: string | null
  readonly locked: boolean
  readonly nomedia: boolean
  readonly hasPassword: boolean
  readonly isDeleted: boolean
  readonly hostId: number | null
  readonly endReason: string | null
  readonly isOver: boolean
  readonly tenantId: number
}

/** Returns a meeting with the settings of its room. */
export async function readMeeting(db: Db, id: string): Promise<MeetingFacts | undefined> {
  const row = await db
    .selectFrom('meetings as m')
    .innerJoin('rooms as r', 'r.id', 'm.roomId')
    .select(['m.id', 'm.roomId', 'm.hostId', 'm.endedAt', 'm.endReason', 'r.name'])
    .select(['r.description', 'r.locked', 'r.nomedia', 'r.deletedAt', 'r.tenantId'])
    .select((eb) => eb('r.password', 'is not', null).as('hasPassword'))
    .where('m.id', '=', id)
    .executeTakeFirst()
  return (
    row && {
      id: row.id,
      roomId: row.roomId,
      name: row.name,
      description: row.description,
      locked: row.locked,
      nomedia: row.nomedia,
      hasPassword: Boolean(row.hasPassword),
      isDeleted: row.deletedAt !== null,
      hostId: row.hostId,
      endReason: row.endReason,
      isOver: row.endedAt !== null,
      tenantId: row.tenantId,
    }
  )
}

/** Returns the process that holds a meeting; undefined if there is none any more. */
export async function readHost(
  db: Db,
  meetingId: string,
): Promise<{ readonly id: number; readonly url: string } | undefined> {
  const { rows } = await sql<{ id: number; url: string }>`select h.id, h.url
    from meetings m join meeting_hosts h on h.id = m.host_id
    where m.id = ${meetingId} and is_living_host(h.id)`.execute(db)
  return rows[0]
}

/** Takes over a meeting that no process holds; false if it has ended or another process took it. */
export async function claimMeeting(db: Db, meetingId: string, hostId: number): Promise<boolean> {
  const { rows } =
    await sql`update meetings set host_id = ${hostId} where id = ${meetingId} and ended_at is null
    and (host_id is null or host_id = ${hostId} or not is_living_host(host_id)) returning id`.execute(db)
  return rows.length === 1
}

/** Returns the meetings that no process holds, and those assigned to this process. */
export async function claimableMeetings(db: Db, hostId: number | undefined): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select id from meetings where ended_at is null
    and (host_id is null or host_id = ${hostId ?? null}::integer or not is_living_host(host_id))`.execute(db)
  return rows.map((row) => row.id)
}

/** Ends a meeting and deletes its chat and knocks. Returns false if it had already ended. */
export async function endMeeting(db: Db, clock: Clock, meetingId: string, reason: string): Promise<boolean> {
  const now = clock.now()
  const row = await db
    .updateTable('meetings')
    .set({ endedAt: now, endReason: reason })
    .where('id', '=', meetingId)
    .where('endedAt', 'is', null)
    .returning('id')
    .executeTakeFirst()
  await db.deleteFrom('meetingMessages').where('meetingId', '=', meetingId).execute()
  await db.deleteFrom('meetingKnocks').where('meetingId', '=', meetingId).execute()
  return row !== undefined
}

/** Removes meetings that ended before a date, with their participants. */
export async function removeMeetings(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('meetings').where('endedAt', '<=', before).execute()
  await sql`delete from meeting_hosts where not is_living_host(id) and started_at <= ${before}::timestamptz`.execute(
    db,
  )
}

/** Returns open meetings, oldest first; `url` is that of the process that holds it. */
export async function meetingsNow(
  db: Db,
): Promise<
  { readonly name: string; readonly people: number; readonly since: Date; readonly url: string | null }[]
> {
  const { rows } = await sql<{ name: string; people: number; since: Date; url: string | null }>`select r.name,
      ${participantsOf(sql`m.id`)} as people, m.created_at as since,
      (select h.url from meeting_hosts h where h.id = m.host_id and is_living_host(h.id)) as url
    from meetings m join rooms r on r.id = m.room_id where m.ended_at is null order by m.created_at, m.id`.execute(
    db,
  )
  return rows
}

/** First half of the advisory lock keys of processes that hold meetings; used by `is_living_host`. */
const hostLockClass = 20_390

/** Marks a process as alive for the duration of the connection and subscribes it to changes of meetings. */
export async function becomeHost(client: ClientBase, hostId: number): Promise<void> {
  await client.query('listen meetings')
  await client.query('select pg_advisory_lock($1, $2)', [hostLockClass, hostId])
}

/** Returns the address of a user, deleted or not. */
export async function addressOfUser(db: Db, id: number): Promise<string | undefined> {
  const row = await db.selectFrom('users').select('email').where('id', '=', id).executeTakeFirst()
  return row?.email
}
