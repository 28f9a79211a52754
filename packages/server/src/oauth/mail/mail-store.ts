import { type SqlBool, sql } from 'kysely'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { sha256 } from '../../platform/secrets.ts'

/**
 * The user whose mail an access token opens, for a webmail that hands its token on as `Bearer <token>`: one of scope
 * `auth.token`, of an application that may still have it. Undefined for every other token.
 */
export async function userOfMailToken(db: Db, clock: Clock, token: string): Promise<number | undefined> {
  const row = await db
    .selectFrom('oauth_records as r')
    .innerJoin('oauth_records as g', (join) =>
      join.onRef('g.id_hash', '=', 'r.grant_hash').on('g.model', '=', 'Grant'),
    )
    .innerJoin('oauth_clients as c', 'c.id', 'r.client_id')
    .select('r.user_id')
    .where('r.model', '=', 'AccessToken')
    .where('r.id_hash', '=', sha256(token))
    .where('r.expires_at', '>', clock.now())
    .where('g.expires_at', '>', clock.now())
    .where('c.disabled_at', 'is', null)
    .where(sql<SqlBool>`'auth.token' = any(c.scopes)`)
    .where(sql<SqlBool>`'auth.token' = any(string_to_array(r.payload->>'scope', ' '))`)
    .executeTakeFirst()
  return row?.user_id ?? undefined
}

/** The status of a user who gave a live grant, and what its application may have. */
export async function readMailGrant(db: Db, userId: number, handle: string, now: Date) {
  return db
    .selectFrom('oauth_live_grants as g')
    .innerJoin('users as u', 'u.id', 'g.user_id')
    .innerJoin('oauth_clients as c', 'c.id', 'g.client_id')
    .select(['u.status', 'c.scopes'])
    .where('g.handle', '=', handle)
    .where('g.user_id', '=', userId)
    .where('g.expires_at', '>', now)
    .where('c.disabled_at', 'is', null)
    .where('u.deleted_at', 'is', null)
    .executeTakeFirst()
}
