import { sql } from 'kysely'
import { after, type Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { sha256 } from '../../platform/secrets.ts'
import type { Borrower } from './borrowed-grant.ts'

/** Deletes expired records and what belonged to them. */
export async function purgeRecords(db: Db, clock: Clock): Promise<void> {
  // a used token must be remembered until its own expiry, as long as it could be presented again
  await db.deleteFrom('oauthRecords').where('expiresAt', '<', clock.now()).execute()
}

/** Revokes everything an application holds for a user: grants, codes and tokens. */
export async function revokeConnection(db: Db, userId: number, clientId: string): Promise<number> {
  const ofConnection = db
    .deleteFrom('oauthRecords')
    .where('userId', '=', userId)
    .where('clientId', '=', clientId)
  const grants = await ofConnection.where('model', '=', 'Grant').executeTakeFirst()
  const others = await ofConnection.executeTakeFirst()
  return Number(grants.numDeletedRows + others.numDeletedRows)
}

/** Revokes a grant with everything issued from it. */
export async function revokeGrant(db: Db, grantHash: Buffer): Promise<void> {
  // the grant first: this waits for concurrent issuance, whose tokens are then deleted too
  await db.deleteFrom('oauthRecords').where('model', '=', 'Grant').where('idHash', '=', grantHash).execute()
  await db.deleteFrom('oauthRecords').where('grantHash', '=', grantHash).execute()
}

/** Returns the user of a grant; undefined if it doesn't exist. */
export async function userOfGrant(db: Db, grantId: string): Promise<number | undefined> {
  const row = await db
    .selectFrom('oauthRecords')
    .select('userId')
    .where('model', '=', 'Grant')
    .where('idHash', '=', sha256(grantId))
    .executeTakeFirst()
  return row?.userId ?? undefined
}

/** Properties of a grant. */
export interface GrantFacts {
  /** Its id in lists. */
  readonly handle: string
  readonly expiresAt: Date
  /** Who really uses it; null: the user. */
  readonly actorId: number | null
  readonly actorEmail: string | null
}

/** Returns a grant by id. */
export function readGrant(db: Db, grantId: string): Promise<GrantFacts | undefined> {
  return db
    .selectFrom('oauthLiveGrants')
    .select(['handle', 'expiresAt', 'actorId', 'actorEmail'])
    .where('idHash', '=', sha256(grantId))
    .executeTakeFirst()
}

/** Ties a grant to the person using it on the user's behalf, and to that person's session. */
export async function lendGrant(db: Db, grantId: string, { userId, sessionId }: Borrower): Promise<void> {
  await db
    .updateTable('oauthRecords')
    .set({ actorId: userId, sessionId })
    .where('model', '=', 'Grant')
    .where('idHash', '=', sha256(grantId))
    .execute()
}

/** Returns the access tokens applications hold for a user, newest first. */
export function listTokens(db: Db, clock: Clock, userId: number) {
  return tokensOf(db, clock, userId)
    .select(['r.handle', 'r.createdAt', 'r.expiresAt', 'c.id as clientId', 'c.name', 'c.scopes as allowed'])
    .select(sql<string | null>`r.payload->>'scope'`.as('scope'))
    .orderBy('r.createdAt', 'desc')
    .orderBy('r.handle', 'desc')
    .limit(1000)
    .execute()
}

/** Returns the grant of a user's access token by its id in lists. */
export async function grantOfToken(
  db: Db,
  clock: Clock,
  userId: number,
  handle: string,
): Promise<{ grantHash: Buffer | null; name: string } | undefined> {
  return tokensOf(db, clock, userId)
    .select(['r.grantHash', 'c.name'])
    .where('r.handle', '=', handle)
    .executeTakeFirst()
}

function tokensOf(db: Db, clock: Clock, userId: number) {
  return db
    .selectFrom('oauthRecords as r')
    .innerJoin('oauthClients as c', 'c.id', 'r.clientId')
    .where('r.model', '=', 'AccessToken')
    .where('r.userId', '=', userId)
    .where('r.expiresAt', '>', clock.now())
    .where('c.disabledAt', 'is', null)
}

/** Days for which a consent is remembered without asking again. */
export const consentDays = 14

/** Stores a consent. Returns true if it is new or extended. */
export async function writeConsent(
  db: Db,
  clock: Clock,
  userId: number,
  clientId: string,
  scopes: readonly string[],
): Promise<boolean> {
  const now = clock.now()
  const known = await findConsent(db, userId, clientId, scopes)
  await db
    .insertInto('oauthConsents')
    .values({
      userId,
      clientId,
      scopes: [...scopes].sort(),
      createdAt: now,
      approvedAt: now,
    })
    .onConflict((conflict) =>
      conflict.columns(['userId', 'clientId', 'scopes']).doUpdateSet({ approvedAt: now }),
    )
    .execute()
  return !known
}

/** Returns whether a user has consented to at least these scopes since a date. */
export async function findConsent(
  db: Db,
  userId: number,
  clientId: string,
  scopes: readonly string[],
  since?: Date,
): Promise<boolean> {
  const all = db
    .selectFrom('oauthConsents')
    .select('clientId')
    .where('userId', '=', userId)
    .where('clientId', '=', clientId)
    .where(sql<boolean>`scopes @> ${[...scopes]}::text[]`)
  const found = since === undefined ? all : all.where('approvedAt', '>', since)
  return (await found.executeTakeFirst()) !== undefined
}

/** Consents before this date have expired. */
export function consentHorizon(clock: Clock): Date {
  return after(clock.now(), -consentDays * 24 * 3600)
}

export interface Connection {
  readonly clientId: string
  readonly name: string
  readonly scopes: string[]
  readonly createdAt: Date
  readonly approvedAt: Date
  readonly usedAt: Date | null
}

/** Returns a user's connected applications, latest first. */
export function listConnections(db: Db, userId: number): Promise<Connection[]> {
  return db
    .selectFrom('oauthConsents as s')
    .innerJoin('oauthClients as c', 'c.id', 's.clientId')
    .select(['s.clientId', 'c.name'])
    .select(({ fn }) => [fn.min('s.createdAt').as('createdAt'), fn.max('s.approvedAt').as('approvedAt')])
    .select([
      sql<string[]>`(select array_agg(distinct scope) from oauth_consents o, unnest(o.scopes) scope
        where o.user_id = s.user_id and o.client_id = s.client_id)`.as('scopes'),
      sql<Date | null>`(select max(r.created_at) from oauth_records r where r.user_id = s.user_id
        and r.client_id = s.client_id and r.model = 'AccessToken')`.as('usedAt'),
    ])
    .where('s.userId', '=', userId)
    .groupBy(['s.userId', 's.clientId', 'c.name'])
    .orderBy('approvedAt', 'desc')
    .orderBy('s.clientId')
    .execute()
}

/** Deletes the consents to an application. Returns false if there were none. */
export async function deleteConsents(db: Db, userId: number, clientId: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('oauthConsents')
    .where('userId', '=', userId)
    .where('clientId', '=', clientId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/**
 * Disconnects all applications of a user, which have to ask for consent again. Returns their names in order.
 */
export async function disconnectAll(trx: Db, userId: number): Promise<string[]> {
  const ofUser = trx.deleteFrom('oauthRecords').where('userId', '=', userId)
  await ofUser.where('model', '=', 'Grant').execute()
  await ofUser.execute()
  const { rows } = await sql<{ name: string }>`with gone as (
      delete from oauth_consents where user_id = ${userId} returning client_id
    )
    select distinct c.id, c.name from gone join oauth_clients c on c.id = gone.client_id
    order by c.name, c.id`.execute(trx)
  return rows.map(({ name }) => name)
}
