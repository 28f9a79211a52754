import { sql } from 'kysely'
import { after, type Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { sha256 } from '../../platform/secrets.ts'
import type { Borrower } from './borrowed-grant.ts'

/** Removes what expired, and what belonged to it. */
export async function purgeRecords(db: Db, clock: Clock): Promise<void> {
  // a used token must be known as long as it could be presented again, which its own end says
  await db.deleteFrom('oauthRecords').where('expiresAt', '<', clock.now()).execute()
}

/** Ends everything that an application holds for a person: its grants, codes and tokens. */
export async function revokeConnection(db: Db, userId: number, clientId: string): Promise<number> {
  const ofConnection = db
    .deleteFrom('oauthRecords')
    .where('userId', '=', userId)
    .where('clientId', '=', clientId)
  const grants = await ofConnection.where('model', '=', 'Grant').executeTakeFirst()
  const others = await ofConnection.executeTakeFirst()
  return Number(grants.numDeletedRows + others.numDeletedRows)
}

/** Ends one grant with all that came from it. */
export async function revokeGrant(db: Db, grantHash: Buffer): Promise<void> {
  // the grant first: it waits for who issues something from it just now, which then goes too
  await db.deleteFrom('oauthRecords').where('model', '=', 'Grant').where('idHash', '=', grantHash).execute()
  await db.deleteFrom('oauthRecords').where('grantHash', '=', grantHash).execute()
}

/** For whom a grant is; undefined: there is none of that id. */
export async function userOfGrant(db: Db, grantId: string): Promise<number | undefined> {
  const row = await db
    .selectFrom('oauthRecords')
    .select('userId')
    .where('model', '=', 'Grant')
    .where('idHash', '=', sha256(grantId))
    .executeTakeFirst()
  return row?.userId ?? undefined
}

/** What there is to know of a grant. */
export interface GrantFacts {
  /** How lists name it. */
  readonly handle: string
  readonly expiresAt: Date
  /** Who really uses it; null: the user. */
  readonly actorId: number | null
  readonly actorEmail: string | null
}

/** A grant by its id. */
export function readGrant(db: Db, grantId: string): Promise<GrantFacts | undefined> {
  return db
    .selectFrom('oauthLiveGrants')
    .select(['handle', 'expiresAt', 'actorId', 'actorEmail'])
    .where('idHash', '=', sha256(grantId))
    .executeTakeFirst()
}

/** Ties a grant to whoever uses it in the user's name, and to the session of that one. */
export async function lendGrant(db: Db, grantId: string, { userId, sessionId }: Borrower): Promise<void> {
  await db
    .updateTable('oauthRecords')
    .set({ actorId: userId, sessionId })
    .where('model', '=', 'Grant')
    .where('idHash', '=', sha256(grantId))
    .execute()
}

/** Access tokens that applications hold for a person, the newest first. */
export function listTokens(db: Db, clock: Clock, userId: number) {
  return tokensOf(db, clock, userId)
    .select(['r.handle', 'r.createdAt', 'r.expiresAt', 'c.id as clientId', 'c.name', 'c.scopes as allowed'])
    .select(sql<string | null>`r.payload->>'scope'`.as('scope'))
    .orderBy('r.createdAt', 'desc')
    .orderBy('r.handle', 'desc')
    .limit(1000)
    .execute()
}

/** The grant of an access token of a person, by the token's name in lists. */
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

/** Days for which a consent is remembered: until then nobody is asked again. */
export const consentDays = 14

/** Writes down that a person has consented. True: that is new, or more than before. */
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

/** Whether a person has consented to these scopes, or to more, since a moment. */
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

/** The moment before which a consent is too old. */
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

/** Applications that a person has connected, the latest first. */
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

/** Forgets the consents to an application. False: there was none. */
export async function deleteConsents(db: Db, userId: number, clientId: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('oauthConsents')
    .where('userId', '=', userId)
    .where('clientId', '=', clientId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Ends the access of all applications of a person, which have to ask again. Gives their names, in their order. */
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
