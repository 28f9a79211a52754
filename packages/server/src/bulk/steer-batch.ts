import type { Clock } from '../platform/clock.ts'
import type { Db } from '../platform/db/database.ts'
import { Conflict, message } from '../platform/http/errors.ts'
import { newUuid } from '../platform/ids.ts'
import type { Jobs } from '../platform/jobs/jobs.ts'
import type { BatchActor } from './batch.ts'
import { changeState, holdBatch, insertBatch, type NewBatch } from './batch-store.ts'
import type { BulkPlan } from './plan-bulk.ts'
import { insertRows, skipRest } from './row-store.ts'
import { enqueueBatch } from './work-batch.ts'

interface Parts {
  readonly db: Db
  readonly clock: Clock
  readonly jobs: Jobs
}

type Order = Pick<
  NewBatch,
  'tenantId' | 'creatorId' | 'actor' | 'language' | 'kind' | 'objects' | 'action' | 'params'
>

/** Stores a planned batch and starts it immediately; returns its ID. */
export async function startBulk({ db, clock, jobs }: Parts, plan: BulkPlan, order: Order): Promise<string> {
  const id = newUuid()
  await db.transaction().execute(async (trx) => {
    await insertBatch(trx, clock.now(), {
      ...order,
      id,
      walletId: plan.walletId,
      state: 'running',
      total: plan.rows.length,
      price: plan.price,
    })
    await insertRows(trx, id, plan.rows)
    await enqueueBatch(jobs, trx, id)
  })
  return id
}

/** Starts checking the rows of an uploaded import. */
export async function beginCheck({ db, jobs }: Parts, id: string, total: number): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await changeState(trx, id, ['reading'], { to: 'checking', total })
    await enqueueBatch(jobs, trx, id)
  })
}

/** Starts a checked batch. Throws Conflict if it can't be started. */
export async function startBatch({ db, clock, jobs }: Parts, id: string, actor: BatchActor): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const change = { to: 'running', actor, at: clock.now() } as const
    if (await changeState(trx, id, ['ready'], change)) return enqueueBatch(jobs, trx, id)
    // on a second click the batch is already started, as intended
    const batch = await holdBatch(trx, id)
    if (batch?.state !== 'running' && batch?.state !== 'done') throw new Conflict(message('bulk.not-ready'))
  })
}

/** Cancels a batch and skips its remaining rows; returns false if it is finished. */
export async function cancelBatch({ db, clock }: Pick<Parts, 'db' | 'clock'>, id: string): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const change = { to: 'cancelled', at: clock.now() } as const
    if (!(await changeState(trx, id, ['checking', 'ready', 'running'], change))) return false
    await skipRest(trx, id)
    return true
  })
}
