import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { after, type Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { accountFactorPolicy, hasFactor } from '../../sessions/standing-store.ts'
import { isAccountOpen } from '../../users/account-lock-store.ts'
import type { MailUser } from './mail-user.ts'

const setting = (key: string): RawBuilder<string | null> =>
  sql<string | null>`(select s.value from user_settings s where s.user_id = u.id and s.key = ${key})`

/** Users with everything that decides about their mail sign-in. */
function mailUsers(db: Db) {
  return db
    .selectFrom('users as u')
    .leftJoin('wallets as w', 'w.id', 'u.walletId')
    .leftJoin('users as o', 'o.id', 'w.userId')
    .leftJoin('domains as d', (join) => join.on(sql`d.namespace`, '=', sql`split_part(u.email, '@', 2)`))
    .select(['u.id', 'u.email', 'u.role', 'u.status', 'u.passwordHash', 'o.status as ownerStatus'])
    .select([hasFactor.as('hasFactor'), accountFactorPolicy.as('factorPolicy')])
    .select([setting('limit_geo').as('limitGeo'), setting('guam_enabled').as('guamEnabled')])
    .select(
      sql<boolean>`exists (select from companions c where c.user_id = u.id and c.mfa_enabled)`.as(
        'hasCompanion',
      ),
    )
    .select(['d.status as domainStatus', sql<boolean>`d.deleted_at is not null`.as('isDomainDeleted')])
    .where('u.deletedAt', 'is', null)
    .where(isAccountOpen)
}

/**
 * Returns the user with an address, ignoring aliases. A single statement, since clients sign in all the time.
 */
export function readMailUser(db: Db, email: string): Promise<MailUser | undefined> {
  return mailUsers(db).where('u.email', '=', email).executeTakeFirst()
}

/** Returns the users with these addresses. */
export function readMailUsers(db: Db, emails: readonly string[]): Promise<MailUser[]> {
  return mailUsers(db).where('u.email', '=', sql<string>`any(${emails}::text[])`).execute()
}

/** Returns when all sessions of users were ended, by address, for those that weren't before a moment. */
export async function sessionEndsSince(
  db: Db,
  emails: readonly string[],
  since: Date,
): Promise<ReadonlyMap<string, Date>> {
  const rows = await db
    .selectFrom('sessionEnds as e')
    .innerJoin('users as u', 'u.id', 'e.userId')
    .select(['u.email', 'e.endedAt'])
    .where('u.email', '=', sql<string>`any(${emails}::text[])`)
    .where('e.endedAt', '>=', since)
    .execute()
  return new Map(rows.map(({ email, endedAt }) => [email, endedAt]))
}

/** Seconds within which the server behind the proxy verifies the same sign-in. */
export const passLife = 60

/** A sign-in accepted for a proxy. */
export interface Pass {
  readonly ip: string
  readonly isConfirmed: boolean
}

/** Records that a user was accepted from an address. */
export async function notePass(db: Db, clock: Clock, userId: number, pass: Pass): Promise<void> {
  const now = clock.now()
  await db
    .insertInto('mailPasses')
    .values({ userId, ip: pass.ip, isConfirmed: pass.isConfirmed, passedAt: now })
    .onConflict((conflict) =>
      conflict.columns(['userId', 'ip', 'isConfirmed']).doUpdateSet({ passedAt: now }),
    )
    .execute()
}

/**
 * Returns the addresses a user was accepted from within the last minute, unless a device has denied since.
 */
export async function recentPasses(db: Db, clock: Clock, userId: number): Promise<Pass[]> {
  const now = clock.now()
  return db
    .selectFrom('mailPasses as p')
    .select(['p.ip', 'p.isConfirmed'])
    .where('p.userId', '=', userId)
    .where('p.passedAt', '>', after(now, -passLife))
    .where(
      sql<SqlBool>`not exists (select from auth_attempts a where a.user_id = p.user_id and a.ip = p.ip
        and a.status = 'DENIED' and a.expires_at > ${now}::timestamptz)`,
    )
    .execute()
}

export async function removePasses(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('mailPasses').where('passedAt', '<', before).execute()
}
