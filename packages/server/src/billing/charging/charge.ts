import pg from 'pg'
import type { Db } from '../../platform/db/database.ts'
import { holdWallet } from '../../subscriptions/entitlement-store.ts'
import {
  type ChargedWallet,
  type DuePlace,
  dueWallets,
  expectedCharges,
  takeDueWallets,
  writeCharges,
} from './charge-store.ts'

/** Wallets per transaction: large enough to be fast, small enough not to block others. */
const batch = 500

/** Batches processed concurrently by one run, because the database has more than one core. */
const workers = 2

/** Totals of a run in cents. */
export interface ChargeRun {
  readonly wallets: number
  readonly units: number
  readonly cost: number
  readonly fee: number
}

export interface RunOptions {
  readonly now: Date
  /** Only sums up what is due, without writing. */
  readonly dryRun?: boolean
  readonly batch?: number
}

/**
 * Charges all due wallets; reference api-billing-admin §11. Each batch is a transaction, so an interrupted run
 * leaves every wallet either fully charged or untouched, and the next run continues. Concurrent runs share the
 * work. Wallets being changed are left to the next run.
 */
export async function chargeDueWallets(db: Db, options: RunOptions): Promise<ChargeRun> {
  const runs = await Promise.allSettled(
    Array.from({ length: options.dryRun === true ? 1 : workers }, () => oneWorker(db, options)),
  )
  // wait for all workers before a caller may retry
  const failed = runs.find((run) => run.status === 'rejected')
  if (failed !== undefined) throw failed.reason
  return runs.reduce(
    (total, run) => (run.status === 'fulfilled' ? sum(total, [run.value], run.value.wallets) : total),
    nothing,
  )
}

const nothing: ChargeRun = { wallets: 0, units: 0, cost: 0, fee: 0 }

async function oneWorker(db: Db, options: RunOptions): Promise<ChargeRun> {
  let run = nothing
  let place: DuePlace | undefined
  for (;;) {
    const from: DuePlace | undefined = place
    const { taken, charged } = await again(() => oneBatch(db, options, from))
    const last = taken.at(-1)
    if (last === undefined) return run
    place = last
    run = sum(run, charged, charged.length)
  }
}

async function oneBatch(
  db: Db,
  { now, dryRun = false, batch: limit = batch }: RunOptions,
  from: DuePlace | undefined,
): Promise<{ taken: readonly DuePlace[]; charged: readonly ChargedWallet[] }> {
  if (dryRun) {
    const taken = await dueWallets(db, now, from, limit)
    return { taken, charged: await expectedCharges(db, ids(taken), { now }) }
  }
  return db.transaction().execute(async (trx) => {
    const taken = await takeDueWallets(trx, now, from, limit)
    const charged = taken.length === 0 ? [] : await writeCharges(trx, ids(taken), { now })
    return { taken, charged }
  })
}

/**
 * Charges one wallet in the caller's transaction, after waiting for its lock. Returns undefined if nothing is
 * due. With `toTheDay` it is a settlement: active units are charged up to now.
 */
export async function chargeWallet(
  trx: Db,
  walletId: string,
  terms: { readonly now: Date; readonly toTheDay?: boolean },
): Promise<ChargedWallet | undefined> {
  await holdWallet(trx, walletId)
  const [charged] = await writeCharges(trx, [walletId], terms)
  return charged
}

function ids(places: readonly DuePlace[]): string[] {
  return places.map(({ walletId }) => walletId)
}

function sum(
  run: ChargeRun,
  charged: readonly Pick<ChargeRun, 'units' | 'cost' | 'fee'>[],
  wallets: number,
): ChargeRun {
  const add = (values: readonly number[], start: number) =>
    values.reduce((total, value) => total + value, start)
  return {
    wallets: run.wallets + wallets,
    units: add(
      charged.map(({ units }) => units),
      run.units,
    ),
    cost: add(
      charged.map(({ cost }) => cost),
      run.cost,
    ),
    fee: add(
      charged.map(({ fee }) => fee),
      run.fee,
    ),
  }
}

/** Attempts for a batch that PostgreSQL aborted because of a deadlock. */
const tries = 5

async function again<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      const isRing = error instanceof pg.DatabaseError && error.code === '40P01'
      if (!isRing || attempt === tries) throw error
    }
  }
}
