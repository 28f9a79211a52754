import type { Scope } from '@gatehouse/contract/route'
import { type RawBuilder, sql } from 'kysely'
import type { Pool } from 'pg'
import type { Db } from '../../platform/db/database.ts'
import type { Role } from '../../platform/http/callers/principal.ts'
import { isAccountOpen, ownerAwaitsPayment } from '../../users/account-lock-store.ts'
import { standingColumns } from '../standing-store.ts'

/** The stored data of a valid access token. */
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

/** Returns the valid access tokens with these hashes; a prepared statement, since every request runs it. */
export async function readAccessTokens(
  pool: Pool,
  hashes: readonly Buffer[],
  now: Date,
): Promise<TokenRow[]> {
  return (await pool.query<TokenRow>({ ...byHash, values: [hashes, now] })).rows
}

/** The hashes of a token pair, and when each expires. */
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
 * Stores a session, its tokens and the record of its sign-in; returns when its device was last seen. Outside a
 * transaction it doesn't wait for the disk.
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

/** Marks a refresh token as used and returns its session and user; undefined if it is invalid. */
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

/**
 * Records a session's use and new end; returns false if it has ended. Locks it until the end of the
 * transaction.
 */
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

/** Locks a session until the end of the transaction and records its use. */
export async function touchSession(trx: Db, id: string, now: Date): Promise<void> {
  await trx.updateTable('sessions').set({ lastUsedAt: now }).where('id', '=', id).execute()
}

/** Returns a refresh token that was already used. */
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

/** Replaces the scopes of a session's tokens that have exactly the given ones. */
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
 * Replaces a session's tokens and stores the new ones sealed with the exchanged refresh token: one statement,
 * since every client does this hourly.
 */
export async function replaceTokens(
  db: Db,
  session: IssuedSession,
  made: DrawnHashes,
  { hash, sealed }: { readonly hash: Buffer; readonly sealed: Buffer | undefined },
): Promise<void> {
  const { id, userId, scopes, impersonationId } = session
  // only the token exchanged last can be reused
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

/** One session, or all of a user except one; the latter excludes companion devices' sessions. */
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
  // the session first: this waits for a concurrent token exchange, so that its new tokens are deleted as well
  await db
    .updateTable('sessions')
    .set({ revokedAt: now, revokedReason: reason })
    .where(matches('id'))
    .where('revokedAt', 'is', null)
    .execute()
  await db.deleteFrom('accessTokens').where(matches('session_id')).execute()
}

/** Notes when all sessions of a user were ended. Servers with connections of the user end those, too. */
export async function noteSessionsEnded(db: Db, userId: number, endedAt: Date): Promise<void> {
  await db
    .insertInto('sessionEnds')
    .values({ userId, endedAt })
    .onConflict((conflict) => conflict.column('userId').doUpdateSet({ endedAt }))
    .execute()
}

/** Deletes the tokens that applications hold for a user. */
export async function deleteApplicationTokens(db: Db, userId: number): Promise<void> {
  await db.deleteFrom('oauthRecords').where('userId', '=', userId).execute()
}

/** Deletes expired tokens and sessions not used since a moment. */
export async function purgeSessions(db: Db, now: Date, unusedSince: Date): Promise<void> {
  await db.deleteFrom('accessTokens').where('expiresAt', '<', now).execute()
  // used tokens must be kept as long as they could be presented again
  await db.deleteFrom('refreshTokens').where('expiresAt', '<', now).execute()
  await db.deleteFrom('sessions').where('lastUsedAt', '<', unusedSince).execute()
}
