import type { Pool } from 'pg'
import { after, type Clock, day } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { DecisionLog } from '../decisions/decision-log.ts'
import type { DecisionSettings } from '../decisions/decision-settings.ts'
import { createPartitions, lacksPartition } from '../partitions/partition-store.ts'
import type { LoggedStep } from './log-line.ts'
import {
  insertSteps,
  type LogPosition,
  ownDomainsAmong,
  removeSteps,
  sendersOf,
  writePosition,
} from './log-store.ts'

export interface MailLogParts {
  readonly db: Db
  readonly pool: Pool
  readonly clock: Clock
  readonly config: DecisionSettings
  readonly decisions: Pick<DecisionLog, 'storedAddress'>
  /** Many recipients that other servers reject are a sign of a stolen account. */
  readonly rate: { recipientsRejected(userId: number, recipients: number): Promise<void> }
}

/** Seconds that a mail server tries to deliver a message. */
const queueLifetime = 7 * day

/** Keeps what mail servers log about messages, as long and with the same hidden addresses as decisions. */
export class MailLog {
  readonly #parts: MailLogParts

  constructor(parts: MailLogParts) {
    this.#parts = parts
  }

  /** Keeps steps, and how far the log was read, or neither. */
  async record(steps: readonly LoggedStep[], name: string, position: LogPosition): Promise<void> {
    const { db, pool, clock, config } = this.#parts
    const oldest = after(clock.now(), -config.MAILFLOW_LOG_DAYS * day)
    // a log that is read for the first time may be older; a wrong clock must not create partitions for centuries
    const newest = after(clock.now(), day)
    const kept = steps.filter(({ loggedAt }) => loggedAt >= oldest && loggedAt <= newest)
    const stored = config.MAILFLOW_HASH_STRANGERS ? await this.#withoutStrangers(kept) : kept
    const write = () =>
      db.transaction().execute(async (trx) => {
        await insertSteps(trx, stored)
        await writePosition(trx, name, position, clock.now())
      })
    try {
      await write()
    } catch (error) {
      if (!lacksPartition(error)) throw error
      await createPartitions(
        pool,
        'mail_log_steps',
        stored.map(({ loggedAt }) => loggedAt),
      )
      await write()
    }
    await this.#countRejected(kept)
  }

  async purge(): Promise<void> {
    const { pool, db, clock, config } = this.#parts
    await removeSteps(pool, db, after(clock.now(), -config.MAILFLOW_LOG_DAYS * day))
  }

  /** Counts recipients that don't exist elsewhere for the users who wrote to them. */
  async #countRejected(steps: readonly LoggedStep[]): Promise<void> {
    const { db, clock, rate } = this.#parts
    const rejected = steps.filter(({ event, status }) => event === 'bounced' && status?.startsWith('5.1.'))
    if (rejected.length === 0) return
    const now = clock.now()
    const time = { from: after(now, -queueLifetime), to: after(now, day) }
    const senders = await sendersOf(
      db,
      rejected.map(({ queueId }) => queueId),
      time,
    )
    for (const { userId, recipients } of senders) await rate.recipientsRejected(userId, recipients)
  }

  async #withoutStrangers(steps: readonly LoggedStep[]): Promise<LoggedStep[]> {
    const texts = steps.flatMap(addressesIn)
    const ours = await ownDomainsAmong(this.#parts.db, [...new Set(texts.map(domainOf))])
    const hide = (address: string) =>
      address === '' ? '' : this.#parts.decisions.storedAddress(address, ours.has(domainOf(address)))
    return steps.map(({ response, ...step }) => ({
      ...step,
      ...(step.sender !== undefined && { sender: hide(step.sender) }),
      ...(step.recipient !== undefined && { recipient: hide(step.recipient) }),
      ...(step.originalRecipient !== undefined && { originalRecipient: hide(step.originalRecipient) }),
      // other servers repeat the recipient in their answers
      ...(response !== undefined && {
        response: response.replaceAll(/[^\s<>()"',;:]+@[^\s<>()"',;:]+/g, '…'),
      }),
    }))
  }
}

function addressesIn({ sender, recipient, originalRecipient }: LoggedStep): string[] {
  return [sender, recipient, originalRecipient].filter((address) => address !== undefined)
}

function domainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1)
}
