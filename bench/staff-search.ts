import { request } from 'node:http'
import pg from 'pg'
import { generateUsers } from './lists.ts'
import { type Benchmark, median, percentile, type Result } from './result.ts'
import { databaseAddress, signIn, startServer } from './server-process.ts'

const rounds = 60
const inSystem = 1_000_000

/** What staff type into the search of the cockpit. */
const typed: Record<string, string> = {
  address: 'm1234@acme.test',
  alias: 'alias.m77@acme.test',
  'beginning of an address': 'u1234',
  'beginning of a third of all addresses': 'u',
  'beginning of a common name': 'an',
  'first and last name': 'anna huber',
  'last name': 'brandt',
  phone: '+41 79 123',
  domain: 'acme.test',
  'what nobody has': 'xyzzy',
}

/** The search of staff over everybody, in a system with a million users. */
export const staffSearch: Benchmark = {
  name: 'staff-search',
  async run() {
    await using server = await startServer()
    await generateUsers(server, inSystem)
    await addPhones(await databaseAddress(server.dataDir))
    const { access_token: token } = await signIn(server.url, 'admin@example.test')
    const results: Result[] = []
    for (const [name, path, queries] of [
      ['search of staff', '/api/v4/users?search=', typed],
      ['chart of staff', '/api/v4/stats/chart/', charts],
    ] as const) {
      results.push(await slowest(name, server.url, path, queries, token))
    }
    return results
  },
}

const charts: Record<string, string> = {
  users: 'users',
  'all users': 'users-all',
  income: 'income',
  payers: 'payers',
  discounts: 'discounts',
  vouchers: 'vouchers',
  countries: 'users-per-country',
}

/** The slowest of several kinds of requests, each asked many times. */
async function slowest(
  name: string,
  url: string,
  path: string,
  queries: Readonly<Record<string, string>>,
  token: string,
): Promise<Result> {
  const times = new Map<string, number[]>(Object.keys(queries).map((kind) => [kind, []]))
  // the first rounds warm up; kinds take turns, so that none has the caches for itself
  for (let round = -5; round < rounds; round++) {
    for (const [kind, query] of Object.entries(queries)) {
      const spent = await timed(`${url}${path}${encodeURIComponent(query)}`, token)
      if (round >= 0) times.get(kind)?.push(spent)
    }
  }
  const figures = [...times].map(([kind, spent]) => ({
    kind,
    p95: percentile(spent, 0.95),
    mid: median(spent),
  }))
  return {
    what: `slowest ${name} among ${inSystem.toLocaleString('en')} users, p95`,
    value: Math.max(...figures.map((figure) => figure.p95)),
    unit: 'ms',
    bar: { at: 'most', limit: 50 },
    detail: `${figures.map(({ kind, p95, mid }) => `${kind} ${mid.toFixed(1)} (p95 ${p95.toFixed(1)})`).join(', ')}; ${rounds} requests each, one at a time`,
  }
}

/** One call at the admin's host, whose name need not resolve on this machine. */
function timed(address: string, token: string): Promise<number> {
  const url = new URL(address)
  const began = performance.now()
  return new Promise((resolve, reject) => {
    const headers = { host: `admin.localhost:${url.port}`, authorization: `Bearer ${token}` }
    request(url, { headers }, (answer) => {
      answer.resume()
      answer.on('end', () =>
        answer.statusCode === 200
          ? resolve(performance.now() - began)
          : reject(new Error(`${address} answered ${answer.statusCode}`)),
      )
    })
      .on('error', reject)
      .end()
  })
}

/** A third of the users have told their number. The days that are over are counted, as they are every night. */
async function addPhones(connectionString: string): Promise<void> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    await client.query('set session_replication_role = replica')
    await client.query(`insert into user_settings (user_id, key, value)
      select id, 'phone', '+41 79 ' || lpad((id % 10000000)::text, 7, '0') from users where id % 3 = 0
      on conflict do nothing`)
    for (const kind of ['created', 'deleted']) {
      await client.query(`insert into daily_stats (kind, tenant_id, day, value)
        select '${kind}', tenant_id, (${kind}_at at time zone 'UTC')::date, count(*) from users
        where ${kind}_at < current_date group by 2, 3 on conflict do nothing`)
      await client.query(`insert into daily_stats (kind, tenant_id, day, value)
        values ('${kind}', 0, current_date - 1, 0) on conflict do nothing`)
    }
    await client.query('vacuum analyze')
  } finally {
    await client.end()
  }
}
