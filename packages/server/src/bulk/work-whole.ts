import pg from 'pg'
import type { Clock } from '../platform/clock.ts'
import type { Db } from '../platform/db/database.ts'
import { HttpError } from '../platform/http/errors.ts'
import type { Log } from '../platform/log.ts'
import { CeilingReached } from '../subscriptions/ceiling.ts'
import { holdWallet } from '../subscriptions/entitlement-store.ts'
import { isPassing, messagesOf } from './attempt.ts'
import type { Batch, RowOutcome, WaitingRow } from './batch.ts'
import { changeState, holdBatch } from './batch-store.ts'
import { nextRows, skipRest, writeOutcomes } from './row-store.ts'
import type { RowWorker } from './work-batch.ts'

/** Implementation of batches whose rows all succeed or all fail. */
export interface WholeWork {
  /** Returns the row worker, in the transaction that holds the account's wallet. Throws HttpError. */
  begin(trx: Db, batch: Batch, rows: readonly WaitingRow[]): Promise<RowWorker>
}

interface WholeParts {
  readonly db: Db
  readonly clock: Clock
  readonly log: Log
  readonly whole: WholeWork
  readonly onCeiling: (trx: Db, refusal: CeilingReached) => Promise<void>
}

/** Maximum rows of such a batch. */
const mostRows = 10_000

/** A row failed, so that nothing of the batch is done. */
class RowFailed extends Error {
  override name = 'RowFailed'
  readonly n: number
  override readonly cause: unknown

  constructor(n: number, cause: unknown) {
    super(`row ${n} failed`)
    this.n = n
    this.cause = cause
  }
}

/**
 * Processes all rows of a batch in one transaction. If the process dies, nothing is done and the next job
 * begins again. If a row fails, nothing is done and the batch ends with the row's error.
 */
export async function doWhole(parts: WholeParts, { id }: Batch): Promise<void> {
  try {
    await parts.db.transaction().execute((trx) => doAll(parts, trx, id))
  } catch (error) {
    if (!(error instanceof RowFailed)) throw error
    const { cause } = error
    if (!(cause instanceof HttpError))
      parts.log.error({ err: cause, batch: id, row: error.n }, 'batch failed')
    await endFailed(parts, id, error)
  }
}

async function doAll({ clock, whole }: WholeParts, trx: Db, id: string): Promise<void> {
  const batch = await holdBatch(trx, id)
  if (batch?.state !== 'running') return
  await holdWallet(trx, batch.walletId)
  const rows = await nextRows(trx, id, 'ok', mostRows)
  const first = rows[0]?.n ?? 1
  const work = await failing(first, () => whole.begin(trx, batch, rows))
  const outcomes: RowOutcome[] = []
  for (const row of rows) {
    const objectId = await failing(row.n, () => work(row))
    outcomes.push({ n: row.n, state: 'done', ...(objectId !== undefined && { objectId }) })
  }
  await writeOutcomes(trx, id, outcomes)
  await changeState(trx, id, ['running'], { to: 'done', at: clock.now() })
}

/** Errors of the database that have nothing to do with the row are thrown, so that the work is retried. */
async function failing<T>(n: number, act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    if (error instanceof pg.DatabaseError && isPassing(error)) throw error
    throw new RowFailed(n, error)
  }
}

function endFailed({ db, clock, onCeiling }: WholeParts, id: string, { n, cause }: RowFailed): Promise<void> {
  return db.transaction().execute(async (trx) => {
    const batch = await holdBatch(trx, id)
    if (batch?.state !== 'running') return
    await writeOutcomes(trx, id, [{ n, state: 'failed', messages: messagesOf(cause) }])
    await skipRest(trx, id)
    await changeState(trx, id, ['running'], { to: 'done', at: clock.now() })
    if (cause instanceof CeilingReached) await onCeiling(trx, cause)
  })
}
