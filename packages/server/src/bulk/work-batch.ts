import type { BulkPrice } from '@gatehouse/contract/directory/bulk'
import { z } from 'zod'
import type { Clock } from '../platform/clock.ts'
import type { Db } from '../platform/db/database.ts'
import { HttpError } from '../platform/http/errors.ts'
import { defineJob } from '../platform/jobs/job.ts'
import type { Jobs } from '../platform/jobs/jobs.ts'
import type { Log } from '../platform/log.ts'
import { CeilingReached } from '../subscriptions/ceiling.ts'
import { holdWallet } from '../subscriptions/entitlement-store.ts'
import { attempt } from './attempt.ts'
import type { Batch, RowOutcome, WaitingRow } from './batch.ts'
import { changeState, holdBatch, readBatch } from './batch-store.ts'
import { nextRows, writeOutcomes } from './row-store.ts'

/** Works on a batch for a while and enqueues itself again until it is over. */
export const batchJob = defineJob('batch:work', z.object({ id: z.uuid() }), 24)

/** Rows that one transaction looks at before anything is done. */
const checkedAtOnce = 500
/** Rows that one transaction does: the account waits for it, and cancelling does too. */
const doneAtOnce = 20
/** Transactions of one job, after which other jobs have their turn. */
const turns = 10

/** Does one row; returns the number of the object. Throws HttpError for what is wrong with the row. */
export type RowWorker = (row: WaitingRow) => Promise<number | undefined>

/** What the rows of a kind of batch mean. */
export interface BatchWork {
  /** Says of rows whether they would succeed. Nothing may stay changed. */
  check?(db: Db, batch: Batch, rows: readonly WaitingRow[]): Promise<RowOutcome[]>
  /** What all rows that would succeed cost. */
  price?(db: Db, batch: Batch): Promise<BulkPrice>
  /** Slow work on rows that are about to be done, outside any transaction. */
  prepare?(batch: Batch, rows: readonly WaitingRow[]): Promise<ReadonlyMap<number, string>>
  /** Looks at the rights again and says how rows are done, in a transaction that holds the account's wallet. */
  begin(
    trx: Db,
    batch: Batch,
    rows: readonly WaitingRow[],
    prepared: ReadonlyMap<number, string>,
  ): Promise<RowWorker>
}

export interface BatchParts {
  readonly db: Db
  readonly clock: Clock
  readonly jobs: Jobs
  readonly log: Log
  /** The work of a batch, by its kind. */
  readonly workOf: (batch: Batch) => BatchWork
  /** Hears once in a step that the owner's ceiling has refused rows of it. */
  readonly onCeiling: (trx: Db, refusal: CeilingReached) => Promise<void>
}

/** Enqueues work on a batch. Jobs of one batch follow each other. */
export function enqueueBatch(jobs: Jobs, db: Db, id: string): Promise<void> {
  return jobs.enqueue(db, batchJob, { id }, { key: `batch:${id}`, queue: `batch:${id}` })
}

/**
 * Takes on the work on batches. Each step is a transaction that holds the batch, does some rows and writes what
 * became of them: whatever kills the process, no row is done twice and the next one goes on where it stopped.
 */
export function handleBatches(parts: BatchParts): void {
  parts.jobs.handle(batchJob, async ({ id }) => {
    for (let turn = 0; turn < turns; turn++) {
      const batch = await readBatch(parts.db, id)
      const isMore =
        batch?.state === 'checking'
          ? await checkSome(parts, batch)
          : batch?.state === 'running' && (await doSome(parts, batch))
      if (!isMore) return
    }
    await enqueueBatch(parts.jobs, parts.db, id)
  })
}

/** Returns false when there is nothing left to check. */
function checkSome(parts: BatchParts, known: Batch): Promise<boolean> {
  const work = parts.workOf(known)
  return parts.db.transaction().execute(async (trx) => {
    const batch = await holdBatch(trx, known.id)
    if (batch?.state !== 'checking') return false
    const rows = await nextRows(trx, batch.id, 'open', checkedAtOnce)
    if (rows.length > 0) await writeOutcomes(trx, batch.id, (await work.check?.(trx, batch, rows)) ?? [])
    if (rows.length === checkedAtOnce) return true
    const price = (await work.price?.(trx, batch)) ?? null
    await changeState(trx, batch.id, ['checking'], { to: 'ready', price })
    return false
  })
}

/** Returns false when there is nothing left to do. */
async function doSome(parts: BatchParts, known: Batch): Promise<boolean> {
  const { db, clock, log } = parts
  const work = parts.workOf(known)
  const expected = await nextRows(db, known.id, 'ok', doneAtOnce)
  const prepared = (await work.prepare?.(known, expected)) ?? new Map<number, string>()
  return db.transaction().execute(async (trx) => {
    const batch = await holdBatch(trx, known.id)
    if (batch?.state !== 'running') return false
    await holdWallet(trx, batch.walletId)
    const waiting = await nextRows(trx, batch.id, 'ok', doneAtOnce)
    // another process may have done the others in the meantime
    const rows = waiting.filter((row) => expected.some((one) => one.n === row.n))
    const act = await work.begin(trx, batch, rows, prepared)
    const outcomes: RowOutcome[] = []
    let refusal: CeilingReached | undefined
    for (const row of rows) {
      outcomes.push(
        await attempt(
          trx,
          row.n,
          () => act(row),
          (error) => {
            if (error instanceof CeilingReached) refusal = error
            else if (!(error instanceof HttpError)) {
              log.error({ err: error, batch: batch.id, row: row.n }, 'batch row failed')
            }
          },
        ),
      )
    }
    await writeOutcomes(trx, batch.id, outcomes)
    if (refusal !== undefined) await parts.onCeiling(trx, refusal)
    if (waiting.length === doneAtOnce || rows.length < waiting.length) return true
    await changeState(trx, batch.id, ['running'], { to: 'done', at: clock.now() })
    return false
  })
}
