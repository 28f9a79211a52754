import type { RefusalReason } from '@gatehouse/contract/events'
import { type Clock, day, hour } from '../../platform/clock.ts'
import { type CountedEvent, eventNetwork } from '../../platform/counted-event.ts'
import type { Db } from '../../platform/db/database.ts'
import type { EventCounter, Lookup } from '../../platform/event-counter.ts'
import { countEvent } from '../../platform/event-store.ts'
import type { RequestFacts } from '../../platform/http/call.ts'
import type { Principal } from '../../platform/http/callers/principal.ts'
import { TooManyRequests } from '../../platform/http/errors.ts'
import type { Metrics } from '../../platform/metrics/metrics.ts'
import { CompanionRefused, SignInNotConfirmed } from '../companions/errors.ts'
import { SecondFactorInvalid, SecondFactorRequired } from '../second-factor/errors.ts'
import { PasswordWrong } from '../step-up/step-up.ts'
import { userOfSession } from '../tokens/session-store.ts'
import { readUserAgent } from '../user-agent.ts'
import { SignInNumbers } from './sign-in-numbers.ts'
import { SignInRefused } from './sign-in-refused.ts'

/** How a user signs in. */
export type SignInMethod = 'password' | 'passkey' | 'app-password' | 'app' | 'webmail' | 'reset'

/** Origin of a sign-in. */
export interface SignInPlace {
  readonly ip?: string | undefined
  readonly userAgent?: string | undefined
  /** `imap`, `smtp` and so on; absent for the portal. */
  readonly service?: string | undefined
}

/** The user of a sign-in, once known. */
export class SignInTrace {
  user: { readonly id: number; readonly tenantId?: number | undefined } | undefined
  /** What proved the second factor, once it's known. */
  factor: string | undefined
  /** Looks up the user of a sign-in that was rejected before any lookup. */
  lookup: Lookup | undefined
}

/** What authenticated a sign-in, for the entry that is written with its session. */
export interface SignInMeans {
  readonly method: SignInMethod
  readonly factor?: string | undefined
  /** Name of the application or app password. */
  readonly client?: string | undefined
}

/** Maximum entries per hour for throttled sign-ins from one network, across all targeted accounts. */
const mostThrottledUsers = 100
const mostNetworks = 10_000
/** Mail sign-ins of one day that a process remembers. */
const mostSeen = 50_000

/** How a sign-in or a step-up was rejected. */
export interface Refusal {
  readonly method: SignInMethod | 'step-up'
  readonly reason: RefusalReason
  readonly place: SignInPlace
}

export interface SignInLogParts {
  readonly db: Db
  readonly clock: Clock
  readonly events: EventCounter
  readonly metrics: Metrics
}

/**
 * Records sign-ins. One that starts a session is written with it, in one statement (`signInEntry`); rejected
 * ones are counted by `EventCounter`. Sign-ins with unknown addresses appear only in the request log, without
 * the address: people type passwords into that field.
 */
export class SignInLog {
  readonly #parts: SignInLogParts
  readonly #numbers: SignInNumbers
  #hour = 0
  #throttled = new Map<string, Set<string>>()
  #day = 0
  #seen = new Set<string>()

  constructor(parts: SignInLogParts) {
    this.#parts = parts
    this.#numbers = new SignInNumbers(parts.metrics)
  }

  /**
   * Runs a sign-in, adds its outcome to the request's log line, and records it if rejected. Rethrows what the
   * sign-in throws.
   */
  async follow<T>(
    method: SignInMethod | 'step-up',
    request: Pick<RequestFacts, 'ip' | 'userAgent' | 'note'>,
    trace: SignInTrace,
    act: () => Promise<T>,
  ): Promise<T> {
    try {
      const result = await act()
      const outcome = isWaiting(result) ? 'waiting' : 'accepted'
      const { factor } = trace
      this.#numbers.count({ method, outcome, factor })
      request.note({
        ...whoseOf(trace),
        signIn: { method, outcome, ...(factor !== undefined && { factor }) },
      })
      return result
    } catch (error) {
      const reason = reasonOf(error)
      if (reason !== undefined) {
        const outcome = outcomeOf(reason)
        this.#numbers.count({ method, outcome, factor: trace.factor, reason })
        request.note({ ...whoseOf(trace), signIn: { method, outcome, reason } })
        const user = trace.user?.id ?? trace.lookup
        if (user !== undefined && isRecorded(reason)) this.refused({ user, method, reason, place: request })
      }
      throw error
    }
  }

  /** Records a rejected sign-in or step-up. */
  refused({ user, ...refusal }: Refusal & { readonly user: number | Lookup }): void {
    const { reason, place } = refusal
    if (reason === 'throttled' && place.ip !== undefined && !this.#mayOpen(user, place.ip)) return
    this.#parts.events.count({ user, ...refusedEvent(refusal, this.#parts.clock.now()) })
  }

  /** Records a sign-in without a portal session, such as to mail: the first per day and device. */
  accepted(userId: number, means: SignInMeans, place: SignInPlace): void {
    // mail sign-ins have their own numbers
    if (place.service === undefined) this.#numbers.count({ ...means, outcome: 'accepted' })
    const at = this.#parts.clock.now()
    const event = { user: userId, ...acceptedEvent(means, place, at), window: day, isOnce: true }
    // mail clients sign in many times a minute: usually this is just a memory lookup
    const today = Math.floor(at.getTime() / (day * 1000))
    if (today !== this.#day || this.#seen.size >= mostSeen) this.#seen = new Set()
    this.#day = today
    const name = JSON.stringify([userId, event.ip, event.facts, event.details])
    if (this.#seen.has(name)) return
    this.#seen.add(name)
    this.#parts.events.count(event)
  }

  /** Records that a session ended because its refresh token was reused. */
  tokenReused(sessionId: string, place: SignInPlace): void {
    const find = () => userOfSession(this.#parts.db, sessionId)
    this.stolen({ name: `session ${sessionId}`, find }, place)
  }

  /** The same for a user; `client` is the application's name. */
  stolen(user: number | Lookup, place: SignInPlace, client?: string): void {
    this.#parts.events.count({
      user,
      event: 'session.token-reused',
      actor: 'unknown',
      ip: place.ip,
      facts: client === undefined ? {} : { client },
      details: deviceFacts(place),
      window: hour,
      isHostile: true,
      at: this.#parts.clock.now(),
    })
  }

  /** Records a denied call of a signed-in user (403). */
  forbidden({ userId, impersonation }: Principal, ip: string, call: string): void {
    const staff = impersonation && { userId: impersonation.staffId, email: impersonation.staffEmail }
    this.#parts.events.count({
      user: userId,
      event: 'access.refused',
      actor: 'self',
      staff,
      ip,
      facts: {},
      details: { call },
      window: hour,
      isHostile: true,
      at: this.#parts.clock.now(),
    })
  }

  /** Limits entries per address, which may guess at every existing account. */
  #mayOpen(user: number | Lookup, ip: string): boolean {
    const turn = Math.floor(this.#parts.clock.now().getTime() / (hour * 1000))
    if (turn !== this.#hour || this.#throttled.size > mostNetworks) this.#throttled = new Map()
    this.#hour = turn
    const network = eventNetwork(ip)
    const known = this.#throttled.get(network) ?? new Set()
    this.#throttled.set(network, known)
    const name = typeof user === 'number' ? String(user) : user.name
    if (!known.has(name) && known.size >= mostThrottledUsers) return false
    known.add(name)
    return true
  }
}

/** Returns the statement that records a sign-in, to embed in the statement that creates its session. */
export function signInEntry(userId: number, means: SignInMeans, place: SignInPlace, at: Date) {
  const entry: CountedEvent = { userId, ...acceptedEvent(means, place, at), window: hour }
  return countEvent(entry, { times: 1, last: at })
}

/** Returns the statement that records a rejected sign-in, for use in a transaction. */
export function refusalEntry(userId: number, refusal: Refusal, at: Date) {
  return countEvent({ userId, ...refusedEvent(refusal, at) }, { times: 1, last: at })
}

function refusedEvent({ method, reason, place }: Refusal, at: Date) {
  const isStepUp = method === 'step-up'
  return {
    event: isStepUp ? 'sign-in.proof-failed' : 'sign-in.failed',
    actor: isStepUp ? 'self' : 'unknown',
    ip: place.ip,
    facts: { ...(!isStepUp && { method }), reason },
    details: deviceFacts(place),
    window: hour,
    isHostile: true,
    at,
  } as const
}

function acceptedEvent({ method, factor, client }: SignInMeans, place: SignInPlace, at: Date) {
  return {
    event: 'sign-in.succeeded',
    actor: 'self',
    ip: place.ip,
    facts: {
      method,
      ...(factor !== undefined && { factor }),
      ...(client !== undefined && { client }),
    },
    details: deviceFacts(place),
    isHostile: false,
    at,
  } as const
}

type Reason = RefusalReason | 'unknown' | 'factor-needed' | 'denied'

/** Excludes what is no failure, has no user, or is recorded where it is decided. */
function isRecorded(reason: Reason): reason is RefusalReason {
  return !['factor-needed', 'denied', 'expired', 'given-up', 'unknown'].includes(reason)
}

/** Returns why a sign-in was rejected; undefined if something else failed. */
function reasonOf(error: unknown): Reason | undefined {
  if (error instanceof SignInRefused) {
    if (error.reason === 'notfound') return 'unknown'
    return error.reason === 'geolocation' ? 'country' : error.reason
  }
  if (error instanceof PasswordWrong) return 'password'
  if (error instanceof SecondFactorInvalid) return 'factor'
  if (error instanceof SecondFactorRequired) return 'factor-needed'
  if (error instanceof SignInNotConfirmed) return error.why
  if (error instanceof CompanionRefused) return 'expired'
  return error instanceof TooManyRequests ? 'throttled' : undefined
}

function outcomeOf(reason: Reason): string {
  if (reason === 'throttled') return 'throttled'
  return reason === 'factor-needed' ? 'waiting' : 'refused'
}

function isWaiting(result: unknown): boolean {
  return typeof result === 'object' && result !== null && 'status' in result && result.status === 'waiting'
}

function whoseOf({ user }: SignInTrace) {
  if (user === undefined) return {}
  return { userId: user.id, ...(user.tenantId !== undefined && { tenantId: user.tenantId }) }
}

function deviceFacts({ userAgent, service }: SignInPlace): Record<string, string> {
  const { program, system } = readUserAgent(userAgent ?? '')
  return {
    ...(service !== undefined && { service }),
    ...(program !== null && { program }),
    ...(system !== null && { system }),
  }
}
