import { sql } from 'kysely'
import type { Db } from '../platform/db/database.ts'
import type { Role } from '../platform/http/callers/principal.ts'

/** Whether a user (table alias `u`) has a factor. Recovery codes alone don't count. */
export const hasFactor = sql<boolean>`(
  exists (select from second_factors f where f.user_id = u.id and f.active)
  or exists (select from passkeys p where p.user_id = u.id))`

/** Whether a user (table alias `u`) has a paired companion device. */
export const hasCompanion = sql<boolean>`
  exists (select from companions c where c.user_id = u.id and c.mfa_enabled)`

/** The stored second-factor policy of the account of a user (table alias `u`). */
export const accountFactorPolicy = sql<string | null>`(
  select s.value from wallets w join user_settings s on s.user_id = w.user_id and s.key = 'second_factor_policy'
  where w.id = u.wallet_id)`

/** What `mustEnrol` needs to know of a user (table alias `u`), besides the role. */
export const standingColumns = [
  hasFactor.as('hasFactor'),
  hasCompanion.as('hasCompanion'),
  accountFactorPolicy.as('factorPolicy'),
] as const

/** Decides whether a user must set up a second factor. */
export interface FactorStanding {
  readonly role: Role | null
  readonly hasFactor: boolean
  readonly hasCompanion: boolean
  readonly factorPolicy: string | null
}

/** Returns a user's standing; undefined if the user doesn't exist. */
export async function readStanding(db: Db, userId: number): Promise<FactorStanding | undefined> {
  return db
    .selectFrom('users as u')
    .select('u.role')
    .select(standingColumns)
    .where('u.id', '=', userId)
    .executeTakeFirst()
}
