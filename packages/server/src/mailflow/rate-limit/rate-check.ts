import { canonicalAddress } from '@gatehouse/contract/canonical-address'
import type { Pool } from 'pg'
import { after, type Clock } from '../../platform/clock.ts'
import { Batch } from '../../platform/db/batch.ts'
import { type Db, repeatOnConflict } from '../../platform/db/database.ts'
import type { Locator } from '../../platform/location.ts'
import { parseEmailAddress } from '../../users/addresses/email-address.ts'
import type { Decision } from '../decision.ts'
import type { DecisionLog } from '../decisions/decision-log.ts'
import { storableText } from '../decisions/storable-text.ts'
import { type Correspondents, writeCorrespondents } from '../greylist/correspondent-store.ts'
import { insertHeld } from '../held-mail/held-mail-store.ts'
import { senderAddress } from '../list-access/sender-address.ts'
import { actionOf } from '../reasons.ts'
import { withoutTag } from '../submission/submission.ts'
import { chargeOf, retryTime } from './attempts.ts'
import { addUsage, hourWindow } from './buckets.ts'
import { KeyedQueue } from './keyed-queue.ts'
import { attemptOf, placeOf, type RateCall, type RatedMessage, recipientHashes } from './message-facts.ts'
import { type RateLimitFacts, rateLimit } from './rate-limit.ts'
import { type RateLimitConfig, rateLimitsOf } from './rate-limit-settings.ts'
import {
  holdRejections,
  lockAccountSending,
  purgeSending,
  readSendingUsers,
  type SendingChange,
  type SendingQuery,
  type SendingUser,
  storeSendings,
  writeRejections,
} from './rate-limit-store.ts'
import {
  changeOf,
  dayOf,
  earlierAttempts,
  isCounted,
  noticesOf,
  type Outcome,
  secondsOf,
  userFacts,
} from './sending-change.ts'
import { tellOwnerOfHeldMail, warnOfLimit } from './sending-notices.ts'

export interface RateParts {
  readonly db: Db
  readonly pool: Pool
  readonly clock: Clock
  readonly config: RateLimitConfig
  readonly decisions: DecisionLog
  readonly locator: Locator
}

/** Attempts to decide without a lock: a decision counts only if no other one of the account was stored meanwhile. */
const triesWithoutLock = 3

/** Messages whose senders are read, or whose counters are written, by one statement. */
const mostTogether = 100

/** Recipients of a message that is still personal. */
const mostCorrespondents = 50

/** Decides whether users may send one more message, and counts it. */
export class RateCheck {
  readonly #parts: RateParts
  readonly #limits: ReturnType<typeof rateLimitsOf>
  readonly #accounts = new KeyedQueue()
  readonly #users: Batch<SendingQuery, SendingUser | undefined>
  readonly #changes: Batch<SendingChange, boolean>
  readonly #correspondents: Batch<Correspondents, undefined>

  constructor(parts: RateParts) {
    this.#parts = parts
    this.#limits = rateLimitsOf(parts.config)
    const { pool, clock } = parts
    this.#users = new Batch({
      run: (queries) => readSendingUsers(pool, queries),
      most: mostTogether,
    })
    this.#changes = new Batch({
      run: (changes) => repeatOnConflict(() => storeSendings(pool, changes)),
      keyOf: ({ walletId }) => walletId,
      most: mostTogether,
    })
    this.#correspondents = new Batch({
      run: async (found) => {
        await repeatOnConflict(() => writeCorrespondents(pool, clock.now(), found))
        return found.map(() => undefined)
      },
      most: mostTogether,
    })
  }

  /** Decides, counts the message, and records the decision. */
  decide(call: RateCall): Promise<Decision> {
    // decisions of one account would only be made again because of each other
    const address = call.user ?? call.sender
    return this.#accounts.run(address.slice(address.lastIndexOf('@') + 1), () => this.#decide(call))
  }

  async #decide(call: RateCall): Promise<Decision> {
    const { decisions, locator } = this.#parts
    const message: RatedMessage = {
      call,
      attempt: attemptOf(call),
      hashes: recipientHashes(call.recipients),
      place: placeOf(call.clientAddress, locator),
    }
    let result = await this.#tryToDecide(message)
    for (let tries = 1; !result.isStored; tries++) {
      result =
        tries < triesWithoutLock
          ? await this.#tryToDecide(message)
          : await this.#decideLocked(message, result.user)
    }
    const { decision, user } = result
    if (user !== undefined && actionOf(decision.reason) === 'accept')
      await this.#remember(user.id, call.recipients)
    const [only = null] = call.recipients
    decisions.record('rate', decision, {
      direction: 'out',
      account: user === undefined ? null : { walletId: user.walletId, kind: 'user', id: user.id },
      sender: senderAddress(call.sender)?.full ?? canonicalAddress(call.sender),
      recipient: call.recipients.length === 1 && only !== null ? canonicalAddress(only) : null,
      clientAddress: message.place.address,
      queueId: message.attempt.queueId,
      messageId: message.attempt.messageId,
      ownDomains: user?.domains ?? [],
    })
    return decision
  }

  /** Counts recipients of a user that other servers rejected: many of them are a sign of a take-over. */
  async recipientsRejected(userId: number, recipients: number): Promise<void> {
    const now = secondsOf(this.#parts.clock.now())
    await this.#parts.db.transaction().execute(async (trx) => {
      const rejections = await holdRejections(trx, userId)
      await writeRejections(trx, userId, addUsage(rejections, hourWindow, now, { messages: 0, recipients }))
    })
  }

  async purge(): Promise<void> {
    const now = this.#parts.clock.now()
    await purgeSending(this.#parts.db, after(now, -retryTime), dayOf(now))
  }

  /** Answers of people that a user writes to skip greylisting. Members of a mass mailing are no correspondents. */
  async #remember(userId: number, recipients: readonly string[]): Promise<void> {
    if (recipients.length > mostCorrespondents) return
    await this.#correspondents.add({ userId, addresses: recipients })
  }

  #decideLocked(message: RatedMessage, user: SendingUser | undefined) {
    return this.#parts.db.transaction().execute(async (trx) => {
      if (user?.walletId != null) await lockAccountSending(trx, user.walletId)
      return this.#tryToDecide(message, trx)
    })
  }

  async #tryToDecide(message: RatedMessage, trx?: Db) {
    const now = this.#parts.clock.now()
    const query = sendingQuery(message, now)
    const user =
      trx === undefined ? await this.#users.add(query) : (await readSendingUsers(trx, [query])).at(0)
    const facts: RateLimitFacts = {
      now: secondsOf(now),
      sender: message.call.sender,
      attempt: message.attempt,
      earlier: user === undefined ? [] : earlierAttempts(user),
      user: null,
    }
    const charge = chargeOf(facts.attempt, facts.earlier, facts.now)
    const rated = user && userFacts(user, message, charge, facts.now)
    const isExempt = user !== undefined && this.#isExempt(user, message.call)
    const decision = rateLimit(
      rated === undefined ? facts : { ...facts, user: { ...rated, isExempt } },
      this.#limits,
    )
    return { decision, user, isStored: await this.#store({ user, message, charge, decision, now }, trx) }
  }

  /** Stores what a decision changes; false if another one of the account was stored since the facts were read. */
  async #store(outcome: Outcome, trx: Db | undefined): Promise<boolean> {
    const { db } = this.#parts
    const { user, decision, now } = outcome
    const isHeld = actionOf(decision.reason) === 'hold'
    if (user === undefined || user.walletId === null || !isCounted(decision.reason)) {
      if (isHeld) await hold(trx ?? db, outcome)
      return true
    }
    const notices = noticesOf(outcome, user)
    const change = changeOf(outcome, user, user.walletId, notices.warned)
    if (!isHeld && notices.warning === undefined && trx === undefined) return this.#changes.add(change)
    return inTransaction(trx ?? db, async (within) => {
      const [isStored = false] = await storeSendings(within, [change])
      if (!isStored) return false
      if (isHeld) await hold(within, outcome)
      if (notices.warning !== undefined) await warnOfLimit(within, notices.warning)
      if (notices.ownerId !== undefined) {
        const { address: ip } = outcome.message.place
        await tellOwnerOfHeldMail(within, { ownerId: notices.ownerId, userId: user.id, at: now, ip })
      }
      return true
    })
  }

  #isExempt({ isExempt, email, role }: SendingUser, { sender }: RateCall): boolean {
    const whitelist = this.#parts.config.RATELIMIT_WHITELIST
    const address = senderAddress(sender)?.full ?? ''
    // service users are the installation's own senders
    return isExempt || role === 'service' || whitelist.includes(email) || whitelist.includes(address)
  }
}

/** What is asked about the sender of a message. */
function sendingQuery({ call, attempt, hashes, place }: RatedMessage, now: Date): SendingQuery {
  const address = call.user === null ? senderAddress(call.sender)?.full : parseEmailAddress(call.user)?.full
  const known = address === undefined ? [] : [address, withoutTag(address)]
  return {
    addresses: known.filter((one) => parseEmailAddress(one) !== undefined),
    queueId: attempt.queueId,
    messageId: attempt.messageId,
    recipientsHash: attempt.recipientsHash,
    recipients: hashes,
    network: place.network,
    country: place.country,
    today: dayOf(now),
    attemptsSince: after(now, -retryTime),
  }
}

async function hold(db: Db, { user, message, decision, now }: Outcome): Promise<void> {
  const { call, attempt, place } = message
  // nobody could see or release it
  if (user === undefined && attempt.queueId === null) return
  await insertHeld(db, {
    userId: user?.id ?? null,
    walletId: user?.walletId ?? null,
    queueId: attempt.queueId,
    messageId: attempt.messageId,
    sender: storableText(call.sender),
    recipients: call.recipients.map(storableText),
    recipientCount: attempt.recipients,
    recipientsHash: attempt.recipientsHash,
    reason: decision.reason,
    clientAddress: place.address,
    heldAt: now,
  })
}

function inTransaction<T>(db: Db, act: (trx: Db) => Promise<T>): Promise<T> {
  return db.isTransaction ? act(db) : db.transaction().execute(act)
}
