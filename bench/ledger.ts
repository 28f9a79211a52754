import pg from 'pg'
import { type Benchmark, median, type Result } from './result.ts'
import { databaseAddress, startServer } from './server-process.ts'

const writers = 8
const seconds = 3
const rounds = 3
const wallets = 1000

/**
 * Concurrent ledger writers with one transaction per entry, compared with bare inserts of the same rows: an
 * entry, two postings and a balance in tables without triggers, checks, numbers or hashes.
 */
export const ledger: Benchmark = {
  name: 'ledger',
  async run() {
    await using server = await startServer()
    const pool = new pg.Pool({ connectionString: await databaseAddress(server.dataDir), max: writers })
    try {
      for (const statement of setUp) await pool.query(statement)
      const { rows } = await pool.query<{ id: string }>(`select id from wallets where description = 'bench'`)
      const ids = rows.map((row) => row.id)
      return [
        await compare(pool, 'on many wallets', ids, 0.4),
        await compare(pool, 'on one wallet', ids.slice(0, 1), 0.4),
      ]
    } finally {
      await pool.end()
    }
  },
}

const setUp = [
  `insert into users (id, tenant_id, email, status, created_at, updated_at)
    select 200000000 + i, 0, 'l' || i || '@bench.test', 35, now(), now() from generate_series(1, ${wallets}) i`,
  `insert into wallets (id, user_id, currency, description, created_at)
    select gen_random_uuid(), 200000000 + i, 'CHF', 'bench', now() from generate_series(1, ${wallets}) i`,
  `create table bare_entries (id uuid primary key, wallet_id uuid not null, type text not null, amount bigint not null,
    account text not null, key text not null unique, description text not null, parameters text not null,
    created_at timestamptz not null)`,
  `create table bare_postings (entry_id uuid not null, account text not null, wallet_id uuid, amount bigint not null,
    primary key (entry_id, account))`,
  'create table bare_wallets (id uuid primary key, balance bigint not null)',
  `insert into bare_wallets select id, 0 from wallets`,
]

const kept = {
  name: 'kept',
  text: `insert into ledger_entries (id, wallet_id, type, amount, account, key, description, parameters, created_at)
    values (gen_random_uuid(), $1, 'credit', 100, 'payments', $2, 'payment', '{}', now())`,
}

const bare = {
  name: 'bare',
  text: `with entered as (
      insert into bare_entries (id, wallet_id, type, amount, account, key, description, parameters, created_at)
      values (gen_random_uuid(), $1, 'credit', 100, 'payments', $2, 'payment', '{}', now()) returning *
    ), posted as (
      insert into bare_postings select id, 'wallet', wallet_id, amount from entered
      union all select id, account, null, -amount from entered
    )
    update bare_wallets w set balance = balance + e.amount from entered e where w.id = e.wallet_id`,
}

async function compare(pool: pg.Pool, where: string, ids: readonly string[], limit: number): Promise<Result> {
  const [own, base]: [number[], number[]] = [[], []]
  for (let round = -1; round < rounds; round++) {
    const [keptRate, bareRate] = [await write(pool, kept, ids), await write(pool, bare, ids)]
    if (round < 0) continue
    own.push(keptRate)
    base.push(bareRate)
  }
  return {
    what: `${writers} ledger writers ${where} vs. bare inserts of the same rows`,
    value: median(own) / median(base),
    unit: '×',
    bar: { at: 'least', limit },
    detail: `${Math.round(median(own))} and ${Math.round(median(base))} entries/s, ${rounds} rounds of ${seconds} s`,
  }
}

let counter = 0

/** Entries per second, summed over all writers. */
async function write(pool: pg.Pool, query: pg.QueryConfig, ids: readonly string[]): Promise<number> {
  const began = performance.now()
  const end = began + seconds * 1000
  let written = 0
  const writer = async (place: number) => {
    const client = await pool.connect()
    try {
      for (let count = place; performance.now() < end; count += writers) {
        await client.query({ ...query, values: [ids[count % ids.length], `bench:${++counter}`] })
        written += 1
      }
    } finally {
      client.release()
    }
  }
  await Promise.all(Array.from({ length: writers }, (_, place) => writer(place)))
  return (written * 1000) / (performance.now() - began)
}
