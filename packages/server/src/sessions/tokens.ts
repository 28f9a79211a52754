import type { Scope } from '@gatehouse/contract/route'
import { hasBit, userStatus } from '@gatehouse/contract/status'
import { sql } from 'kysely'
import type { Pool } from 'pg'
import type { SecondFactorRules } from '../accounts/settings/second-factor-policy.ts'
import { after, type Clock, minute } from '../platform/clock.ts'
import type { Db } from '../platform/db/database.ts'
import { message, Unauthenticated } from '../platform/http/errors.ts'
import type { Impersonator, Principal } from '../platform/http/principal.ts'
import { newUuid, randomToken } from '../platform/ids.ts'
import { sha256 } from '../platform/secrets.ts'
import { enrolScopes, fullScopes, mustUserEnrol, scopesAfter, standingColumns } from './enforcement.ts'
import type { SignInDevices } from './sign-in-device.ts'
import { TokenLookup, type TokenRow } from './token-lookup.ts'

/** What a client gets; lifetimes in seconds. */
export interface TokenPair {
  readonly accessToken: string
  readonly refreshToken: string
  readonly expiresIn: number
  /** They are good for setting up the second factor that is required, and nothing else. */
  readonly mustEnrol: boolean
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
  /** The name by which a browser is known again, drawn when it has none; absent: it is none or cannot keep one. */
  readonly device?: () => string
}

/** The refresh token was used before: its session is revoked, because one of its two holders stole it. */
export class RefreshTokenReused extends Unauthenticated {}

/** The refresh token is unknown, expired or of a revoked session. */
export class RefreshTokenInvalid extends Unauthenticated {
  constructor() {
    super(message('auth.failed'))
  }
}

export interface TokenOptions {
  /** Without them nobody is told of sign-ins. */
  readonly devices?: SignInDevices
  /** Who needs a second factor; without them nobody does but for an account's policy. */
  readonly rules?: SecondFactorRules
}

/** Sessions and their tokens. Tokens are random and stored as hashes; refresh tokens rotate. */
export class Tokens {
  readonly #db: Db
  readonly #lookup: TokenLookup
  readonly #clock: Clock
  readonly #accessLife: number
  readonly #refreshLife: number
  readonly #devices: SignInDevices | undefined
  readonly #rules: SecondFactorRules

  /** Lifetimes in minutes. */
  constructor(
    db: Db,
    pool: Pool,
    clock: Clock,
    life: { access: number; refresh: number },
    { devices, rules }: TokenOptions = {},
  ) {
    this.#db = db
    this.#lookup = new TokenLookup(pool, clock)
    this.#clock = clock
    this.#accessLife = life.access * minute
    this.#refreshLife = life.refresh * minute
    this.#devices = devices
    this.#rules = rules ?? { everybody: 'optional', staff: 'optional', withCompanions: true }
  }

  /** Seconds that a refresh token lives. */
  get refreshLife(): number {
    return this.#refreshLife
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
        authenticatedAt: row.authenticated_at,
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
    const made = this.#draw(scopes, borrowed?.endsAt)
    const authenticatedAt = borrowed === undefined ? now : null
    const impersonationId = borrowed?.impersonationId ?? null
    const userAgent = origin.userAgent.slice(0, 512)
    // staff who are signed in as somebody else are in the record, and no device of that one
    const device = borrowed === undefined ? this.#devices?.fingerprint(origin) : undefined
    const { rows } = await sql<{ seen_at: Date | null }>`with relaxed as (
        select case when ${!db.isTransaction}::boolean then set_config('synchronous_commit', 'off', true) end
      ), begun as (
        insert into sessions (id, user_id, ip, user_agent, created_at, last_used_at, ends_at, impersonation_id,
          authenticated_at)
        select ${newUuid()}::uuid, ${userId}::bigint, ${origin.ip}, ${userAgent}, ${now}::timestamptz,
          ${now}::timestamptz, ${borrowed?.endsAt ?? null}::timestamptz, ${impersonationId}::uuid,
          ${authenticatedAt}::timestamptz
        from relaxed returning id
      ), issued as (
        insert into access_tokens (hash, session_id, user_id, scopes, expires_at, impersonation_id,
          authenticated_at)
        select ${made.accessHash}::bytea, id, ${userId}::bigint, ${scopes}::text[], ${made.accessEnd}::timestamptz,
          ${impersonationId}::uuid, ${authenticatedAt}::timestamptz from begun
      )
      insert into refresh_tokens (hash, session_id, scopes, expires_at)
      select ${made.refreshHash}::bytea, id, ${scopes}::text[], ${made.refreshEnd}::timestamptz from begun
      returning (select d.seen_at from sign_in_devices d
        where d.user_id = ${userId} and d.device = ${device ?? null}::bytea)`.execute(db)
    // whose answer is lost in between has no tokens either, and is told the next time
    if (device !== undefined && !this.#devices?.isFresh(rows[0]?.seen_at)) {
      await this.#devices?.note(db, userId, device, { ...origin, userAgent })
    }
    return made.pair
  }

  /** The same for somebody who was not signed in by `signIn`, with what the tokens of that user may be good for. */
  async beginFor(db: Db, userId: number, origin: Origin): Promise<TokenPair> {
    const scopes = (await mustUserEnrol(db, this.#rules, userId)) ? enrolScopes : fullScopes
    return this.begin(db, userId, origin, scopes)
  }

  /**
   * Exchanges a refresh token. The old pair is worthless afterwards. A token that was exchanged before
   * revokes the whole session (RefreshTokenReused). Who needs a second factor by now and has none gets tokens for
   * setting one up.
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
        .returning(['s.id', 's.user_id', 'r.scopes', 's.ends_at', 's.impersonation_id', 's.authenticated_at'])
        .returning('u.role')
        .returning(standingColumns)
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
      // scopes were written by begin() from the Scope type
      const earlier = used.scopes as Scope[]
      const scopes = used.impersonation_id === null ? scopesAfter(this.#rules, earlier, used) : earlier
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

  /** Notes that the holder of a session proved now who it is. Call it inside a transaction. */
  async prove(trx: Db, sessionId: string): Promise<void> {
    const proved = { authenticated_at: this.#clock.now() }
    await trx.updateTable('sessions').set(proved).where('id', '=', sessionId).execute()
    await trx.updateTable('access_tokens').set(proved).where('session_id', '=', sessionId).execute()
  }

  /** Makes tokens that were good for setting up a second factor good for everything. Call it inside a transaction. */
  async promote(trx: Db, sessionId: string): Promise<void> {
    const scopes = { scopes: [...fullScopes] }
    // the session first: it waits for an exchange of tokens that is under way, whose result is promoted too
    await trx
      .updateTable('sessions')
      .set({ last_used_at: this.#clock.now() })
      .where('id', '=', sessionId)
      .execute()
    for (const table of ['access_tokens', 'refresh_tokens'] as const) {
      await trx
        .updateTable(table)
        .set(scopes)
        .where('session_id', '=', sessionId)
        .where(sql<boolean>`scopes = ${[...enrolScopes]}::text[]`)
        .execute()
    }
  }

  /** Ends one session. */
  async revoke(db: Db, sessionId: string, reason: string): Promise<void> {
    await this.#revoke(db, reason, (column) => sql`${sql.ref(column)} = ${sessionId}`)
  }

  /**
   * Ends every session of a user but one, as after a change of password. Those of companion devices stay: without
   * them nobody could confirm the next sign-in, and they end with their device.
   */
  async revokeAll(db: Db, userId: number, reason: string, except?: string): Promise<void> {
    await this.#revoke(
      db,
      reason,
      (column) => sql`${sql.ref(column)} in (select id from sessions where user_id = ${userId}
        and companion_id is null and id is distinct from ${except ?? null}::uuid)`,
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

  /** New tokens in the place of those that the session has: one statement, as every client does this every hour. */
  async #issue(db: Db, session: IssuedSession): Promise<TokenPair> {
    const made = this.#draw(session.scopes, session.ends_at ?? undefined)
    const { id, user_id: userId, scopes, impersonation_id: impersonationId } = session
    await sql`with gone as (
        delete from access_tokens where session_id = ${id}::uuid
      ), issued as (
        insert into access_tokens (hash, session_id, user_id, scopes, expires_at, impersonation_id, authenticated_at)
        values (${made.accessHash}::bytea, ${id}::uuid, ${userId}::bigint, ${scopes}::text[],
          ${made.accessEnd}::timestamptz, ${impersonationId}::uuid, ${session.authenticated_at}::timestamptz)
      )
      insert into refresh_tokens (hash, session_id, scopes, expires_at)
      values (${made.refreshHash}::bytea, ${id}::uuid, ${scopes}::text[], ${made.refreshEnd}::timestamptz)`.execute(
      db,
    )
    return made.pair
  }

  /** New tokens; none lives longer than `end`. */
  #draw(scopes: readonly Scope[], end?: Date) {
    const now = this.#clock.now()
    const left =
      end === undefined ? Infinity : Math.max(0, Math.floor((end.getTime() - now.getTime()) / 1000))
    const accessLife = Math.min(this.#accessLife, left)
    const refreshLife = Math.min(this.#refreshLife, left)
    const accessToken = randomToken()
    const refreshToken = randomToken()
    const mustEnrol = scopes.includes('enrol')
    const pair: TokenPair = { accessToken, refreshToken, expiresIn: accessLife, mustEnrol }
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
  readonly authenticated_at: Date | null
}

function impersonationOf(row: TokenRow): { impersonation?: Impersonator } {
  const { impersonation_id: id, staff_id: staffId, staff_email: staffEmail, reason, ends_at: endsAt } = row
  if (id === null || staffId === null || staffEmail === null || reason === null || endsAt === null) return {}
  return { impersonation: { id, staffId, staffEmail, reason, endsAt } }
}
