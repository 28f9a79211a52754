import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import type { Benchmark, Result } from './result.ts'
import { databaseAddress, type RunningServer, root, startServer } from './server-process.ts'

/** Billable units per wallet: three users with seven units each. */
const inWallet = 21
const sizes = { small: 100_000, large: 1_000_000 } as const

/** A charging run over everything that is due, as the operator starts it, including process start-up. */
export const charging: Benchmark = {
  name: 'charging',
  async run() {
    const small = await measure(sizes.small)
    const large = await measure(sizes.large)
    return [rate(large), linear(small, large), repeated(large)]
  },
}

interface Figures {
  readonly units: number
  readonly seconds: number
  readonly again: number
  /** Rows written by the second run. */
  readonly changed: number
  readonly made: number
}

async function measure(units: number): Promise<Figures> {
  await using server = await startServer()
  const client = new pg.Client({ connectionString: await databaseAddress(server.dataDir) })
  await client.connect()
  try {
    await charge(server)
    const began = performance.now()
    for (const statement of generation(units)) await client.query(statement)
    const made = (performance.now() - began) / 1000
    const seconds = await charge(server)
    const before = await counts(client)
    if (before.due !== 0) throw new Error(`${before.due} wallets are still due`)
    const again = await charge(server)
    const after = await counts(client)
    return { units, seconds, again, changed: after.rows - before.rows, made }
  } finally {
    await client.end()
  }
}

/** Duration of a full run, in seconds. */
async function charge(server: RunningServer): Promise<number> {
  const began = performance.now()
  await promisify(execFile)(process.execPath, [join(root, 'packages/server/dist/cli.js'), 'wallet:charge'], {
    cwd: root,
    env: { ...process.env, DATABASE_URL: await databaseAddress(server.dataDir), DATA_DIR: server.dataDir },
  })
  return (performance.now() - began) / 1000
}

async function counts(client: pg.Client): Promise<{ rows: number; due: number }> {
  const { rows } = await client.query<{ rows: number; due: number }>(
    `select ((select count(*) from ledger_entries) + (select count(*) from billed_periods))::int as rows,
      (select count(*) from wallet_charging where due_at <= now())::int as due`,
  )
  return rows[0] ?? { rows: 0, due: 0 }
}

/** Wallets whose units are all due for one month. Triggers are disabled, so their rows are inserted here. */
function generation(units: number): string[] {
  const wallets = Math.ceil(units / inWallet)
  return [
    'set session_replication_role = replica',
    `create temporary table made as select i, 100000000 + i::bigint as owner_id, uuidv7() as wallet_id,
      now() - interval '40 days' - i % 17 * interval '1 hour' as at from generate_series(1, ${wallets}) i`,
    `insert into wallets (id, user_id, currency, created_at) select wallet_id, owner_id, 'CHF', at from made`,
    `insert into users (id, tenant_id, email, status, wallet_id, created_at, updated_at)
      select owner_id, 0, 'u' || i || '@bench.test', 35, wallet_id, at, at from made`,
    `insert into entitlements (id, wallet_id, sku_id, object_type, object_id, cost, fee, created_at, billed_until)
      select uuidv7(), m.wallet_id, k.id, 'user', m.owner_id, 25 + n, 10, m.at, m.at
      from made m cross join generate_series(1, ${inWallet}) n, skus k where k.title = 'mailbox' and k.tenant_id = 0
      order by m.i, n limit ${units}`,
    `insert into wallet_charging (wallet_id, due_at)
      select wallet_id, next_due(at, at, null, 1) from made`,
    'vacuum analyze',
  ]
}

function rate({ units, seconds, again, made }: Figures): Result {
  return {
    what: `charging run over ${units.toLocaleString('en')} entitlements`,
    value: units / seconds,
    unit: 'entitlements/s',
    bar: { at: 'least', limit: 20_000 },
    detail: `${seconds.toFixed(1)} s in transactions of 500 wallets, each with ${inWallet} billable units; second run ${again.toFixed(1)} s; data generated in ${made.toFixed(0)} s`,
  }
}

function linear(small: Figures, large: Figures): Result {
  const speed = (figures: Figures) => figures.units / figures.seconds
  return {
    what: 'speed with ten times as many entitlements',
    value: speed(large) / speed(small),
    unit: '×',
    bar: { at: 'least', limit: 0.7 },
    detail: `${Math.round(speed(small)).toLocaleString('en')}/s with ${small.units.toLocaleString('en')}, ${Math.round(speed(large)).toLocaleString('en')}/s with ${large.units.toLocaleString('en')}`,
  }
}

function repeated({ changed, again, seconds }: Figures): Result {
  return {
    what: 'rows written by an immediate second run',
    value: changed,
    unit: 'rows',
    bar: { at: 'most', limit: 0 },
    detail: `${again.toFixed(1)} s, mostly process start-up, compared with ${seconds.toFixed(1)} s`,
  }
}
