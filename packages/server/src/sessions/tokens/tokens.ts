import type { Scope } from '@gatehouse/contract/route'
import { hasBit, userStatus } from '@gatehouse/contract/status'
import { sql } from 'kysely'
import type { Pool } from 'pg'
import { after, type Clock, day, minute } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Impersonator, Principal } from '../../platform/http/callers/principal.ts'
import { newUuid, randomToken } from '../../platform/ids.ts'
import { type Secrets, sha256 } from '../../platform/secrets.ts'
import { isAccountOpen } from '../../users/account-lock.ts'
import type { SecondFactorRules } from '../../users/settings/second-factor-policy.ts'
import { enrolScopes, fullScopes, mustUserEnrol, scopesAfter, standingColumns } from '../enforcement.ts'
import type { SignInDevices } from '../sign-in/sign-in-device.ts'
import { signInEntry } from '../sign-in/sign-in-log.ts'
import { RefreshTokenInvalid, RefreshTokenReused } from './refresh-errors.ts'
import { openSuccessor, type RefreshClient, repeatWindow, sealSuccessor } from './repeated-refresh.ts'
import type { Borrowed, Origin, SessionLife, TokenOptions, TokenPair } from './token-facts.ts'
import { TokenLookup, type TokenRow } from './token-lookup.ts'

/** Sessions and their tokens. Tokens are random and stored as hashes; refresh tokens rotate. */
export class Tokens {
  readonly #db: Db
  readonly #lookup: TokenLookup
  readonly #clock: Clock
  readonly #accessLife: number
  readonly #refreshLife: number
  readonly #sessionLife: number
  readonly #devices: SignInDevices | undefined
  readonly #rules: SecondFactorRules
  readonly #secrets: Secrets | undefined

  constructor(
    db: Db,
    pool: Pool,
    clock: Clock,
    life: SessionLife,
    { devices, rules, secrets }: TokenOptions = {},
  ) {
    this.#db = db
    this.#lookup = new TokenLookup(pool, clock)
    this.#clock = clock
    this.#accessLife = life.access * minute
    this.#refreshLife = life.refresh * minute
    this.#sessionLife = (life.session ?? 0) * day
    this.#devices = devices
    this.#rules = rules ?? { everybody: 'optional', staff: 'optional', withCompanions: true }
    this.#secrets = secrets
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
        isLocked: row.is_locked,
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
   * Begins a session and records the sign-in: one statement, because every login waits for it. Inside a transaction it
   * is as durable as that; a login of its own does not wait for the disk, as a crash in the same instant costs no more
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
    // a companion device stays signed in until it is removed
    const endsAt = borrowed?.endsAt ?? (scopes.includes('mfa') ? null : this.#endOf(now))
    const made = this.#draw(scopes, endsAt)
    const authenticatedAt = borrowed === undefined ? now : null
    const impersonationId = borrowed?.impersonationId ?? null
    const userAgent = origin.userAgent.slice(0, 512)
    // staff who are signed in as somebody else are in the record, and no device of that one
    const device = borrowed === undefined ? this.#devices?.fingerprint(origin) : undefined
    const entry = origin.means && signInEntry(userId, origin.means, origin, now)
    const recorded = entry === undefined ? sql`` : sql`, recorded as (${entry})`
    const { rows } = await sql<{ seen_at: Date | null }>`with relaxed as (
        select case when ${!db.isTransaction}::boolean then set_config('synchronous_commit', 'off', true) end
      ), begun as (
        insert into sessions (id, user_id, ip, user_agent, created_at, last_used_at, ends_at, impersonation_id,
          authenticated_at)
        select ${newUuid()}::uuid, ${userId}::bigint, ${origin.ip}, ${userAgent}, ${now}::timestamptz,
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
   * Exchanges a refresh token. The old pair is worthless afterwards. The same client may repeat the exchange within
   * `repeatWindow` and gets the same tokens; otherwise a token that was exchanged before revokes the whole session
   * (RefreshTokenReused). Someone who needs a second factor by now and has none gets tokens for setting one up.
   */
  async rotate(refreshToken: string, client?: RefreshClient): Promise<{ userId: number; tokens: TokenPair }> {
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
        .where(isAccountOpen)
        .returning(['s.id', 's.user_id', 'r.scopes', 's.ends_at', 's.impersonation_id', 's.authenticated_at'])
        .returning(['s.created_at', 's.companion_id', 'u.role'])
        .returning(standingColumns)
        .executeTakeFirst()
      if (used === undefined) return undefined
      const endsAt = this.#endAfterRefresh(used)
      if (endsAt !== null && endsAt <= now) return { over: used.id }
      // holds the session, so that who ends it either comes first or finds the new tokens
      const held = await trx
        .updateTable('sessions')
        .set({ last_used_at: now, ends_at: endsAt })
        .where('id', '=', used.id)
        .where('revoked_at', 'is', null)
        .returning('id')
        .executeTakeFirst()
      if (held === undefined) throw new RefreshTokenInvalid()
      // scopes were written by begin() from the Scope type
      const earlier = used.scopes as Scope[]
      const scopes = used.impersonation_id === null ? scopesAfter(this.#rules, earlier, used) : earlier
      const tokens = await this.#issue(trx, { ...used, ends_at: endsAt, scopes }, (pair) => ({
        hash,
        sealed: client && this.#secrets && sealSuccessor(this.#secrets, refreshToken, client, pair),
      }))
      return { userId: used.user_id, tokens }
    })
    if (outcome === undefined) return this.#repeat(refreshToken, client)
    if (outcome.over === undefined) return outcome
    await this.revoke(this.#db, outcome.over, 'session lifetime reached')
    throw new RefreshTokenInvalid()
  }

  /** The tokens that the same client got for a refresh token a moment ago; anybody else's second use ends the session. */
  async #repeat(
    refreshToken: string,
    client: RefreshClient | undefined,
  ): Promise<{ userId: number; tokens: TokenPair }> {
    const used = await this.#db
      .selectFrom('refresh_tokens as r')
      .innerJoin('sessions as s', 's.id', 'r.session_id')
      .select(['r.session_id', 'r.used_at', 'r.successor', 's.user_id'])
      .where('r.hash', '=', sha256(refreshToken))
      .where('r.used_at', 'is not', null)
      .executeTakeFirst()
    if (used === undefined || used.used_at === null) throw new RefreshTokenInvalid()
    const isRecent = this.#clock.now() < after(used.used_at, repeatWindow)
    if (isRecent && used.successor !== null && client !== undefined && this.#secrets !== undefined) {
      const tokens = openSuccessor(this.#secrets, refreshToken, client, used.successor)
      if (tokens !== undefined && (await this.#isLatest(tokens))) return { userId: used.user_id, tokens }
    }
    await this.revoke(this.#db, used.session_id, 'refresh token used twice')
    throw new RefreshTokenReused(used.session_id)
  }

  /** Whether tokens are those that their session has now: later ones, and its end, remove the access token. */
  async #isLatest({ accessToken }: TokenPair): Promise<boolean> {
    const found = await this.#db
      .selectFrom('access_tokens')
      .select('hash')
      .where('hash', '=', sha256(accessToken))
      .executeTakeFirst()
    return found !== undefined
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
  async #issue(
    db: Db,
    session: IssuedSession,
    successorOf: (pair: TokenPair) => { readonly hash: Buffer; readonly sealed: Buffer | undefined },
  ): Promise<TokenPair> {
    const made = this.#draw(session.scopes, session.ends_at)
    const { id, user_id: userId, scopes, impersonation_id: impersonationId } = session
    const { hash, sealed } = successorOf(made.pair)
    // only the token that was exchanged last can be presented again
    await sql`with gone as (
        delete from access_tokens where session_id = ${id}::uuid
      ), repeatable as (
        update refresh_tokens set successor = case when hash = ${hash}::bytea then ${sealed ?? null}::bytea end
        where session_id = ${id}::uuid and (hash = ${hash}::bytea or successor is not null)
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

  /** When a session ends that began at a moment; null: when nobody uses it any more. */
  #endOf(begin: Date): Date | null {
    return this.#sessionLife === 0 ? null : after(begin, this.#sessionLife)
  }

  /** The end of a session by the present setting; those of staff in somebody's name keep theirs, companions have none. */
  #endAfterRefresh(session: RefreshedSession): Date | null {
    if (session.impersonation_id !== null) return session.ends_at
    return session.companion_id === null ? this.#endOf(session.created_at) : null
  }

  /** New tokens; none lives longer than `end`. */
  #draw(scopes: readonly Scope[], end: Date | null) {
    const now = this.#clock.now()
    const left = end === null ? Infinity : Math.max(0, Math.floor((end.getTime() - now.getTime()) / 1000))
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

type RefreshedSession = Pick<IssuedSession, 'ends_at' | 'impersonation_id'> & {
  readonly created_at: Date
  readonly companion_id: string | null
}

function impersonationOf(row: TokenRow): { impersonation?: Impersonator } {
  const { impersonation_id: id, staff_id: staffId, staff_email: staffEmail, reason, ends_at: endsAt } = row
  if (id === null || staffId === null || staffEmail === null || reason === null || endsAt === null) return {}
  return { impersonation: { id, staffId, staffEmail, reason, endsAt } }
}
