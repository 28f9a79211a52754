import { after, type Clock, minute } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { newUuid } from '../../platform/ids.ts'
import { RepeatedWork } from '../../platform/jobs/repeated-work.ts'
import type { Log } from '../../platform/log.ts'
import type { Secrets } from '../../platform/secrets.ts'
import { presentEvent } from '../../users/events/feed.ts'
import { type FeedRow, numberEvents } from '../../users/events/feed-store.ts'
import { pauseFailing } from '../pause-failing.ts'
import {
  type AttemptRecord,
  anyActive,
  type ClaimedDelivery,
  claimDeliveries,
  type HeldWebhook,
  noteFailing,
  noteWorking,
  planDeliveries,
  readEvents,
  recordAttempts,
  releaseDeliveries,
  takeWebhook,
  webhooksWithWork,
} from './delivery-store.ts'
import { afterAttempt, isDelivered, longestFailure } from './retries.ts'
import type { MessageSender, Outcome } from './send-message.ts'
import { signedMessage } from './webhook-message.ts'

export interface DeliveryWorkerParts {
  readonly db: Db
  readonly clock: Clock
  readonly secrets: Secrets
  readonly log: Log
  readonly sender: MessageSender
}

/** Milliseconds between looks for events. */
const interval = 1000
/** Webhooks served at once, and objects of each whose events are sent at once. */
const parallelWebhooks = 8
const parallelObjects = 32
/** Seconds until another process may take over a delivery. Longer than all events of one object can take. */
const leaseTime = 5 * minute

/** A batch of leased deliveries of one webhook. */
interface Batch {
  readonly webhook: HeldWebhook
  readonly lease: string
  readonly deliveries: readonly ClaimedDelivery[]
}

/**
 * Delivers events to webhooks: at least once, and in order for each object. Any number of processes can do so at
 * once. A delivery is leased before it is sent and recorded afterwards, so that one whose process dies in between
 * is sent again.
 */
export class DeliveryWorker {
  readonly #parts: DeliveryWorkerParts
  readonly #repeated: RepeatedWork

  constructor(parts: DeliveryWorkerParts) {
    this.#parts = parts
    this.#repeated = new RepeatedWork({
      run: () => this.#deliverAll(),
      interval,
      onError: (error) => parts.log.error({ err: error }, 'events were not delivered to webhooks'),
    })
  }

  start(): void {
    this.#repeated.start()
  }

  /** Resolves when the messages in progress are recorded. */
  async stop(): Promise<void> {
    await this.#repeated.stop()
    this.#parts.sender.close()
  }

  /** Delivers everything that is due. */
  runNow(): Promise<void> {
    return this.#repeated.runNow()
  }

  async #deliverAll(): Promise<void> {
    const { db, clock } = this.#parts
    if (!(await anyActive(db))) return
    await numberEvents(db)
    const waiting = await webhooksWithWork(db, clock.now())
    await inParallel(waiting, parallelWebhooks, (id) => this.#serve(id))
  }

  /** Delivers batches of a webhook until nothing is due. */
  async #serve(webhookId: string): Promise<void> {
    while (!this.#repeated.isStopped) {
      const batch = await this.#claim(webhookId)
      if (batch === undefined || batch.deliveries.length === 0) return
      await this.#deliver(batch)
    }
  }

  #claim(webhookId: string): Promise<Batch | undefined> {
    const { db, clock } = this.#parts
    const now = clock.now()
    const lease = newUuid()
    return db.transaction().execute(async (trx) => {
      const webhook = await takeWebhook(trx, webhookId)
      if (webhook === undefined) return undefined
      await planDeliveries(trx, webhookId, now)
      const until = after(now, leaseTime)
      return { webhook, lease, deliveries: await claimDeliveries(trx, webhookId, { lease, now, until }) }
    })
  }

  async #deliver(batch: Batch): Promise<void> {
    const { db } = this.#parts
    const events = await readEvents(
      db,
      batch.deliveries.map(({ eventId }) => eventId),
    )
    const chains = byObject(batch.deliveries)
    const run = new BatchRun(this.#parts, batch, events)
    try {
      await inParallel(chains, parallelObjects, (chain) => run.deliverInOrder(chain))
    } finally {
      await run.record()
      // what follows a failed event of the same object
      await releaseDeliveries(db, batch.lease)
    }
  }
}

/** Attempts that are recorded by one statement, and milliseconds after which fewer are. */
const recordedTogether = 50
const longestUnrecorded = 500

/** Sends the deliveries of a batch. */
class BatchRun {
  readonly #parts: DeliveryWorkerParts
  readonly #batch: Batch
  readonly #events: ReadonlyMap<string, FeedRow>
  #isPaused = false
  #unrecorded: (AttemptRecord & { readonly id: string })[] = []
  #recordedAt = performance.now()
  #isFailing: boolean

  constructor(parts: DeliveryWorkerParts, batch: Batch, events: ReadonlyMap<string, FeedRow>) {
    this.#parts = parts
    this.#batch = batch
    this.#events = events
    this.#isFailing = batch.webhook.failingSince !== null
  }

  /** Sends events of one object until one fails. */
  async deliverInOrder(chain: readonly ClaimedDelivery[]): Promise<void> {
    for (const delivery of chain) {
      if (this.#isPaused || !(await this.#attempt(delivery))) return
    }
  }

  /** Returns whether the next event of the object may follow. */
  async #attempt(delivery: ClaimedDelivery): Promise<boolean> {
    const { clock, secrets, sender } = this.#parts
    const { webhook } = this.#batch
    const event = this.#events.get(delivery.eventId)
    const now = clock.now()
    if (event === undefined) {
      // only operators remove events
      const nothing = { status: null, error: null, durationMs: 0, answer: '' }
      const given = { state: 'failed', attempts: delivery.attempts, nextAt: now, attemptedAt: now } as const
      await this.#record({ id: delivery.id, ...given, ...nothing })
      return true
    }
    const outcome = await sender.send(signedMessage(webhook, presentEvent(event), secrets, now))
    const attempts = delivery.attempts + 1
    await this.#note(outcome, now)
    const { state, nextAt } = afterAttempt(outcome, attempts, now)
    // a webhook that is paused continues with this event
    const next = { nextAt, state: this.#isPaused && state === 'failed' ? 'pending' : state } as const
    const { status, error, durationMs, answer } = outcome
    const attempt = { ...next, attempts, attemptedAt: now, status, error, durationMs, answer }
    await this.#record({ id: delivery.id, ...attempt })
    return next.state !== 'pending'
  }

  /** Records some attempts together. Those that a crash loses are delivered again. */
  async #record(attempt: AttemptRecord & { readonly id: string }): Promise<void> {
    this.#unrecorded.push(attempt)
    const isOld = performance.now() - this.#recordedAt > longestUnrecorded
    if (isOld || this.#unrecorded.length >= recordedTogether) await this.record()
  }

  /** Records the attempts so far. */
  async record(): Promise<void> {
    this.#recordedAt = performance.now()
    const attempts = this.#unrecorded
    this.#unrecorded = []
    if (attempts.length > 0) await recordAttempts(this.#parts.db, this.#batch.lease, attempts)
  }

  /** Records whether the webhook works, and pauses one that doesn't. */
  async #note(outcome: Outcome, now: Date): Promise<void> {
    const { db } = this.#parts
    const { id } = this.#batch.webhook
    if (isDelivered(outcome)) {
      if (this.#isFailing) await noteWorking(db, id)
      this.#isFailing = false
      return
    }
    this.#isFailing = true
    const since = await noteFailing(db, id, now)
    const isGone = outcome.status === 410
    if (!isGone && after(since, longestFailure) > now) return
    this.#isPaused = true
    await pauseFailing(this.#parts, id, isGone ? 'gone' : 'failing')
  }
}

/** Returns the deliveries of each object, in their order. */
function byObject(deliveries: readonly ClaimedDelivery[]): ClaimedDelivery[][] {
  const chains = new Map<string, ClaimedDelivery[]>()
  for (const delivery of deliveries) {
    const chain = chains.get(delivery.objectKey)
    if (chain === undefined) chains.set(delivery.objectKey, [delivery])
    else chain.push(delivery)
  }
  return [...chains.values()]
}

/** Runs work for each item, `limit` at a time. */
async function inParallel<T>(
  items: readonly T[],
  limit: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = items.values()
  const workers = Array.from({ length: Math.min(limit, items.length) }, async () => {
    for (const item of queue) await work(item)
  })
  await Promise.all(workers)
}
