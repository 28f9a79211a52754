import type { Scope } from '@gatehouse/contract/route'
import { type RawBuilder, sql } from 'kysely'
import type { Pool } from 'pg'
import type { Db } from '../../platform/db/database.ts'
import type { Role } from '../../platform/http/callers/principal.ts'
import { isAccountOpen, ownerAwaitsPayment } from '../../users/account-lock-store.ts'
import { standingColumns } from '../standing-store.ts'

/** What the database knows of an access token that is worth something. */
export interface TokenRow {
  readonly hash: Buffer
  readonly session_id: string
  readonly scopes: Scope[]
  readonly id: number
  readonly tenant_id: number
  readonly email: string
  readonly role: Role | null
  readonly status: number
  readonly is_locked: boolean
  readonly account_version: string
  readonly authenticated_at: Date | null
  readonly impersonation_id: string | null
  readonly staff_id: number | null
  readonly staff_email: string | null
  readonly reason: string | null
  readonly ends_at: Date | null
}

const byHash = {
  name: 'tokens-by-hash',
  text: `select a.hash, a.session_id, a.scopes, a.authenticated_at, u.id, u.tenant_id, u.email, u.role, u.status,
      ${ownerAwaitsPayment} as is_locked,
      concat_ws('.', u.revision, aw.id, aw.revision, o.revision, d.id, d.revision) as account_version,
      i.id as impersonation_id, i.staff_id, s.email as staff_email, i.reason, i.ends_at
    from access_tokens a
      join users u on u.id = a.user_id
      left join wallets aw on aw.id = u.wallet_id
      left join users o on o.id = aw.user_id
      left join domains d on d.namespace = split_part(u.email, '@', 2)
      left join impersonations i on i.id = a.impersonation_id
      left join users s on s.id = i.staff_id
    where a.hash = any($1) and a.expires_at > $2 and u.deleted_at is null and o.deleted_at is null
      and (i.id is null or (s.deleted_at is null and s.role is not null))`,
}

/** The access tokens with these hashes that are worth something; a prepared statement, as every request asks for it. */
export async function readAccessTokens(
  pool: Pool,
  hashes: readonly Buffer[],
  now: Date,
): Promise<TokenRow[]> {
  return (await pool.query<TokenRow>({ ...byHash, values: [hashes, now] })).rows
}

/** The hashes of a pair of tokens, and when each ends. */
export interface DrawnHashes {
  readonly accessHash: Buffer
  readonly accessEnd: Date
  readonly refreshHash: Buffer
  readonly refreshEnd: Date
}

export interface NewSession {
  readonly id: string
  readonly userId: number
  readonly ip: string
  readonly userAgent: string
  readonly now: Date
  readonly endsAt: Date | null
  readonly impersonationId: string | null
  readonly authenticatedAt: Date | null
  readonly scopes: readonly Scope[]
  readonly device: Buffer | undefined
  /** The statement that records the sign-in. */
  readonly entry: RawBuilder<unknown> | undefined
}

/**
 * Stores a session, its tokens and the record of its sign-in; when its device was seen last. Outside a transaction it
 * does not wait for the disk.
 */
export async function insertSession(
  db: Db,
  session: NewSession,
  made: DrawnHashes,
): Promise<Date | null | undefined> {
  const { userId, now, endsAt, impersonationId, authenticatedAt, scopes, device, entry } = session
  const recorded = entry === undefined ? sql`` : sql`, recorded as (${entry})`
  const { rows } = await sql<{ seenAt: Date | null }>`with relaxed as (
      select case when ${!db.isTransaction}::boolean then set_config('synchronous_commit', 'off', true) end
    ), begun as (
      insert into sessions (id, user_id, ip, user_agent, created_at, last_used_at, ends_at, impersonation_id,
        authenticated_at)
      select ${session.id}::uuid, ${userId}::bigint, ${session.ip}, ${session.userAgent}, ${now}::timestamptz,
        ${now}::timestamptz, ${endsAt}::timestamptz, ${impersonationId}::uuid,
        ${authenticatedAt}::timestamptz
      from relaxed returning id
    ), issued as (
      insert into access_tokens (hash, session_id, user_id, scopes, expires_at, impersonation_id,
        authenticated_at)
      select ${made.accessHash}::bytea, id, ${userId}::bigint, ${scopes}::text[], ${made.accessEnd}::timestamptz,
        ${impersonationId}::uuid, ${authenticatedAt}::timestamptz from begun
    )${recorded}
    insert into refresh_tokens (hash, session_id, scopes, expires_at)
    select ${made.refreshHash}::bytea, id, ${scopes}::text[], ${made.refreshEnd}::timestamptz from begun
    returning (select d.seen_at from sign_in_devices d
      where d.user_id = ${userId} and d.device = ${device ?? null}::bytea)`.execute(db)
  return rows[0]?.seenAt
}

/** Marks a refresh token as used, and gives its session and user; undefined when it is worth nothing. */
export async function takeRefreshToken(trx: Db, hash: Buffer, now: Date) {
  return trx
    .updateTable('refreshTokens as r')
    .from('sessions as s')
    .innerJoin('users as u', 'u.id', 's.userId')
    .set({ usedAt: now })
    .where('r.hash', '=', hash)
    .where('r.usedAt', 'is', null)
    .where('r.expiresAt', '>', now)
    .whereRef('s.id', '=', 'r.sessionId')
    .where('s.revokedAt', 'is', null)
    .where('u.deletedAt', 'is', null)
    .where(isAccountOpen)
    .returning(['s.id', 's.userId', 'r.scopes', 's.endsAt', 's.impersonationId', 's.authenticatedAt'])
    .returning(['s.createdAt', 's.companionId', 'u.role'])
    .returning(standingColumns)
    .executeTakeFirst()
}

/** Notes that a session is used and when it ends; false when it has ended. Holds it until the transaction is over. */
export async function extendSession(trx: Db, id: string, now: Date, endsAt: Date | null): Promise<boolean> {
  const held = await trx
    .updateTable('sessions')
    .set({ lastUsedAt: now, endsAt })
    .where('id', '=', id)
    .where('revokedAt', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return held !== undefined
}

/** Holds a session until the transaction is over, and notes that it is used. */
export async function touchSession(trx: Db, id: string, now: Date): Promise<void> {
  await trx.updateTable('sessions').set({ lastUsedAt: now }).where('id', '=', id).execute()
}

/** A refresh token that was used already. */
export async function findUsedRefreshToken(db: Db, hash: Buffer) {
  return db
    .selectFrom('refreshTokens as r')
    .innerJoin('sessions as s', 's.id', 'r.sessionId')
    .select(['r.sessionId', 'r.usedAt', 'r.successor', 's.userId'])
    .where('r.hash', '=', hash)
    .where('r.usedAt', 'is not', null)
    .executeTakeFirst()
}

export async function hasAccessToken(db: Db, hash: Buffer): Promise<boolean> {
  const query = db.selectFrom('accessTokens').select('hash').where('hash', '=', hash)
  return (await query.executeTakeFirst()) !== undefined
}

export async function setAuthenticatedAt(trx: Db, sessionId: string, now: Date): Promise<void> {
  const proved = { authenticatedAt: now }
  await trx.updateTable('sessions').set(proved).where('id', '=', sessionId).execute()
  await trx.updateTable('accessTokens').set(proved).where('sessionId', '=', sessionId).execute()
}

/** Gives tokens of a session that have exactly some scopes others. */
export async function replaceScopes(
  trx: Db,
  sessionId: string,
  from: readonly Scope[],
  to: readonly Scope[],
): Promise<void> {
  for (const table of ['accessTokens', 'refreshTokens'] as const) {
    await trx
      .updateTable(table)
      .set({ scopes: [...to] })
      .where('sessionId', '=', sessionId)
      .where(sql<boolean>`scopes = ${[...from]}::text[]`)
      .execute()
  }
}

/** A session whose tokens are exchanged. */
export interface IssuedSession {
  readonly id: string
  readonly userId: number
  readonly scopes: readonly Scope[]
  readonly endsAt: Date | null
  readonly impersonationId: string | null
  readonly authenticatedAt: Date | null
}

/**
 * Stores new tokens in the place of those that the session has, and seals them with the refresh token that was exchanged
 * for them: one statement, as every client does this every hour.
 */
export async function replaceTokens(
  db: Db,
  session: IssuedSession,
  made: DrawnHashes,
  { hash, sealed }: { readonly hash: Buffer; readonly sealed: Buffer | undefined },
): Promise<void> {
  const { id, userId, scopes, impersonationId } = session
  // only the token that was exchanged last can be presented again
  await sql`with gone as (
      delete from access_tokens where session_id = ${id}::uuid
    ), repeatable as (
      update refresh_tokens set successor = case when hash = ${hash}::bytea then ${sealed ?? null}::bytea end
      where session_id = ${id}::uuid and (hash = ${hash}::bytea or successor is not null)
    ), issued as (
      insert into access_tokens (hash, session_id, user_id, scopes, expires_at, impersonation_id, authenticated_at)
      values (${made.accessHash}::bytea, ${id}::uuid, ${userId}::bigint, ${scopes}::text[],
        ${made.accessEnd}::timestamptz, ${impersonationId}::uuid, ${session.authenticatedAt}::timestamptz)
    )
    insert into refresh_tokens (hash, session_id, scopes, expires_at)
    values (${made.refreshHash}::bytea, ${id}::uuid, ${scopes}::text[], ${made.refreshEnd}::timestamptz)`.execute(
    db,
  )
}

/** One session, or those of a user but one; those of companion devices are left out there. */
export type WhichSessions =
  | { readonly sessionId: string }
  | { readonly userId: number; readonly except: string | undefined }

/** Ends sessions. */
export async function revokeSessions(db: Db, which: WhichSessions, now: Date, reason: string): Promise<void> {
  const matches = (column: string) =>
    'sessionId' in which
      ? sql<boolean>`${sql.ref(column)} = ${which.sessionId}`
      : sql<boolean>`${sql.ref(column)} in (select id from sessions where user_id = ${which.userId}
        and companion_id is null and id is distinct from ${which.except ?? null}::uuid)`
  // the session first: it waits for an exchange of tokens that is under way, whose result then goes too
  await db
    .updateTable('sessions')
    .set({ revokedAt: now, revokedReason: reason })
    .where(matches('id'))
    .where('revokedAt', 'is', null)
    .execute()
  await db.deleteFrom('accessTokens').where(matches('session_id')).execute()
}

/** Removes the tokens that applications have of a user. */
export async function deleteApplicationTokens(db: Db, userId: number): Promise<void> {
  await db.deleteFrom('oauthRecords').where('userId', '=', userId).execute()
}

/** Removes tokens that expired, and sessions that were not used since a moment. */
export async function purgeSessions(db: Db, now: Date, unusedSince: Date): Promise<void> {
  await db.deleteFrom('accessTokens').where('expiresAt', '<', now).execute()
  // a used token must be known as long as it could be presented again
  await db.deleteFrom('refreshTokens').where('expiresAt', '<', now).execute()
  await db.deleteFrom('sessions').where('lastUsedAt', '<', unusedSince).execute()
}
