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

/** Wallets of one transaction: large enough to be fast, small enough to hold nobody up. */
const batch = 500

/** Batches that one run works on at the same time: the database has more than one core. */
const workers = 2

/** What a run charged in all; cents. */
export interface ChargeRun {
  readonly wallets: number
  readonly units: number
  readonly cost: number
  readonly fee: number
}

export interface RunOptions {
  readonly now: Date
  /** Adds up what is due and writes nothing. */
  readonly dryRun?: boolean
  readonly batch?: number
}

/**
 * Charges every wallet that is due; reference api-billing-admin §11. Each batch is a transaction, so a run that is
 * cut off has charged some wallets wholly and the others not at all, and the next one goes on. Runs at the same time
 * share the work. A wallet that is being changed is left for the next run.
 */
export async function chargeDueWallets(db: Db, options: RunOptions): Promise<ChargeRun> {
  const runs = await Promise.allSettled(
    Array.from({ length: options.dryRun === true ? 1 : workers }, () => oneWorker(db, options)),
  )
  // whoever begins again must find nobody still at it
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
 * Charges one wallet inside the caller's transaction, waiting for whoever else changes it. Undefined: it owes
 * nothing. With `toTheDay` a settlement: living units are charged up to this moment.
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

/** Tries of a batch that met another writer in a ring of locks, which PostgreSQL breaks by ending one of them. */
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
