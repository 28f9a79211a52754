import type { Scope } from '@gatehouse/contract/route'
import { hasBit, userStatus } from '@gatehouse/contract/status'
import { sql } from 'kysely'
import type { Pool } from 'pg'
import { after, type Clock, minute } from '../platform/clock.ts'
import type { Db } from '../platform/db/database.ts'
import { message, Unauthenticated } from '../platform/http/errors.ts'
import type { Impersonator, Principal } from '../platform/http/principal.ts'
import { newUuid, randomToken } from '../platform/ids.ts'
import { sha256 } from '../platform/secrets.ts'
import { TokenLookup, type TokenRow } from './token-lookup.ts'

/** What a client gets; lifetimes in seconds. */
export interface TokenPair {
  readonly accessToken: string
  readonly refreshToken: string
  readonly expiresIn: number
}

/** A session that ends at a fixed time, which no refresh moves, because staff begin it as somebody else. */
export interface Borrowed {
  readonly impersonationId: string
  readonly endsAt: Date
}

/** Where a session comes from, for the owner's list of sessions. */
export interface Origin {
  readonly ip: string
  readonly userAgent: string
}

/** The refresh token was used before: its session is revoked, because one of its two holders stole it. */
export class RefreshTokenReused extends Unauthenticated {}

/** The refresh token is unknown, expired or of a revoked session. */
export class RefreshTokenInvalid extends Unauthenticated {
  constructor() {
    super(message('auth.failed'))
  }
}

/** Sessions and their tokens. Tokens are random and stored as hashes; refresh tokens rotate. */
export class Tokens {
  readonly #db: Db
  readonly #lookup: TokenLookup
  readonly #clock: Clock
  readonly #accessLife: number
  readonly #refreshLife: number

  /** Lifetimes in minutes. */
  constructor(db: Db, pool: Pool, clock: Clock, life: { access: number; refresh: number }) {
    this.#db = db
    this.#lookup = new TokenLookup(pool, clock)
    this.#clock = clock
    this.#accessLife = life.access * minute
    this.#refreshLife = life.refresh * minute
  }

  /** The principal of an access token, or undefined when it is worth nothing. */
  async authenticate(token: string): Promise<Principal | undefined> {
    const hash = sha256(token)
    const row = await this.#lookup.find(hash)
    return (
      row && {
        userId: row.id,
        tenantId: row.tenant_id,
        email: row.email,
        role: row.role,
        status: row.status,
        isSuspended: hasBit(row.status, userStatus.suspended),
        sessionId: row.session_id,
        tokenHash: hash,
        scopes: row.scopes,
        accountVersion: row.account_version,
        ...impersonationOf(row),
      }
    )
  }

  /**
   * Begins a session: one statement, because every login waits for it. Inside a transaction it is as durable
   * as that; a login of its own does not wait for the disk, as a crash in the same instant costs no more
   * than a second login.
   */
  async begin(
    db: Db,
    userId: number,
    origin: Origin,
    scopes: readonly Scope[] = ['api'],
    borrowed?: Borrowed,
  ): Promise<TokenPair> {
    const now = this.#clock.now()
    const made = this.#draw(borrowed?.endsAt)
    const impersonationId = borrowed?.impersonationId ?? null
    const userAgent = origin.userAgent.slice(0, 512)
    await sql`with relaxed as (
        select case when ${!db.isTransaction}::boolean then set_config('synchronous_commit', 'off', true) end
      ), begun as (
        insert into sessions (id, user_id, ip, user_agent, created_at, last_used_at, ends_at, impersonation_id)
        select ${newUuid()}::uuid, ${userId}::bigint, ${origin.ip}, ${userAgent}, ${now}::timestamptz,
          ${now}::timestamptz, ${borrowed?.endsAt ?? null}::timestamptz, ${impersonationId}::uuid
        from relaxed returning id
      ), issued as (
        insert into access_tokens (hash, session_id, user_id, scopes, expires_at, impersonation_id)
        select ${made.accessHash}::bytea, id, ${userId}::bigint, ${scopes}::text[], ${made.accessEnd}::timestamptz,
          ${impersonationId}::uuid from begun
      )
      insert into refresh_tokens (hash, session_id, scopes, expires_at)
      select ${made.refreshHash}::bytea, id, ${scopes}::text[], ${made.refreshEnd}::timestamptz from begun`.execute(
      db,
    )
    return made.pair
  }

  /**
   * Exchanges a refresh token. The old pair is worthless afterwards. A token that was exchanged before
   * revokes the whole session (RefreshTokenReused).
   */
  async rotate(refreshToken: string): Promise<{ userId: number; tokens: TokenPair }> {
    const hash = sha256(refreshToken)
    const outcome = await this.#db.transaction().execute(async (trx) => {
      const now = this.#clock.now()
      const used = await trx
        .updateTable('refresh_tokens as r')
        .from('sessions as s')
        .innerJoin('users as u', 'u.id', 's.user_id')
        .set({ used_at: now })
        .where('r.hash', '=', hash)
        .where('r.used_at', 'is', null)
        .where('r.expires_at', '>', now)
        .whereRef('s.id', '=', 'r.session_id')
        .where('s.revoked_at', 'is', null)
        .where('u.deleted_at', 'is', null)
        .returning(['s.id', 's.user_id', 'r.scopes', 's.ends_at', 's.impersonation_id'])
        .executeTakeFirst()
      if (used === undefined) return undefined
      // holds the session, so that who ends it either comes first or finds the new tokens
      const held = await trx
        .updateTable('sessions')
        .set({ last_used_at: now })
        .where('id', '=', used.id)
        .where('revoked_at', 'is', null)
        .returning('id')
        .executeTakeFirst()
      if (held === undefined) throw new RefreshTokenInvalid()
      await trx.deleteFrom('access_tokens').where('session_id', '=', used.id).execute()
      // scopes were written by begin() from the Scope type
      const scopes = used.scopes as Scope[]
      const tokens = await this.#issue(trx, { ...used, scopes })
      return { userId: used.user_id, tokens }
    })
    if (outcome !== undefined) return outcome
    const reused = await this.#db
      .selectFrom('refresh_tokens')
      .select('session_id')
      .where('hash', '=', hash)
      .where('used_at', 'is not', null)
      .executeTakeFirst()
    if (reused === undefined) throw new RefreshTokenInvalid()
    await this.revoke(this.#db, reused.session_id, 'refresh token used twice')
    throw new RefreshTokenReused(message('auth.failed'))
  }

  /** Ends one session. */
  async revoke(db: Db, sessionId: string, reason: string): Promise<void> {
    await this.#revoke(db, reason, (column) => sql`${sql.ref(column)} = ${sessionId}`)
  }

  /** Ends every session of a user but one, as after a change of password. */
  async revokeAll(db: Db, userId: number, reason: string, except?: string): Promise<void> {
    await this.#revoke(
      db,
      reason,
      (column) => sql`${sql.ref(column)} in (select id from sessions where user_id = ${userId}
        and id is distinct from ${except ?? null}::uuid)`,
    )
    // applications got theirs from one of these sessions; the consent stays, so they may ask again
    await db.deleteFrom('oauth_records').where('user_id', '=', userId).execute()
  }

  /** Removes what expired; sessions stay for a month so that their owner still sees them. */
  async purge(): Promise<void> {
    const now = this.#clock.now()
    await this.#db.deleteFrom('access_tokens').where('expires_at', '<', now).execute()
    // a used token must be known as long as it could be presented again
    await this.#db.deleteFrom('refresh_tokens').where('expires_at', '<', now).execute()
    await this.#db
      .deleteFrom('sessions')
      .where('last_used_at', '<', after(now, -this.#refreshLife - 30 * 24 * 3600))
      .execute()
  }

  async #revoke(db: Db, reason: string, which: (column: string) => ReturnType<typeof sql>): Promise<void> {
    const now = this.#clock.now()
    // the session first: it waits for an exchange of tokens that is under way, whose result then goes too
    await db
      .updateTable('sessions')
      .set({ revoked_at: now, revoked_reason: reason })
      .where(sql<boolean>`${which('id')}`)
      .where('revoked_at', 'is', null)
      .execute()
    await db
      .deleteFrom('access_tokens')
      .where(sql<boolean>`${which('session_id')}`)
      .execute()
  }

  async #issue(db: Db, session: IssuedSession): Promise<TokenPair> {
    const made = this.#draw(session.ends_at ?? undefined)
    const { id: sessionId, user_id: userId, scopes } = session
    await db
      .insertInto('access_tokens')
      .values({
        hash: made.accessHash,
        session_id: sessionId,
        user_id: userId,
        scopes: [...scopes],
        expires_at: made.accessEnd,
        impersonation_id: session.impersonation_id,
      })
      .execute()
    await db
      .insertInto('refresh_tokens')
      .values({
        hash: made.refreshHash,
        session_id: sessionId,
        scopes: [...scopes],
        expires_at: made.refreshEnd,
        used_at: null,
      })
      .execute()
    return made.pair
  }

  /** New tokens; none lives longer than `end`. */
  #draw(end?: Date) {
    const now = this.#clock.now()
    const left =
      end === undefined ? Infinity : Math.max(0, Math.floor((end.getTime() - now.getTime()) / 1000))
    const accessLife = Math.min(this.#accessLife, left)
    const refreshLife = Math.min(this.#refreshLife, left)
    const accessToken = randomToken()
    const refreshToken = randomToken()
    const pair: TokenPair = { accessToken, refreshToken, expiresIn: accessLife }
    return {
      pair,
      accessHash: sha256(accessToken),
      accessEnd: after(now, accessLife),
      refreshHash: sha256(refreshToken),
      refreshEnd: after(now, refreshLife),
    }
  }
}

interface IssuedSession {
  readonly id: string
  readonly user_id: number
  readonly scopes: readonly Scope[]
  readonly ends_at: Date | null
  readonly impersonation_id: string | null
}

function impersonationOf(row: TokenRow): { impersonation?: Impersonator } {
  const { impersonation_id: id, staff_id: staffId, staff_email: staffEmail, reason, ends_at: endsAt } = row
  if (id === null || staffId === null || staffEmail === null || reason === null || endsAt === null) return {}
  return { impersonation: { id, staffId, staffEmail, reason, endsAt } }
}
