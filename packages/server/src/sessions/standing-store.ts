import { sql } from 'kysely'
import type { Db } from '../platform/db/database.ts'
import type { Role } from '../platform/http/callers/principal.ts'

/** Whether a user (the table is called `u`) has a factor to prove. Recovery codes alone are none. */
export const hasFactor = sql<boolean>`(
  exists (select from second_factors f where f.user_id = u.id and f.active)
  or exists (select from passkeys p where p.user_id = u.id))`

/** Whether a user (the table is called `u`) has a paired companion device. */
export const hasCompanion = sql<boolean>`
  exists (select from companions c where c.user_id = u.id and c.mfa_enabled)`

/** What the account of a user (the table is called `u`) says about second factors, as it is stored. */
export const accountFactorPolicy = sql<string | null>`(
  select s.value from wallets w join user_settings s on s.user_id = w.user_id and s.key = 'second_factor_policy'
  where w.id = u.wallet_id)`

/** What `mustEnrol` has to know of a user (the table is called `u`), beside the role. */
export const standingColumns = [
  hasFactor.as('hasFactor'),
  hasCompanion.as('hasCompanion'),
  accountFactorPolicy.as('factorPolicy'),
] as const

/** What decides whether somebody has to set up a second factor. */
export interface FactorStanding {
  readonly role: Role | null
  readonly hasFactor: boolean
  readonly hasCompanion: boolean
  readonly factorPolicy: string | null
}

/** How a user stands; undefined when there is none. */
export async function readStanding(db: Db, userId: number): Promise<FactorStanding | undefined> {
  return db
    .selectFrom('users as u')
    .select('u.role')
    .select(standingColumns)
    .where('u.id', '=', userId)
    .executeTakeFirst()
}
