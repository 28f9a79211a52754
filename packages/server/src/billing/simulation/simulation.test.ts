import pino from 'pino'
import { expect, test } from 'vitest'
import { openDatabase } from '../../platform/db/database.ts'
import { Jobs } from '../../platform/jobs/jobs.ts'
import { cloneDatabase } from '../../testing/database.ts'
import { openCrashPool } from './crash-pool.ts'
import { simulate } from './simulate.ts'

/**
 * Environment variables for other or longer simulations: `SIMULATE_ACCOUNTS=1000 SIMULATE_DAYS=3650
 * SIMULATE_SEED=7`.
 */
const setting = (name: string, usual: number) => Number(process.env[`SIMULATE_${name}`] ?? usual)

const options = {
  seed: setting('SEED', 20_260_310),
  accounts: setting('ACCOUNTS', 15),
  days: setting('DAYS', 150),
  crashRate: setting('CRASH_RATE', 0.08),
  activity: setting('ACTIVITY', 0.12),
  runs: setting('RUNS', 0.4),
  start: new Date('2019-12-31T00:00:00Z'),
}

/** Timeout in minutes, longer for large simulations. */
const limit = options.accounts * options.days > 20_000 ? 600 : 5

test(`${options.accounts} accounts over ${options.days} days with crashes are charged correctly to the cent (seed ${options.seed})`, {
  timeout: limit * 60_000,
}, async () => {
  await using database = await cloneDatabase()
  await using open = openDatabase(database.url, 2, () => {})
  await using crashing = openCrashPool(database.url)
  const jobs = new Jobs(open.pool, pino({ level: 'silent' }))
  const began = Date.now()
  const tell = (progress: object) => {
    if (process.env.SIMULATE_DAYS === undefined) return
    const seconds = Math.round((Date.now() - began) / 1000)
    process.stdout.write(`${JSON.stringify({ seconds, ...progress })}\n`)
  }
  const result = await simulate(
    { quiet: open.db, pool: open.pool, crashing, jobs },
    { ...options, onMonth: tell },
  )
  tell({ end: true, ...result })
  expect(result.problems).toEqual([])
  expect(result.crashes).toBeGreaterThan(10)
  expect(result.periods).toBeGreaterThan(50)
  expect(result.degradations).toBeGreaterThan(0)
  expect(result.mails).toBeGreaterThan(20)
  expect(result.troubles).toBeGreaterThan(10)
  expect(result.paid).toBeGreaterThan(20)
  expect(result.topUps).toBeGreaterThan(1)
  expect(result.reversals).toBeGreaterThan(2)
})
