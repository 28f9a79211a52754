import type { Knock } from '@gatehouse/contract/meetings/meet-signalling'
import { sql } from 'kysely'
import { after, type Clock, hour } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'

export type KnockStatus = 'pending' | 'accepted' | 'denied'

/** Seconds for which an answered knock is kept. */
const memory = hour

/** Seconds after which a guest who stops polling is considered gone. */
export const knockPatience = 45

/**
 * Returns the state of a browser's knock and records the poll; undefined if it has not knocked or may knock
 * again.
 */
export async function askKnock(
  db: Db,
  clock: Clock,
  meetingId: string,
  requestId: string,
): Promise<KnockStatus | undefined> {
  const now = clock.now()
  const row = await db
    .updateTable('meetingKnocks')
    .set({ seenAt: now })
    .where('meetingId', '=', meetingId)
    .where('requestId', '=', requestId)
    .where((where) =>
      where.or([where('decidedAt', 'is', null), where('decidedAt', '>', after(now, -memory))]),
    )
    .returning('status')
    .executeTakeFirst()
  return row?.status
}

/** Inserts a knock, replacing an earlier one of the same browser. Returns false if too many are waiting. */
export async function insertKnock(
  db: Db,
  clock: Clock,
  meetingId: string,
  knock: { readonly requestId: string; readonly nickname: string; readonly picture: string },
  most: number,
): Promise<boolean> {
  const now = clock.now()
  const { rows } = await sql`insert into meeting_knocks
      (meeting_id, request_id, nickname, picture, status, created_at, seen_at)
    select ${meetingId}, ${knock.requestId}, ${knock.nickname}, ${knock.picture}, 'pending', ${now}::timestamptz,
      ${now}::timestamptz
    where (select count(*) from meeting_knocks where meeting_id = ${meetingId} and status = 'pending') < ${most}
    on conflict (meeting_id, request_id) do update set status = 'pending', nickname = excluded.nickname,
      picture = excluded.picture, created_at = excluded.created_at, seen_at = excluded.seen_at, decided_at = null
      where meeting_knocks.status <> 'pending'
    returning request_id`.execute(db)
  return rows.length === 1
}

/** Returns the waiting knocks, oldest first. */
export async function pendingKnocks(db: Db, meetingId: string): Promise<Knock[]> {
  const rows = await db
    .selectFrom('meetingKnocks')
    .select(['requestId', 'nickname', 'picture', 'createdAt'])
    .where('meetingId', '=', meetingId)
    .where('status', '=', 'pending')
    .orderBy('createdAt')
    .orderBy('requestId')
    .execute()
  return rows.map((row) => ({
    requestId: row.requestId,
    nickname: row.nickname,
    picture: row.picture,
    knockedAt: row.createdAt.toISOString(),
  }))
}

/** Answers a knock; false if it isn't waiting. */
export async function decideKnock(
  db: Db,
  clock: Clock,
  meetingId: string,
  requestId: string,
  status: 'accepted' | 'denied',
): Promise<boolean> {
  const row = await db
    .updateTable('meetingKnocks')
    .set({ status, decidedAt: clock.now() })
    .where('meetingId', '=', meetingId)
    .where('requestId', '=', requestId)
    .where('status', '=', 'pending')
    .returning('requestId')
    .executeTakeFirst()
  return row !== undefined
}

/** Returns the answers to the knocks of these browsers. */
export async function decisionsOf(
  db: Db,
  meetingId: string,
  requestIds: readonly string[],
): Promise<ReadonlyMap<string, KnockStatus>> {
  if (requestIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('meetingKnocks')
    .select(['requestId', 'status'])
    .where('meetingId', '=', meetingId)
    .where('requestId', 'in', [...requestIds])
    .execute()
  return new Map(rows.map((row) => [row.requestId, row.status]))
}

/** Deletes knocks of browsers that stopped polling. */
export async function forgetKnocks(db: Db, clock: Clock, meetingId: string): Promise<void> {
  await db
    .deleteFrom('meetingKnocks')
    .where('meetingId', '=', meetingId)
    .where('status', '=', 'pending')
    .where('seenAt', '<', after(clock.now(), -knockPatience))
    .execute()
}
