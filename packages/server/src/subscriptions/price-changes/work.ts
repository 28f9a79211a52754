import { z } from 'zod'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { enqueueAll } from '../../platform/jobs/enqueue.ts'
import { defineJob } from '../../platform/jobs/job.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import {
  enrolWallets,
  forgetPrices,
  forgetRest,
  holdFreeWallets,
  isWaiting,
  markApplied,
  waitForWallet,
  walletsOfSku,
  walletsToApply,
  walletsToTellCancel,
} from './batch-store.ts'
import { earliest } from './rules.ts'
import {
  changesWithWork,
  holdPriceChange,
  type PriceChangeRow,
  readPriceChange,
  setCancelTold,
  setState,
  updateCatalogue,
} from './store.ts'
import { foldPrices } from './unit-store.ts'

/** Wallets per transaction. */
const batch = 200

export const priceChangeJob = defineJob('price-changes:work', z.object({}))
/** Scans for changes that are due. */
export const dueChangesJob = defineJob('price-changes:due', z.unknown())

/** Notifies one wallet's people of a change; handled by billing, which knows who they are. */
export const priceChangeMailJob = defineJob(
  'price-changes:mail',
  z.object({ changeId: z.uuid(), walletId: z.uuid(), mail: z.enum(['announced', 'cancelled']) }),
)

export interface WorkParts {
  readonly db: Db
  readonly clock: Clock
  /** Wallets per transaction; for tests. */
  readonly batch?: number
}

/** Enqueues the work on price changes, in the transaction that makes it necessary. */
export function requestWork(trx: Db): Promise<void> {
  return enqueueAll(trx, priceChangeJob, [
    { payload: {}, key: priceChangeJob.name, queue: priceChangeJob.name },
  ])
}

/** Handles the work on price changes. */
export function handlePriceChanges(jobs: Jobs, parts: WorkParts): void {
  jobs.handle(priceChangeJob, () => workOnPriceChanges(parts))
  jobs.schedule(dueChangesJob, '*/5 * * * *', async () => {
    if ((await changesWithWork(parts.db, parts.clock.now())).length > 0) await requestWork(parts.db)
  })
}

/**
 * Advances every price change as far as possible: notifies customers, applies due prices, reverts cancelled
 * ones. Works in small, idempotent transactions, so it can be repeated and resumed anywhere.
 */
export async function workOnPriceChanges(parts: WorkParts): Promise<void> {
  for (const { id, state } of await changesWithWork(parts.db, parts.clock.now())) {
    if (state === 'cancelled') await takeBack(parts, id)
    else await bringForward(parts, id)
  }
}

async function bringForward(parts: WorkParts, id: string): Promise<void> {
  const { db, clock } = parts
  await announce(parts, id)
  const change = await readPriceChange(db, id)
  if (change?.state !== 'announced' || change.effectiveAt > clock.now()) return
  await db.transaction().execute(async (trx) => {
    const held = await holdPriceChange(trx, id)
    if (held?.state === 'announced' && held.newSubscriptions === 'same-date') await updateCatalogue(trx, held)
  })
  // includes orders at the old price during the announcement
  await enrolAll(parts, change)
  await apply(parts, change)
}

async function announce(parts: WorkParts, id: string): Promise<void> {
  const change = await readPriceChange(parts.db, id)
  if (change?.state !== 'scheduled') return
  await enrolAll(parts, change)
  await parts.db.transaction().execute(async (trx) => {
    const held = await holdPriceChange(trx, id)
    if (held?.state === 'scheduled') await setState(trx, id, 'announced', parts.clock.now())
  })
}

/** Sets the coming price of all affected subscriptions and enqueues the e-mails to their owners. */
async function enrolAll(parts: WorkParts, change: PriceChangeRow): Promise<void> {
  const next = (from: string | undefined, limit: number) => walletsOfSku(parts.db, change.skuId, from, limit)
  await eachBatch(parts, next, async (trx, walletIds) => {
    const held = await holdPriceChange(trx, change.id)
    if (held === undefined || held.state === 'cancelled' || held.state === 'applied') return
    const now = parts.clock.now()
    const first = earliest(now, held.noticeDays)
    // customers who are notified late pay later: the notice counts from the e-mail
    const since = held.noticeDays > 0 && first > held.effectiveAt ? first : held.effectiveAt
    const toTell = await enrolWallets(trx, held, walletIds, { now, since })
    await tell(trx, held.id, toTell, 'announced')
  })
}

async function apply(parts: WorkParts, change: PriceChangeRow): Promise<void> {
  const { db, clock } = parts
  const next = (from: string | undefined, limit: number) =>
    walletsToApply(db, change.id, clock.now(), from, limit)
  await eachBatch(parts, next, async (trx, walletIds) => {
    const now = clock.now()
    await holdPriceChange(trx, change.id)
    await markApplied(trx, change, walletIds, now)
    await foldPrices(trx, walletIds, now)
  })
  await db.transaction().execute(async (trx) => {
    const held = await holdPriceChange(trx, change.id)
    if (held?.state !== 'announced' || (await isWaiting(trx, change.id))) return
    await setState(trx, change.id, 'applied', clock.now())
  })
}

async function takeBack({ db, clock, batch: limit = batch }: WorkParts, id: string): Promise<void> {
  for (;;) {
    const isLast = await db.transaction().execute(async (trx) => {
      const change = await holdPriceChange(trx, id)
      if (change === undefined) return true
      const walletIds = await walletsToTellCancel(trx, id, limit)
      await tell(trx, id, await forgetPrices(trx, change, walletIds, clock.now()), 'cancelled')
      if (walletIds.length > 0) return false
      await forgetRest(trx, id)
      await setCancelTold(trx, id, clock.now())
      return true
    })
    if (isLast) return
  }
}

function tell(trx: Db, changeId: string, walletIds: readonly string[], mail: 'announced' | 'cancelled') {
  return enqueueAll(
    trx,
    priceChangeMailJob,
    walletIds.map((walletId) => ({
      payload: { changeId, walletId, mail },
      key: `price-change:${changeId}:${walletId}:${mail}`,
    })),
  )
}

/**
 * Processes wallets by id, many per transaction, with locks. Wallets locked by others are processed one by one
 * afterwards: waiting for several at once could deadlock with a charging run.
 */
async function eachBatch(
  { db, batch: limit = batch }: WorkParts,
  next: (from: string | undefined, limit: number) => Promise<string[]>,
  work: (trx: Db, walletIds: readonly string[]) => Promise<void>,
): Promise<void> {
  let place: string | undefined
  for (;;) {
    const found = await next(place, limit)
    place = found.at(-1)
    if (place === undefined) return
    const done = await db.transaction().execute(async (trx) => {
      const free = await holdFreeWallets(trx, found)
      if (free.length > 0) await work(trx, free)
      return new Set(free)
    })
    for (const walletId of found.filter((id) => !done.has(id))) {
      await db.transaction().execute(async (trx) => {
        await waitForWallet(trx, walletId)
        await work(trx, [walletId])
      })
    }
  }
}
