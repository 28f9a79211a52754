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

/** Writes a planned batch and starts it at once; returns its number. */
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

/** Begins to check the rows of an import whose file was read. */
export async function beginCheck({ db, jobs }: Parts, id: string, total: number): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await changeState(trx, id, ['reading'], { to: 'checking', total })
    await enqueueBatch(jobs, trx, id)
  })
}

/** Starts a batch that was checked. Throws Conflict when it cannot be started. */
export async function startBatch({ db, clock, jobs }: Parts, id: string, actor: BatchActor): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const change = { to: 'running', actor, at: clock.now() } as const
    if (await changeState(trx, id, ['ready'], change)) return enqueueBatch(jobs, trx, id)
    // a second click finds the batch started, as intended
    const batch = await holdBatch(trx, id)
    if (batch?.state !== 'running' && batch?.state !== 'done') throw new Conflict(message('bulk.not-ready'))
  })
}

/** Cancels a batch and skips the rows that are not done; false when it is over. */
export async function cancelBatch({ db, clock }: Pick<Parts, 'db' | 'clock'>, id: string): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const change = { to: 'cancelled', at: clock.now() } as const
    if (!(await changeState(trx, id, ['checking', 'ready', 'running'], change))) return false
    await skipRest(trx, id)
    return true
  })
}
