import type { Scope } from '@gatehouse/contract/route'
import { hasBit, userStatus } from '@gatehouse/contract/status'
import type { Pool } from 'pg'
import { after, type Clock, day, minute } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Impersonator, Principal } from '../../platform/http/callers/principal.ts'
import { newUuid, randomToken } from '../../platform/ids.ts'
import { type Secrets, sha256 } from '../../platform/secrets.ts'
import type { SecondFactorRules } from '../../users/settings/second-factor-policy.ts'
import { enrolScopes, fullScopes, mustUserEnrol, scopesAfter } from '../enforcement.ts'
import type { SignInDevices } from '../sign-in/sign-in-device.ts'
import { signInEntry } from '../sign-in/sign-in-log.ts'
import { RefreshTokenInvalid, RefreshTokenReused } from './refresh-errors.ts'
import { openSuccessor, type RefreshClient, repeatWindow, sealSuccessor } from './repeated-refresh.ts'
import type { Borrowed, Origin, SessionLife, TokenOptions, TokenPair } from './token-facts.ts'
import { TokenLookup } from './token-lookup.ts'
import {
  deleteApplicationTokens,
  extendSession,
  findUsedRefreshToken,
  hasAccessToken,
  type IssuedSession,
  insertSession,
  noteSessionsEnded,
  purgeSessions,
  replaceScopes,
  replaceTokens,
  revokeSessions,
  setAuthenticatedAt,
  type TokenRow,
  takeRefreshToken,
  touchSession,
} from './token-store.ts'

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

  /** Lifetime of a refresh token in seconds. */
  get refreshLife(): number {
    return this.#refreshLife
  }

  /** Returns the principal of an access token, or undefined if it is invalid. */
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
   * Starts a session and records the sign-in in one statement, because every login waits for it. Inside a
   * transaction it is as durable as that; a standalone login doesn't wait for the disk, because a crash at that
   * moment only costs another login.
   */
  async begin(
    db: Db,
    userId: number,
    origin: Origin,
    scopes: readonly Scope[] = ['api'],
    borrowed?: Borrowed,
  ): Promise<TokenPair> {
    const now = this.#clock.now()
    // companion devices stay signed in until they are removed
    const endsAt = borrowed?.endsAt ?? (scopes.includes('mfa') ? null : this.#endOf(now))
    const made = this.#draw(scopes, endsAt)
    const authenticatedAt = borrowed === undefined ? now : null
    const impersonationId = borrowed?.impersonationId ?? null
    const userAgent = origin.userAgent.slice(0, 512)
    // impersonation by staff is recorded, but isn't a device of the user
    const device = borrowed === undefined ? this.#devices?.fingerprint(origin) : undefined
    const entry = origin.means && signInEntry(userId, origin.means, origin, now)
    const session = { id: newUuid(), userId, ip: origin.ip, userAgent, now, endsAt, scopes, device, entry }
    const seenAt = await insertSession(db, { ...session, impersonationId, authenticatedAt }, made)
    // a client whose response is lost here has no tokens either, and is reported next time
    if (device !== undefined && !this.#devices?.isFresh(seenAt)) {
      await this.#devices?.note(db, userId, device, { ...origin, userAgent })
    }
    return made.pair
  }

  /** The same for a user who wasn't signed in by `signIn`, with the scopes that user may have. */
  async beginFor(db: Db, userId: number, origin: Origin): Promise<TokenPair> {
    const scopes = (await mustUserEnrol(db, this.#rules, userId)) ? enrolScopes : fullScopes
    return this.begin(db, userId, origin, scopes)
  }

  /**
   * Exchanges a refresh token and invalidates the old pair. The same client may repeat the exchange within
   * `repeatWindow` and gets the same tokens; any other reuse revokes the whole session (RefreshTokenReused). A
   * user who now needs a second factor and has none gets tokens for setting one up.
   */
  async rotate(refreshToken: string, client?: RefreshClient): Promise<{ userId: number; tokens: TokenPair }> {
    const hash = sha256(refreshToken)
    const outcome = await this.#db.transaction().execute(async (trx) => {
      const now = this.#clock.now()
      const used = await takeRefreshToken(trx, hash, now)
      if (used === undefined) return undefined
      const endsAt = this.#endAfterRefresh(used)
      if (endsAt !== null && endsAt <= now) return { over: used.id }
      // locks the session, so that ending it either comes first or sees the new tokens
      if (!(await extendSession(trx, used.id, now, endsAt))) throw new RefreshTokenInvalid()
      // scopes are written by begin() from the Scope type
      const earlier = used.scopes as Scope[]
      const scopes = used.impersonationId === null ? scopesAfter(this.#rules, earlier, used) : earlier
      const made = this.#draw(scopes, endsAt)
      const sealed = client && this.#secrets && sealSuccessor(this.#secrets, refreshToken, client, made.pair)
      await replaceTokens(trx, { ...used, endsAt, scopes }, made, { hash, sealed })
      return { userId: used.userId, tokens: made.pair }
    })
    if (outcome === undefined) return this.#repeat(refreshToken, client)
    if (outcome.over === undefined) return outcome
    await this.revoke(this.#db, outcome.over, 'session lifetime reached')
    throw new RefreshTokenInvalid()
  }

  /**
   * Returns the tokens that the same client just got for a refresh token; reuse by any other client ends the
   * session.
   */
  async #repeat(
    refreshToken: string,
    client: RefreshClient | undefined,
  ): Promise<{ userId: number; tokens: TokenPair }> {
    const used = await findUsedRefreshToken(this.#db, sha256(refreshToken))
    if (used === undefined || used.usedAt === null) throw new RefreshTokenInvalid()
    const isRecent = this.#clock.now() < after(used.usedAt, repeatWindow)
    if (isRecent && used.successor !== null && client !== undefined && this.#secrets !== undefined) {
      const tokens = openSuccessor(this.#secrets, refreshToken, client, used.successor)
      if (tokens !== undefined && (await this.#isLatest(tokens))) return { userId: used.userId, tokens }
    }
    await this.revoke(this.#db, used.sessionId, 'refresh token used twice')
    throw new RefreshTokenReused(used.sessionId)
  }

  /** Whether these are the session's current tokens: newer ones, and its end, delete the access token. */
  #isLatest({ accessToken }: TokenPair): Promise<boolean> {
    return hasAccessToken(this.#db, sha256(accessToken))
  }

  /** Records that the session's user just authenticated. Call it inside a transaction. */
  prove(trx: Db, sessionId: string): Promise<void> {
    return setAuthenticatedAt(trx, sessionId, this.#clock.now())
  }

  /**
   * Gives full scopes to tokens that were limited to setting up a second factor. Call it inside a transaction.
   */
  async promote(trx: Db, sessionId: string): Promise<void> {
    // the session first: this waits for a concurrent token exchange, whose new tokens are promoted as well
    await touchSession(trx, sessionId, this.#clock.now())
    await replaceScopes(trx, sessionId, enrolScopes, fullScopes)
  }

  /** Ends one session. */
  revoke(db: Db, sessionId: string, reason: string): Promise<void> {
    return revokeSessions(db, { sessionId }, this.#clock.now(), reason)
  }

  /**
   * Ends all sessions of a user except one, as after a password change, and connections to the mail store.
   * Companion devices' sessions are kept: without them no one could confirm the next sign-in, and they end with
   * their device.
   */
  async revokeAll(db: Db, userId: number, reason: string, except?: string): Promise<void> {
    const now = this.#clock.now()
    await revokeSessions(db, { userId, except }, now, reason)
    await noteSessionsEnded(db, userId, now)
    // applications got their tokens from one of these sessions; the consent is kept, so they may ask again
    await deleteApplicationTokens(db, userId)
  }

  /** Deletes what has expired; sessions are kept for a month so that their owner still sees them. */
  async purge(): Promise<void> {
    const now = this.#clock.now()
    await purgeSessions(this.#db, now, after(now, -this.#refreshLife - 30 * day))
  }

  /** Returns when a session that began at a moment ends; null if only by disuse. */
  #endOf(begin: Date): Date | null {
    return this.#sessionLife === 0 ? null : after(begin, this.#sessionLife)
  }

  /** Returns the session's end by the current setting; impersonations keep theirs, companions have none. */
  #endAfterRefresh(session: RefreshedSession): Date | null {
    if (session.impersonationId !== null) return session.endsAt
    return session.companionId === null ? this.#endOf(session.createdAt) : null
  }

  /** Generates new tokens; none outlives `end`. */
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

type RefreshedSession = Pick<IssuedSession, 'endsAt' | 'impersonationId'> & {
  readonly createdAt: Date
  readonly companionId: string | null
}

function impersonationOf(row: TokenRow): { impersonation?: Impersonator } {
  const { impersonation_id: id, staff_id: staffId, staff_email: staffEmail, reason, ends_at: endsAt } = row
  if (id === null || staffId === null || staffEmail === null || reason === null || endsAt === null) return {}
  return { impersonation: { id, staffId, staffEmail, reason, endsAt } }
}
