import { sql } from 'kysely'
import type { Db } from '../../../platform/db/database.ts'
import type { Cancellation } from '../cancellations.ts'

/** Returns all addresses of a user, canonical. */
export async function addressesOf(db: Db, userId: number): Promise<string[]> {
  const rows = await db
    .selectFrom('addresses')
    .select('address')
    .where('objectId', '=', userId)
    .where('kind', 'in', ['user', 'alias'])
    .execute()
  return rows.map(({ address }) => address)
}

/** Whose calendar: a user's, or a resource's. */
export interface CancellationOwner {
  readonly kind: 'user' | 'resource'
  readonly id: number
}

const columns = { user: 'user_id', resource: 'resource_id' } as const

/** Returns what was cancelled of an event or task. */
export async function readCancellations(
  db: Db,
  owner: CancellationOwner,
  uid: string,
): Promise<Cancellation[]> {
  const { rows } = await sql<{
    recurrence: Date | null
    isFollowing: boolean
    sequence: number
    stamp: Date
  }>`select recurrence, is_following as "isFollowing", sequence::float8 as sequence, stamp
    from calendar_cancellations where ${sql.ref(columns[owner.kind])} = ${owner.id} and uid = ${uid}`.execute(
    db,
  )
  return rows.map(({ recurrence, stamp, ...more }) => ({
    ...more,
    recurrence: recurrence === null ? null : recurrence.getTime() / 1000,
    stamp: stamp.getTime() / 1000,
  }))
}

/** Cancellations that are kept of one calendar; more are from someone who only fills the table. */
const mostOfOwner = 20_000

/** Keeps what was cancelled. Of two revisions, the newer one stays. */
export async function keepCancellations(
  db: Db,
  owner: CancellationOwner,
  uid: string,
  cancellations: readonly Cancellation[],
  now: Date,
): Promise<void> {
  if (cancellations.length === 0) return
  const owned = sql.ref(columns[owner.kind])
  const rows = cancellations.map(({ recurrence, stamp, isFollowing, sequence }) => ({
    recurrence: recurrence === null ? null : new Date(recurrence * 1000),
    ...{ isFollowing, sequence, stamp: new Date(stamp * 1000) },
  }))
  // one statement can't change a row twice
  const newest = new Map(rows.map((row) => [`${row.recurrence?.getTime()} ${row.isFollowing}`, row]))
  await sql`insert into calendar_cancellations as c
      (${owned}, uid, recurrence, is_following, sequence, stamp, kept_at)
    select ${owner.id}, ${uid}, r.recurrence, r."isFollowing", r.sequence, r.stamp, ${now}
    from jsonb_to_recordset(${JSON.stringify([...newest.values()])}::jsonb)
      as r(recurrence timestamptz, "isFollowing" boolean, sequence bigint, stamp timestamptz)
    where (select count(*) from calendar_cancellations where ${owned} = ${owner.id}) < ${mostOfOwner}
    on conflict (user_id, resource_id, uid, recurrence, is_following) do update
      set sequence = excluded.sequence, stamp = excluded.stamp, kept_at = excluded.kept_at
      where (excluded.sequence, excluded.stamp) > (c.sequence, c.stamp)`.execute(db)
}

/** Removes cancellations that were kept before a moment. */
export async function removeCancellations(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('calendarCancellations').where('keptAt', '<', before).execute()
}

/** Who reads a notice, and in which language. */
export interface NoticeReader {
  readonly email: string
  readonly language: string | null
  readonly name: string
}

/** Undefined: the user was deleted. */
export async function readNoticeReader(db: Db, userId: number): Promise<NoticeReader | undefined> {
  return db
    .selectFrom('users as u')
    .select(['u.email', 'u.language'])
    .select(
      sql<string>`coalesce((select string_agg(s.value, ' ' order by s.key) from user_settings s
        where s.user_id = u.id and s.key in ('first_name', 'last_name')), '')`.as('name'),
    )
    .where('u.id', '=', userId)
    .where('u.deletedAt', 'is', null)
    .executeTakeFirst()
}
