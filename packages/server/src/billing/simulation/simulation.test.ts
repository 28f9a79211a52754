import { expect, test } from 'vitest'
import { openDatabase } from '../../platform/db/database.ts'
import { cloneDatabase } from '../../testing/database.ts'
import { openCrashPool } from './crash-pool.ts'
import { simulate } from './simulate.ts'

/** Set these for another life, or a longer one: `SIMULATE_ACCOUNTS=1000 SIMULATE_DAYS=3650 SIMULATE_SEED=7`. */
const setting = (name: string, usual: number) => Number(process.env[`SIMULATE_${name}`] ?? usual)

const options = {
  seed: setting('SEED', 20_260_310),
  accounts: setting('ACCOUNTS', 10),
  days: setting('DAYS', 420),
  crashRate: setting('CRASH_RATE', 0.08),
  start: new Date('2019-12-31T09:00:00Z'),
}

/** Minutes that a long life may take. */
const limit = options.accounts * options.days > 20_000 ? 600 : 2

test(`${options.accounts} accounts live for ${options.days} days with crashes, and every cent is right (seed ${options.seed})`, {
  timeout: limit * 60_000,
}, async () => {
  await using database = await cloneDatabase()
  await using quiet = openDatabase(database.url, 2, () => {})
  await using crashing = openCrashPool(database.url)
  const result = await simulate(quiet.db, crashing, options)
  expect(result.problems).toEqual([])
  expect(result.crashes).toBeGreaterThan(10)
  expect(result.periods).toBeGreaterThan(100)
  if (process.env.SIMULATE_DAYS !== undefined) process.stdout.write(`${JSON.stringify(result)}\n`)
})
