import { type SqlBool, sql } from 'kysely'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { sha256 } from '../../platform/secrets.ts'

/**
 * Returns the user whose mail an access token grants access to, for webmail that uses its token as `Bearer
 * <token>`: one with the scope `auth.token`, if the application still has it. Undefined for any other token.
 */
export async function userOfMailToken(db: Db, clock: Clock, token: string): Promise<number | undefined> {
  const row = await db
    .selectFrom('oauthRecords as r')
    .innerJoin('oauthRecords as g', (join) =>
      join.onRef('g.idHash', '=', 'r.grantHash').on('g.model', '=', 'Grant'),
    )
    .innerJoin('oauthClients as c', 'c.id', 'r.clientId')
    .select('r.userId')
    .where('r.model', '=', 'AccessToken')
    .where('r.idHash', '=', sha256(token))
    .where('r.expiresAt', '>', clock.now())
    .where('g.expiresAt', '>', clock.now())
    .where('c.disabledAt', 'is', null)
    .where(sql<SqlBool>`'auth.token' = any(c.scopes)`)
    .where(sql<SqlBool>`'auth.token' = any(string_to_array(r.payload->>'scope', ' '))`)
    .executeTakeFirst()
  return row?.userId ?? undefined
}

/** Returns the status of a user who gave an active grant, and the application's scopes. */
export async function readMailGrant(db: Db, userId: number, handle: string, now: Date) {
  return db
    .selectFrom('oauthLiveGrants as g')
    .innerJoin('users as u', 'u.id', 'g.userId')
    .innerJoin('oauthClients as c', 'c.id', 'g.clientId')
    .select(['u.status', 'c.scopes'])
    .where('g.handle', '=', handle)
    .where('g.userId', '=', userId)
    .where('g.expiresAt', '>', now)
    .where('c.disabledAt', 'is', null)
    .where('u.deletedAt', 'is', null)
    .executeTakeFirst()
}
