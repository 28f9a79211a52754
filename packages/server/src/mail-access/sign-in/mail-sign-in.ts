import type { RefusalReason as RecordedReason } from '@gatehouse/contract/events'
import type { AppPasswordScope } from '@gatehouse/contract/sessions/app-passwords'
import type { Hasher } from '../../passwords/hasher.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Lookup } from '../../platform/event-counter.ts'
import { TooManyRequests } from '../../platform/http/errors.ts'
import type { Locator } from '../../platform/location.ts'
import type { ProgramConfirmation } from '../../sessions/companions/confirm-program.ts'
import { CompanionRefused } from '../../sessions/companions/errors.ts'
import { mustEnrol } from '../../sessions/enforcement.ts'
import { passesGeoLock } from '../../sessions/sign-in/geo-lock.ts'
import type { SignInLog, SignInMeans } from '../../sessions/sign-in/sign-in-log.ts'
import type { SecondFactorRules } from '../../users/settings/second-factor-policy.ts'
import { mailSignInRule } from '../app-passwords/mail-sign-in-rule.ts'
import type { AppPasswordHasher } from '../app-passwords/secret.ts'
import type { StoredAppPassword } from '../app-passwords/store.ts'
import { findUsable, noteUse } from '../app-passwords/verify-app-password.ts'
import type { Guesses } from './guesses.ts'
import type { KnownSecrets } from './known-secrets.ts'
import { readLoginName } from './login-name.ts'
import { isDegraded, type MailUser, shutOut } from './mail-user.ts'
import { notePass, readMailUser, recentPasses } from './store.ts'

/** Credentials presented to a mail or groupware server. */
export interface MailAttempt {
  /** As typed. */
  readonly login: string
  readonly secret: string
  /** The requested service; any of several is sufficient if the server doesn't specify it. */
  readonly services: readonly [AppPasswordScope, ...AppPasswordScope[]]
  /** The client's address; undefined if a server behind the proxy asks, which doesn't know it. */
  readonly ip: string | undefined
  /** Whether technical users may sign in this way. */
  readonly isInternal: boolean
}

export type RefusalReason =
  | 'notfound'
  | 'password'
  | 'expired'
  | 'wrong-scope'
  | 'suspended'
  | 'inactive'
  | 'domain'
  | 'degraded'
  | 'geolocation'
  | 'app-password-needed'
  | '2fa'

/** The sign-in is rejected. The reason is for the operator's log; the client only learns that it failed. */
export class MailSignInRefused extends Error {
  override name = 'MailSignInRefused'
  readonly reason: RefusalReason
  /** Undefined: unknown user. */
  readonly userId: number | undefined

  constructor(reason: RefusalReason, userId?: number) {
    super(reason)
    this.reason = reason
    this.userId = userId
  }
}

/**
 * Credentials issued to applications on behalf of a user. Both methods return undefined for anything else.
 */
export interface MailTokens {
  /** Returns the user for whom a short-lived password was issued. */
  userOfPassword(password: string): Promise<number | undefined>
  /** Returns the user whose mail an access token grants access to. */
  userOfAccessToken(token: string): Promise<number | undefined>
}

export interface MailSignInParts {
  readonly db: Db
  readonly clock: Clock
  readonly hasher: Hasher
  readonly appPasswords: AppPasswordHasher
  readonly tokens: MailTokens
  readonly locator: Locator
  readonly secondFactorRules: SecondFactorRules
  readonly companions: ProgramConfirmation
  readonly guesses: Guesses
  readonly known: KnownSecrets
  readonly signIns: SignInLog
}

/** The verified user and the kind of credential. */
type Proof =
  | { readonly kind: 'token' | 'account-password'; readonly user: MailUser }
  | { readonly kind: 'app-password'; readonly user: MailUser; readonly appPassword: StoredAppPassword }

/** Technical users have no app passwords and are exempt from rules about people. */
const isTechnical = ({ role }: MailUser) => role === 'service'

/**
 * Decides about sign-ins to mail and groupware; reference api-meet-files-mail §3.9. Reads everything about the
 * user on each attempt, so revocations take effect immediately in every process.
 */
export class MailSignIn {
  readonly #parts: MailSignInParts

  constructor(parts: MailSignInParts) {
    this.#parts = parts
  }

  /** Throws MailSignInRefused, TooManyRequests, or Stopping. */
  async signIn(attempt: MailAttempt): Promise<MailUser> {
    try {
      return await this.#signIn(attempt)
    } catch (error) {
      this.#recordRefusal(error, attempt)
      throw error
    }
  }

  async #signIn(attempt: MailAttempt): Promise<MailUser> {
    const login = readLoginName(attempt.login)
    const name = login ?? attempt.login.slice(0, 512)
    const found = login === undefined ? undefined : await readMailUser(this.#parts.db, login)
    const user = found !== undefined && isTechnical(found) && !attempt.isInternal ? undefined : found
    const proof =
      (await this.#proveByToken(user, attempt)) ??
      (await this.#proveByAppPassword(user, attempt)) ??
      (await this.#proveByPassword(name, user, attempt))
    await this.#requireRight(proof, attempt)
    const isConfirmed = await this.#requireDevice(proof, attempt)
    this.#parts.guesses.welcome({ login: name, ip: attempt.ip })
    await this.#note(proof, attempt, isConfirmed)
    return proof.user
  }

  /**
   * Verifies passwords issued to applications. They are short-lived and random, so guessing isn't throttled.
   */
  async #proveByToken(user: MailUser | undefined, { secret }: MailAttempt): Promise<Proof | undefined> {
    const { tokens } = this.#parts
    const [, token] = /^Bearer +(\S{1,512})$/.exec(secret) ?? []
    const owner =
      (await tokens.userOfPassword(token ?? secret)) ??
      (token === undefined ? undefined : await tokens.userOfAccessToken(token))
    if (owner === undefined) return undefined
    if (owner !== user?.id) throw new MailSignInRefused('password', user?.id)
    return { kind: 'token', user }
  }

  async #proveByAppPassword(
    user: MailUser | undefined,
    { secret, services }: MailAttempt,
  ): Promise<Proof | undefined> {
    const { db, clock, appPasswords: hasher } = this.#parts
    // no user has the id 0; the query takes the same time for an unknown user
    const asked = { userId: user?.id ?? 0, secret, services }
    const found = await findUsable({ db, clock, hasher }, asked)
    if (user === undefined || found.outcome === 'unknown') return undefined
    if (found.outcome !== 'accepted') throw new MailSignInRefused(found.outcome, user.id)
    return { kind: 'app-password', user, appPassword: found.appPassword }
  }

  /**
   * Verifies the account password, which can be guessed. All rejections that don't involve a device count alike,
   * so that none reveals that the password was correct.
   */
  async #proveByPassword(login: string, user: MailUser | undefined, attempt: MailAttempt): Promise<Proof> {
    const { known, guesses, hasher } = this.#parts
    const question = { login, hash: user?.passwordHash, secret: attempt.secret }
    const refuse = () => new MailSignInRefused(user === undefined ? 'notfound' : 'password', user?.id)
    const before = known.recall(question)
    // the same wrong password again comes from a client with an outdated password and isn't a guess
    if (before === 'wrong' || attempt.secret === '') throw refuse()
    if (before === 'right' && user !== undefined) return { kind: 'account-password', user }
    const isGuess = (error: unknown) => error instanceof MailSignInRefused
    const { ip } = attempt
    const whom = ip === undefined ? { login } : { ip, isKnown: guesses.isFamiliar({ login, ip }) }
    return guesses.guard({ login, ip }, isGuess, async () => {
      const isRight = await hasher.verify(user?.passwordHash, attempt.secret, whom)
      known.remember(question, isRight)
      if (!isRight || user === undefined) throw refuse()
      const proof = { kind: 'account-password', user: await this.#again(user) } as const
      await this.#requireRight(proof, attempt)
      return proof
    })
  }

  /** Reads the user again, because throttling, hashing and devices take time in which access may be revoked. */
  async #again({ id, email, passwordHash }: MailUser): Promise<MailUser> {
    const now = await readMailUser(this.#parts.db, email)
    const isSame = now?.id === id && now.passwordHash === passwordHash
    if (!isSame) throw new MailSignInRefused('password', id)
    return now
  }

  /**
   * Checks everything except the device: state, second factor, country. A server behind the proxy doesn't know
   * the client's address, so it accepts only users the proxy accepted recently.
   */
  async #requireRight({ kind, user }: Proof, { services, ip }: MailAttempt): Promise<void> {
    const reason = shutOut(user)
    if (reason !== undefined) throw new MailSignInRefused(reason, user.id)
    if (isDegraded(user) && services.every((service) => service === 'files'))
      throw new MailSignInRefused('degraded', user.id)
    const verdict = this.#verdict(kind, user)
    if (verdict === 'app-password-needed') throw new MailSignInRefused(verdict, user.id)
    if (kind === 'token' || isTechnical(user)) return
    if (ip === undefined) await this.#requirePass(user, verdict === 'confirmation-needed')
    else if (!isLocal(this.#parts.locator, user, ip)) throw new MailSignInRefused('geolocation', user.id)
  }

  #verdict(kind: Proof['kind'], user: MailUser): ReturnType<typeof mailSignInRule> {
    if (kind !== 'account-password' || isTechnical(user)) return 'allowed'
    const { secondFactorRules, companions } = this.#parts
    const protection = {
      // users who still have to enrol can't use the password alone
      hasSecondFactor: user.hasFactor || mustEnrol(secondFactorRules, user),
      hasCompanion: user.hasCompanion && companions.isOffered,
    }
    return mailSignInRule(protection, 'account-password')
  }

  async #requirePass(user: MailUser, isConfirmationNeeded: boolean): Promise<void> {
    if (!isConfirmationNeeded && !isGeoLocked(user)) return
    const { db, clock, locator } = this.#parts
    const passes = await recentPasses(db, clock, user.id)
    const local = passes.filter(({ ip }) => isLocal(locator, user, ip))
    if (local.length === 0 && isGeoLocked(user)) throw new MailSignInRefused('geolocation', user.id)
    if (isConfirmationNeeded && !local.some(({ isConfirmed }) => isConfirmed))
      throw new MailSignInRefused('2fa', user.id)
  }

  /**
   * Waits for a device if required, and checks everything again afterwards. Returns whether a device confirmed.
   */
  async #requireDevice(proof: Proof, attempt: MailAttempt): Promise<boolean> {
    const { user, kind } = proof
    const { ip } = attempt
    if (ip === undefined || this.#verdict(kind, user) !== 'confirmation-needed') return false
    try {
      await this.#parts.companions.confirm({ userId: user.id, ip, service: attempt.services[0] })
    } catch (error) {
      throw error instanceof CompanionRefused ? new MailSignInRefused('2fa', user.id) : error
    }
    await this.#requireRight({ ...proof, user: await this.#again(user) }, attempt)
    return true
  }

  async #note(proof: Proof, { ip, services }: MailAttempt, isConfirmed: boolean): Promise<void> {
    const { db, clock, signIns } = this.#parts
    const { user } = proof
    signIns.accepted(user.id, meansOf(proof, isConfirmed), { ip, service: services[0] })
    if (ip === undefined) return
    if (isConfirmed || isGeoLocked(user)) await notePass(db, clock, user.id, { ip, isConfirmed })
    if (proof.kind === 'app-password')
      await noteUse({ db, clock }, proof.appPassword, { service: services[0], ip })
  }

  #recordRefusal(error: unknown, { login, ip, services }: MailAttempt): void {
    const [user, reason] = this.#refusalOf(error, login)
    if (user === undefined || reason === undefined) return
    const method = /^app-password-(expired|scope)$/.test(reason) ? 'app-password' : 'password'
    this.#parts.signIns.refused({ user, method, reason, place: { ip, service: services[0] } })
  }

  #refusalOf(
    error: unknown,
    login: string,
  ): readonly [number | Lookup | undefined, RecordedReason | undefined] {
    if (error instanceof MailSignInRefused) return [error.userId, recordedReason[error.reason]]
    const name = error instanceof TooManyRequests ? readLoginName(login) : undefined
    if (name === undefined) return [undefined, undefined]
    return [{ name, find: async () => (await readMailUser(this.#parts.db, name))?.id }, 'throttled']
  }
}

/** Reasons as named in the audit log; decisions of a companion device are logged elsewhere. */
const recordedReason: Readonly<Record<RefusalReason, RecordedReason | undefined>> = {
  notfound: undefined,
  password: 'password',
  expired: 'app-password-expired',
  'wrong-scope': 'app-password-scope',
  suspended: 'suspended',
  inactive: 'inactive',
  domain: 'inactive',
  degraded: 'degraded',
  geolocation: 'country',
  'app-password-needed': 'app-password-needed',
  '2fa': undefined,
}

function meansOf(proof: Proof, isConfirmed: boolean): SignInMeans {
  if (proof.kind === 'app-password') return { method: 'app-password', client: proof.appPassword.name }
  if (proof.kind === 'token') return { method: 'app' }
  return { method: 'password', ...(isConfirmed && { factor: 'companion' }) }
}

function isLocal(locator: Locator, { limitGeo }: MailUser, ip: string): boolean {
  return passesGeoLock(limitGeo ?? undefined, locator.country(ip))
}

function isGeoLocked({ limitGeo }: MailUser): boolean {
  return !passesGeoLock(limitGeo ?? undefined, undefined)
}
