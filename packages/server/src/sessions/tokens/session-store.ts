import { sql } from 'kysely'
import { after, day } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'

/** A session as lists of sessions show it. */
export interface StoredSession {
  readonly id: string
  readonly userAgent: string
  /** Where it was used last. */
  readonly ip: string
  readonly createdAt: Date
  readonly lastUsedAt: Date
  readonly revokedReason: string | null
  readonly staffEmail: string | null
  readonly staffReason: string | null
  /** The name of the companion device that it belongs to. */
  readonly companion: string | null
  readonly companionId: string | null
}

export interface StoredEndedSession extends StoredSession {
  readonly endedAt: Date
}

/** A session with tokens that are worth something; `s` is the session. */
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

/** The sessions of a user that are open, last used first, and how many there are in all. */
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

/** Whether a user is signed in anywhere, on a device or in a browser; staff in that user's name do not count. */
export async function hasOpenSession(db: Db, userId: number, now: Date): Promise<boolean> {
  const { rows } = await sql<{ isOpen: boolean }>`select exists (select from sessions s
    where s.user_id = ${userId} and s.impersonation_id is null and ${isOpen(now)}) as is_open`.execute(db)
  return rows[0]?.isOpen === true
}

/** Whose session it is. */
export async function userOfSession(db: Db, id: string): Promise<number | undefined> {
  const row = await db.selectFrom('sessions').select('userId').where('id', '=', id).executeTakeFirst()
  return row?.userId
}

/** One session of a user that is open. */
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

/** How many sessions of a user are open beside one; those of companion devices end with their device only. */
export async function countOpenSessions(db: Db, userId: number, now: Date, except?: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from sessions s
    where s.user_id = ${userId} and s.companion_id is null
      and s.id is distinct from ${except ?? null}::uuid and ${isOpen(now)}`.execute(db)
  return rows[0]?.count ?? 0
}

/**
 * Sessions of a user that ended since a number of days, newest end first. Of tokens that ran out and are removed nothing
 * tells when, so the life of a refresh token (seconds) is counted from the last use.
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

/** Takes the code of an impersonation, as long as staff may act in the name of that user. */
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
 * Notes that sessions are used now from network addresses, unless that was noted after `notedSince`. Rows that somebody
 * else holds are left out: who ends sessions or exchanges tokens must not wait for this, nor this for them; and no login
 * waits for the disk because of it.
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
