import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { after, type Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { accountFactorPolicy, hasFactor } from '../../sessions/standing-store.ts'
import { isAccountOpen } from '../../users/account-lock-store.ts'
import type { MailUser } from './mail-user.ts'

const setting = (key: string): RawBuilder<string | null> =>
  sql<string | null>`(select s.value from user_settings s where s.user_id = u.id and s.key = ${key})`

/** The user with that address, aliases left out; one statement, since programs sign in all the time. */
export function readMailUser(db: Db, email: string): Promise<MailUser | undefined> {
  return db
    .selectFrom('users as u')
    .leftJoin('wallets as w', 'w.id', 'u.wallet_id')
    .leftJoin('users as o', 'o.id', 'w.user_id')
    .leftJoin('domains as d', (join) => join.on(sql`d.namespace`, '=', sql`split_part(u.email, '@', 2)`))
    .select(['u.id', 'u.email', 'u.role', 'u.status', 'u.password_hash', 'o.status as owner_status'])
    .select([hasFactor.as('has_factor'), accountFactorPolicy.as('factor_policy')])
    .select([setting('limit_geo').as('limit_geo'), setting('guam_enabled').as('guam_enabled')])
    .select(
      sql<boolean>`exists (select from companions c where c.user_id = u.id and c.mfa_enabled)`.as(
        'has_companion',
      ),
    )
    .select(['d.status as domain_status', sql<boolean>`d.deleted_at is not null`.as('is_domain_deleted')])
    .where('u.email', '=', email)
    .where('u.deleted_at', 'is', null)
    .where(isAccountOpen)
    .executeTakeFirst()
}

/** Seconds within which the server behind the proxy asks about the same sign-in. */
export const passLife = 60

/** A sign-in that a proxy was told to let in. */
export interface Pass {
  readonly ip: string
  readonly isConfirmed: boolean
}

/** Notes that somebody was let in from a place. */
export async function notePass(db: Db, clock: Clock, userId: number, pass: Pass): Promise<void> {
  const now = clock.now()
  await db
    .insertInto('mail_passes')
    .values({ user_id: userId, ip: pass.ip, is_confirmed: pass.isConfirmed, passed_at: now })
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'ip', 'is_confirmed']).doUpdateSet({ passed_at: now }),
    )
    .execute()
}

/** Where somebody was let in from within the last minute, save where a device has refused since. */
export async function recentPasses(db: Db, clock: Clock, userId: number): Promise<Pass[]> {
  const now = clock.now()
  return db
    .selectFrom('mail_passes as p')
    .select(['p.ip', 'p.is_confirmed as isConfirmed'])
    .where('p.user_id', '=', userId)
    .where('p.passed_at', '>', after(now, -passLife))
    .where(
      sql<SqlBool>`not exists (select from auth_attempts a where a.user_id = p.user_id and a.ip = p.ip
        and a.status = 'DENIED' and a.expires_at > ${now}::timestamptz)`,
    )
    .execute()
}

export async function removePasses(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('mail_passes').where('passed_at', '<', before).execute()
}
