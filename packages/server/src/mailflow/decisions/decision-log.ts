import type { Pool } from 'pg'
import { after, type Clock, day } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { newUuid } from '../../platform/ids.ts'
import type { Log } from '../../platform/log.ts'
import type { Metrics } from '../../platform/metrics/metrics.ts'
import type { Secrets } from '../../platform/secrets.ts'
import type { Decision } from '../decision.ts'
import { createPartitions, lacksPartition } from '../partitions/partition-store.ts'
import { DecisionNumbers } from './decision-numbers.ts'
import type { DecisionSettings } from './decision-settings.ts'
import { insertDecisions, type Policy, removeDecisions, type StoredDecision } from './decision-store.ts'
import { StrangerHashes } from './hide-strangers.ts'

/** What a decision was about. Addresses are canonical. */
export interface DecisionContext {
  readonly direction: 'in' | 'out'
  /** The account and its object; null: nobody here. */
  readonly account: { readonly walletId: string | null; readonly kind: string; readonly id: number } | null
  readonly sender: string
  readonly recipient: string | null
  readonly clientAddress: string | null
  readonly queueId: string | null
  readonly messageId: string | null
  /** Domains whose addresses aren't strangers'. */
  readonly ownDomains: readonly string[]
}

export interface DecisionLogParts {
  readonly db: Db
  readonly pool: Pool
  readonly clock: Clock
  readonly log: Log
  readonly secrets: Secrets
  readonly config: DecisionSettings
  readonly metrics: Metrics
}

/** Milliseconds that decisions wait to be written together, and between attempts while the database is away. */
const gathering = 100
const retryAfter = 1000
const mostInStatement = 500
/** Decisions kept in memory while the database is away; more are lost, oldest first. */
const mostWaiting = 100_000

/**
 * Keeps decisions. They are written together and after the answer, so that a policy doesn't wait for its own log; while
 * the database is away, they wait in memory.
 */
export class DecisionLog {
  readonly #parts: DecisionLogParts
  readonly #hashes: StrangerHashes
  readonly #numbers: DecisionNumbers
  #waiting: StoredDecision[] = []
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> = Promise.resolve()
  #isClosed = false

  constructor(parts: DecisionLogParts) {
    this.#parts = parts
    this.#numbers = new DecisionNumbers(parts.metrics, () => this.#waiting.length)
    this.#hashes = new StrangerHashes(parts.secrets.derive('mail decisions'))
  }

  /** Keeps a decision. Returns at once and never throws. */
  record(policy: Policy, decision: Decision, context: DecisionContext): void {
    this.#numbers.count(policy, decision.reason)
    this.#waiting.push(this.#stored(policy, decision, context))
    if (this.#waiting.length > mostWaiting) {
      const lost = this.#waiting.splice(0, this.#waiting.length - mostWaiting)
      this.#numbers.lose(lost.length)
      this.#parts.log.error({ lost: lost.length }, 'decisions about mail are lost')
    }
    this.#schedule(gathering)
  }

  /** Resolves when everything recorded so far was written, or couldn't be. */
  async settled(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    await this.#write(1)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.settled()
  }

  /** How an address is stored, so that it can be searched for. */
  storedAddress(address: string, isOurs: boolean): string {
    return isOurs || !this.#parts.config.MAILFLOW_HASH_STRANGERS ? address : this.#hashes.hide(address)
  }

  async purge(): Promise<void> {
    const { pool, db, clock, config } = this.#parts
    await removeDecisions(pool, db, after(clock.now(), -config.MAILFLOW_LOG_DAYS * day))
  }

  #stored(policy: Policy, decision: Decision, context: DecisionContext): StoredDecision {
    const { account, sender, recipient, ownDomains, ...more } = context
    const isOurs = (domain: string) => ownDomains.includes(domain)
    const shown = (address: string) =>
      this.storedAddress(address, isOurs(address.slice(address.lastIndexOf('@') + 1)))
    const { facts } = decision
    return {
      id: newUuid(),
      decidedAt: this.#parts.clock.now(),
      policy,
      reason: decision.reason,
      direction: more.direction,
      walletId: account?.walletId ?? null,
      objectKind: account?.kind ?? null,
      objectId: account?.id ?? null,
      sender: shown(sender),
      recipient: recipient === null ? null : shown(recipient),
      clientAddress: more.clientAddress,
      queueId: more.queueId,
      messageId: more.messageId,
      facts: this.#parts.config.MAILFLOW_HASH_STRANGERS ? this.#hashes.hideIn(facts, isOurs) : facts,
    }
  }

  #schedule(delay: number): void {
    if (this.#timer !== undefined || this.#isClosed) return
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      void this.#write(mostInStatement)
    }, delay)
    this.#timer.unref()
  }

  /** Writes while at least so many decisions wait, but always once. One write at a time, so that they stay in order. */
  #write(least: number): Promise<void> {
    this.#writing = this.#writing.then(() => this.#writeWaiting(least))
    return this.#writing
  }

  async #writeWaiting(least: number): Promise<void> {
    do {
      const some = this.#waiting.slice(0, mostInStatement)
      try {
        await this.#insert(some)
        this.#waiting.splice(0, some.length)
      } catch (error) {
        this.#parts.log.warn({ err: error, waiting: this.#waiting.length }, 'decisions about mail wait')
        this.#schedule(retryAfter)
        return
      }
    } while (this.#waiting.length >= least)
    // those recorded meanwhile are gathered again
    if (this.#waiting.length > 0) this.#schedule(gathering)
  }

  async #insert(some: readonly StoredDecision[]): Promise<void> {
    const { pool } = this.#parts
    try {
      await insertDecisions(pool, some)
    } catch (error) {
      if (!lacksPartition(error)) throw error
      const moments = some.map(({ decidedAt }) => decidedAt)
      await createPartitions(pool, 'mail_decisions', moments)
      await insertDecisions(pool, some)
    }
  }
}
