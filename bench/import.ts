import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import type { Benchmark, Result } from './result.ts'
import { databaseAddress, type RunningServer, signIn, startServer } from './server-process.ts'

const users = 5000
/** Users per transaction, as in the server. */
const atOnce = 20

/**
 * Imports 5,000 users from a file: the dry run, and the import compared with bare inserts of the same rows.
 */
export const importUsers: Benchmark = {
  name: 'import',
  async run() {
    await using server = await startServer()
    const session = await signIn(server.url)
    const headers = { authorization: `Bearer ${session.access_token}` }
    const bare = await bareInserts(server)
    const file = ['email,first_name,last_name,package']
    for (let number = 0; number < users; number++) {
      file.push(`u${number}@acme.test,Person,Number ${number},kolab`)
    }
    const began = performance.now()
    const answer = await fetch(`${server.url}/api/v4/imports?kind=users`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'text/csv' },
      body: file.join('\n'),
    })
    if (!answer.ok) throw new Error(`the upload returned ${answer.status}: ${await answer.text()}`)
    const { batch } = (await answer.json()) as { batch: Batch } // API response
    const checked = await untilState(server, headers, batch.id, 'ready')
    const dryRun = (performance.now() - began) / 1000
    if (checked.counts.ok !== users) throw new Error(`only ${checked.counts.ok} rows would succeed`)
    const started = performance.now()
    await fetch(`${server.url}/api/v4/batches/${batch.id}/start`, { method: 'POST', headers })
    const done = await untilState(server, headers, batch.id, 'done')
    const run = users / ((performance.now() - started) / 1000)
    if (done.counts.done !== users) throw new Error(`only ${done.counts.done} rows succeeded`)
    return [
      {
        what: `dry run of an import of ${users.toLocaleString('en')} users, including upload`,
        value: dryRun,
        unit: 's',
        bar: { at: 'most', limit: 15 },
        detail: `${Math.round(users / dryRun)} rows/s, with a result per row and the total price`,
      },
      {
        what: 'import of users vs. bare inserts of their rows',
        value: run / bare,
        unit: '×',
        bar: { at: 'least', limit: 0.2 },
        detail: `${run.toFixed(0)} and ${bare.toFixed(0)} users/s, both ${atOnce} per transaction; links instead of passwords`,
      },
    ] satisfies Result[]
  },
}

interface Batch {
  readonly id: string
  readonly state: string
  readonly counts: Readonly<Record<string, number>>
}

async function untilState(
  server: RunningServer,
  headers: Record<string, string>,
  id: string,
  state: string,
): Promise<Batch> {
  for (;;) {
    const answer = await fetch(`${server.url}/api/v4/batches/${id}`, { headers })
    const batch = (await answer.json()) as Batch // API response
    if (batch.state === state) return batch
    await setTimeout(100)
  }
}

/** Users per second that the database accepts without checks: same tables, triggers and transactions. */
async function bareInserts(server: RunningServer): Promise<number> {
  const client = new pg.Client({ connectionString: await databaseAddress(server.dataDir) })
  await client.connect()
  try {
    const began = performance.now()
    const count = 1000
    for (let number = 0; number < count; number++) {
      if (number % atOnce === 0) await client.query('begin')
      const values = [3_000_000_000 + number, `bare${number}@example.test`]
      for (const statement of rows) await client.query(statement, values)
      if (number % atOnce === atOnce - 1) await client.query('commit')
    }
    return count / ((performance.now() - began) / 1000)
  } finally {
    await client.end()
  }
}

/** The rows of one user: $1 number, $2 address. */
const rows = [
  `insert into users (id, tenant_id, email, status, created_at, updated_at)
    select $1::bigint, 0, $2::text, 1, now(), now()`,
  `insert into addresses (address, kind, object_id, tenant_id) select $2::text, 'user', $1::bigint, 0`,
  `insert into wallets (id, user_id, currency, created_at)
    select gen_random_uuid(), $1::bigint, 'CHF', now() where $2::text is not null`,
  `update users set wallet_id = (select id from wallets where user_id = $1::bigint)
    where id = $1::bigint and $2::text is not null`,
  `insert into user_settings (user_id, key, value)
    select $1::bigint, key, $2::text from unnest(array['first_name', 'last_name', 'country', 'currency']) key`,
  `insert into entitlements (id, wallet_id, sku_id, object_type, object_id, cost, fee, created_at, billed_until)
    select gen_random_uuid(), w.id, k.id, 'user', $1::bigint, 0, 0, now(), now()
    from wallets w, (select id from skus where tenant_id = 0 order by id limit 1) k, generate_series(1, 7)
    where w.user_id = $1::bigint and $2::text is not null`,
  `insert into event_log (id, tenant_id, object_type, object_id, event, created_at)
    select gen_random_uuid(), 0, 'user', $1::bigint, $2::text, now()`,
]
