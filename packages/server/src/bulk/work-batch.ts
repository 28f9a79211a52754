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
import { doWhole, type WholeWork } from './work-whole.ts'

/** Processes a batch for a limited number of steps and enqueues itself again until the batch is finished. */
export const batchJob = defineJob('batch:work', z.object({ id: z.uuid() }), 24)

/** Rows checked per transaction before any row is processed. */
const checkedAtOnce = 500
/**
 * Rows processed per transaction. Kept low because the account and a cancellation wait for the transaction.
 */
const doneAtOnce = 20
/** Transactions per job before it yields to other jobs. */
const turns = 10

/** Processes one row and returns the object's id. Throws HttpError if the row is invalid. */
export type RowWorker = (row: WaitingRow) => Promise<number | undefined>

/** Implementation of one kind of batch. */
export interface BatchWork {
  /** Reports for each row whether it would succeed. Must not leave any changes behind. */
  check?(db: Db, batch: Batch, rows: readonly WaitingRow[]): Promise<RowOutcome[]>
  /** Total price of all rows that would succeed. */
  price?(db: Db, batch: Batch): Promise<BulkPrice>
  /** Slow preparation of rows that are processed next. Runs outside any transaction. */
  prepare?(batch: Batch, rows: readonly WaitingRow[]): Promise<ReadonlyMap<number, string>>
  /**
   * Checks the permissions again and returns the row worker. Runs in a transaction that holds the account's
   * wallet.
   */
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
  /** Returns the implementation for the batch's kind. */
  readonly workOf: (batch: Batch) => BatchWork
  /** Implementation of plans, which are applied as a whole. */
  readonly whole: WholeWork
  /** Called once per step if the owner's ceiling rejected any of its rows. */
  readonly onCeiling: (trx: Db, refusal: CeilingReached) => Promise<void>
}

/** Enqueues work on a batch. Jobs of the same batch run one after another. */
export function enqueueBatch(jobs: Jobs, db: Db, id: string): Promise<void> {
  return jobs.enqueue(db, batchJob, { id }, { key: `batch:${id}`, queue: `batch:${id}` })
}

/**
 * Registers the batch job. Each step is a transaction that locks the batch, processes some rows and stores
 * their outcomes. If the process dies, no row is processed twice and the next job resumes where it stopped.
 */
export function handleBatches(parts: BatchParts): void {
  parts.jobs.handle(batchJob, async ({ id }) => {
    for (let turn = 0; turn < turns; turn++) {
      const batch = await readBatch(parts.db, id)
      if (batch?.kind === 'plan') return batch.state === 'running' ? doWhole(parts, batch) : undefined
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
    // another process may have processed the others in the meantime
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
