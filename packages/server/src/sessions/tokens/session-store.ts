import { sql } from 'kysely'
import { after, day } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'

/** A session as shown in lists. */
export interface StoredSession {
  readonly id: string
  readonly userAgent: string
  /** Where it was last used. */
  readonly ip: string
  readonly createdAt: Date
  readonly lastUsedAt: Date
  readonly revokedReason: string | null
  readonly staffEmail: string | null
  readonly staffReason: string | null
  /** Name of the session's companion device. */
  readonly companion: string | null
  readonly companionId: string | null
}

export interface StoredEndedSession extends StoredSession {
  readonly endedAt: Date
}

/** A session (`s`) with valid tokens. */
const isOpen = (now: Date) => sql<boolean>`(s.revoked_at is null
  and (s.ends_at is null or s.ends_at > ${now}::timestamptz)
  and (exists (select from refresh_tokens r where r.session_id = s.id and r.used_at is null
      and r.expires_at > ${now}::timestamptz)
    or exists (select from access_tokens a where a.session_id = s.id and a.expires_at > ${now}::timestamptz)))`

const columns = sql`s.id, s.user_agent as "userAgent", coalesce(s.last_ip, s.ip) as ip, s.created_at as "createdAt",
  s.last_used_at as "lastUsedAt", s.revoked_reason as "revokedReason", st.email as "staffEmail",
  i.reason as "staffReason", c.name as companion, s.companion_id as "companionId"`

const joins = sql`left join impersonations i on i.id = s.impersonation_id left join users st on st.id = i.staff_id
  left join companions c on c.id = s.companion_id`

/** Returns a user's open sessions, last used first, and their total number. */
export async function readOpenSessions(
  db: Db,
  userId: number,
  now: Date,
  limit: number,
): Promise<{ list: StoredSession[]; count: number }> {
  const { rows } = await sql<
    StoredSession & { total: number }
  >`select ${columns}, (count(*) over ())::int as total
    from sessions s ${joins} where s.user_id = ${userId} and ${isOpen(now)}
    order by s.last_used_at desc, s.id desc limit ${limit}`.execute(db)
  return { list: rows, count: rows[0]?.total ?? 0 }
}

/** Whether a user is signed in on any device or browser; impersonation by staff doesn't count. */
export async function hasOpenSession(db: Db, userId: number, now: Date): Promise<boolean> {
  const { rows } = await sql<{ isOpen: boolean }>`select exists (select from sessions s
    where s.user_id = ${userId} and s.impersonation_id is null and ${isOpen(now)}) as is_open`.execute(db)
  return rows[0]?.isOpen === true
}

/** Returns the user of a session. */
export async function userOfSession(db: Db, id: string): Promise<number | undefined> {
  const row = await db.selectFrom('sessions').select('userId').where('id', '=', id).executeTakeFirst()
  return row?.userId
}

/** Returns one open session of a user. */
export async function findOpenSession(
  db: Db,
  userId: number,
  id: string,
  now: Date,
): Promise<StoredSession | undefined> {
  const { rows } = await sql<StoredSession>`select ${columns} from sessions s ${joins}
    where s.id = ${id}::uuid and s.user_id = ${userId} and ${isOpen(now)}`.execute(db)
  return rows[0]
}

/** Counts a user's open sessions except one; companion devices' sessions end only with their device. */
export async function countOpenSessions(db: Db, userId: number, now: Date, except?: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from sessions s
    where s.user_id = ${userId} and s.companion_id is null
      and s.id is distinct from ${except ?? null}::uuid and ${isOpen(now)}`.execute(db)
  return rows[0]?.count ?? 0
}

/**
 * Returns a user's sessions that ended within a number of days, latest end first. The end of expired tokens
 * isn't stored, so it is computed as last use plus the refresh token lifetime (seconds).
 */
export async function readEndedSessions(
  db: Db,
  userId: number,
  now: Date,
  { days, limit, life }: { readonly days: number; readonly limit: number; readonly life: number },
): Promise<StoredEndedSession[]> {
  const { rows } = await sql<StoredEndedSession>`select * from (
      select ${columns}, least(coalesce(s.revoked_at,
          (select max(r.expires_at) from refresh_tokens r where r.session_id = s.id and r.used_at is null),
          s.last_used_at + ${life} * interval '1 second'), s.ends_at, ${now}::timestamptz) as "endedAt"
      from sessions s ${joins}
      where s.user_id = ${userId} and not ${isOpen(now)}) ended
    where "endedAt" > ${after(now, -days * day)}::timestamptz
    order by "endedAt" desc, id desc limit ${limit}`.execute(db)
  return rows
}

/** Consumes an impersonation code, if staff may impersonate that user. */
export async function takeImpersonationCode(trx: Db, hash: Buffer, now: Date) {
  return trx
    .updateTable('impersonations as i')
    .from('users as s')
    .innerJoin('users as u', (join) => join.onTrue())
    .set({ codeHash: null })
    .where('i.codeHash', '=', hash)
    .where('i.codeExpiresAt', '>', now)
    .whereRef('s.id', '=', 'i.staffId')
    .whereRef('u.id', '=', 'i.userId')
    .where('s.deletedAt', 'is', null)
    .where('s.role', 'in', ['admin', 'reseller'])
    .where('u.deletedAt', 'is', null)
    .where('u.role', 'is', null)
    .returning(['i.id', 'i.userId', 'i.staffId', 's.email', 'i.reason', 'i.endsAt'])
    .executeTakeFirst()
}

/**
 * Records when and from where sessions are used, unless that was recorded after `notedSince`. Skips locked
 * rows: ending sessions or exchanging tokens must not wait for this, nor this for them; and no login waits for
 * the disk.
 */
export async function noteSessionUse(
  db: Db,
  used: ReadonlyMap<string, string>,
  { now, notedSince }: { readonly now: Date; readonly notedSince: Date },
): Promise<void> {
  await sql`with relaxed as (select set_config('synchronous_commit', 'off', true)),
    used as (select * from unnest(${[...used.keys()]}::uuid[], ${[...used.values()]}::text[]) as u(id, ip)),
    free as (
      select s.id, u.ip from relaxed, used u join sessions s on s.id = u.id
      where s.revoked_at is null and (s.last_used_at <= ${notedSince}::timestamptz
        or coalesce(s.last_ip, s.ip) <> u.ip)
      for update of s skip locked
    )
    update sessions s set last_used_at = greatest(s.last_used_at, ${now}::timestamptz), last_ip = free.ip
    from free where s.id = free.id`.execute(db)
}
