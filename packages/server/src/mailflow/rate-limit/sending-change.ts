import { day } from '../../platform/clock.ts'
import { newUuid } from '../../platform/ids.ts'
import type { Decision } from '../decision.ts'
import { actionOf, type Reason } from '../reasons.ts'
import type { CountedAttempt } from './attempts.ts'
import { addUsage, dayWindow, hourWindow, type Usage, usageIn } from './buckets.ts'
import { rateTier } from './limits.ts'
import type { RatedMessage } from './message-facts.ts'
import type { RateLimitFacts } from './rate-limit.ts'
import type { SendingChange, SendingUser } from './rate-limit-store.ts'

type RatedUser = NonNullable<RateLimitFacts['user']>

/** A decision with what it was made of. */
export interface Outcome {
  readonly user: SendingUser | undefined
  readonly message: RatedMessage
  readonly charge: Usage
  readonly decision: Decision
  readonly now: Date
}

const minuteWindow = { length: 60, width: 60 }
/** Key of the notice to the owner among the warnings. */
const takeoverNotice = 'suspected-takeover'
const scopes = ['account', 'user'] as const

const uncounted: ReadonlySet<Reason> = new Set([
  'rate.invalid-sender',
  'rate.external-sender',
  'rate.suspended',
  'rate.degraded',
  'rate.exempt',
])

/** Whether a message counts. Mail that is held above a limit does. */
export function isCounted(reason: Reason): boolean {
  return !uncounted.has(reason)
}

/** The attempts that may be the same message, as the rule reads them. */
export function earlierAttempts({ earlier }: SendingUser): CountedAttempt[] {
  return earlier.map(({ queueId, messageId, recipientsHash, recipients, at, wasAccepted }) => ({
    ...{ queueId, messageId, recipientsHash, recipients, at, wasAccepted },
  }))
}

/** The facts about a user that the rule needs. */
export function userFacts(user: SendingUser, message: RatedMessage, charge: Usage, now: number): RatedUser {
  const minutes = user.minutes ?? []
  const { network, country } = message.place
  const hour = usageIn(minutes, hourWindow, now)
  return {
    // service users have no account to bill
    isSuspended: user.isSuspended || (user.ownerId === null && user.role !== 'service'),
    isDegraded: user.isDegraded,
    isExempt: user.isExempt,
    tier: rateTier(user),
    own: { minutes, hours: user.hours ?? [] },
    account: { minutes: user.accountMinutes ?? [], hours: user.accountHours ?? [] },
    warnedAt: user.warned ?? {},
    confirmedUntil: user.confirmedUntil === null ? null : secondsOf(user.confirmedUntil),
    takeover: {
      hour: { messages: hour.messages + charge.messages, recipients: hour.recipients + charge.recipients },
      lastMinuteMessages: usageIn(minutes, minuteWindow, now).messages + charge.messages,
      normal: {
        days: user.normal.days,
        busiestHourRecipients: user.normal.recipients,
        busiestMinuteMessages: user.normal.messages,
      },
      newRecipients:
        usageIn(user.strangers ?? [], hourWindow, now).recipients + newRecipients(user, message, charge),
      rejectedRecipients: usageIn(user.rejections ?? [], hourWindow, now).recipients,
      isNewCountry: country !== null && user.hasPlaces && !user.knowsCountry,
      isNewNetwork: network !== null && user.hasPlaces && !user.knowsNetwork,
    },
  }
}

/** Only some recipients of a large message are compared; the share of new ones is that of all. */
function newRecipients(
  { newRecipients: found }: SendingUser,
  { hashes }: RatedMessage,
  charge: Usage,
): number {
  return hashes.length === 0 ? 0 : Math.round((found / hashes.length) * charge.recipients)
}

export interface Notices {
  /** When each warning was sent last, with those that are due now. */
  readonly warned: Readonly<Record<string, number>>
  readonly warning?: { userId: number; limit: string; used: number; most: number }
  /** The owner to tell of a suspected take-over. */
  readonly ownerId?: number
}

/** Who has to be told about a decision. Each is told once in a window. */
export function noticesOf({ decision, now }: Outcome, user: SendingUser): Notices {
  const at = secondsOf(now)
  const recent = Object.entries(user.warned ?? {}).filter(([, last]) => Math.abs(at - last) < day)
  const warned = Object.fromEntries(recent)
  const { limit, used, most } = decision.facts
  if (decision.reason === 'rate.near-limit' && typeof limit === 'string') {
    const warning = { userId: user.id, limit, used: Number(used), most: Number(most) }
    // one warning is enough if the limits of the user and the account are reached together
    const both = Object.fromEntries(scopes.map((scope) => [limit.replace(/^[a-z]+/, scope), at]))
    return { warned: { ...warned, ...both }, warning }
  }
  if (decision.reason !== 'rate.suspected-takeover' || warned[takeoverNotice] !== undefined) return { warned }
  const told = { ...warned, [takeoverNotice]: at }
  return user.ownerId === null ? { warned: told } : { warned: told, ownerId: user.ownerId }
}

/** What a decision changes in the database. */
export function changeOf(
  { message, charge, decision, now }: Outcome,
  user: SendingUser,
  walletId: string,
  warned: Notices['warned'],
): SendingChange {
  const at = secondsOf(now)
  const minutes = addUsage(user.minutes ?? [], hourWindow, at, charge)
  const { attempt } = message
  const retried = user.earlier.find(
    (one) =>
      one.recipientsHash === attempt.recipientsHash &&
      one.queueId === attempt.queueId &&
      one.messageId === attempt.messageId &&
      (one.queueId !== null || !one.wasAccepted),
  )
  const strangers = newRecipients(user, message, charge)
  return {
    userId: user.id,
    walletId,
    version: user.version,
    now,
    today: dayOf(now),
    accountMinutes: addUsage(user.accountMinutes ?? [], hourWindow, at, charge),
    accountHours: addUsage(user.accountHours ?? [], dayWindow, at, charge),
    minutes,
    hours: addUsage(user.hours ?? [], dayWindow, at, charge),
    strangers: addUsage(user.strangers ?? [], hourWindow, at, { messages: 0, recipients: strangers }),
    warned,
    attempt: {
      ...attempt,
      id: retried?.id ?? newUuid(),
      wasAccepted: actionOf(decision.reason) === 'accept',
    },
    hourRecipients: usageIn(minutes, hourWindow, at).recipients,
    minuteMessages: usageIn(minutes, minuteWindow, at).messages,
    network: message.place.network,
    country: message.place.country,
    recipients: message.hashes,
  }
}

/** Seconds since 1970. */
export function secondsOf(moment: Date): number {
  return Math.floor(moment.getTime() / 1000)
}

/** `YYYY-MM-DD`, UTC. */
export function dayOf(moment: Date): string {
  return moment.toISOString().slice(0, 10)
}
