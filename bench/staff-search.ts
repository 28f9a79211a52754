import { request } from 'node:http'
import pg from 'pg'
import { generateUsers } from './lists.ts'
import { type Benchmark, median, percentile, type Result } from './result.ts'
import { databaseAddress, signIn, startServer } from './server-process.ts'

const rounds = 60
/** `BENCH_USERS` sets a smaller number for a quick run. */
const inSystem = Number(process.env.BENCH_USERS ?? 1_000_000)

/** Typical input of the cockpit search. */
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
  'external address': 'away77@elsewhere.test',
  'number of a payment': 'tr_77',
  'number of a customer': 'cst_77',
  'what nobody has': 'xyzzy',
  'middle of an address': '1234@acm',
  'middle of many addresses': '999@example.test',
  'middle of all addresses': 'ample.te',
  'end of a name': 'ueller',
  'part of a name': 'ubois77',
  'part of an organisation, without its accent': 'artnerei 77',
}

/** The staff search over all users, in a system with a million of them. */
export const staffSearch: Benchmark = {
  name: 'staff-search',
  async run() {
    await using server = await startServer()
    await generateUsers(server, inSystem)
    const { wallet, user } = await addFacts(await databaseAddress(server.dataDir))
    const searches = Object.fromEntries(
      Object.entries({ ...typed, wallet, 'own number': user }).map(([kind, text]) => [
        kind,
        encodeURIComponent(text),
      ]),
    )
    const { access_token: token } = await signIn(server.url, 'admin@example.test')
    const results: Result[] = []
    for (const [name, path, queries, limit] of [
      ['search of staff', '/api/v4/users?search=', searches, 30],
      ['look-up of the palette of staff', '/api/v4/search?q=', typed, 30],
      ['chart of staff', '/api/v4/stats/', charts, 50],
    ] as const) {
      results.push(await slowest(name, limit, server.url, path, queries, token))
    }
    return results
  },
}

const dayBack = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)
const year = `?from=${dayBack(364)}&to=${dayBack(0)}`

const charts: Record<string, string> = {
  users: 'chart/users',
  'all users': 'chart/users-all',
  income: 'chart/income',
  payers: 'chart/payers',
  discounts: 'chart/discounts',
  vouchers: 'chart/vouchers',
  countries: 'chart/users-per-country',
  'users of a year': `chart/users${year}`,
  'income of a year': `chart/income${year}`,
  'figures of four weeks': 'figures',
  'figures of a year': `figures${year}`,
}

/** Latency of the slowest of several kinds of requests, each sent many times. */
async function slowest(
  name: string,
  limit: number,
  url: string,
  path: string,
  queries: Readonly<Record<string, string>>,
  token: string,
): Promise<Result> {
  const times = new Map<string, number[]>(Object.keys(queries).map((kind) => [kind, []]))
  // the first rounds warm up; kinds alternate so that none has the caches to itself
  for (let round = -5; round < rounds; round++) {
    for (const [kind, query] of Object.entries(queries)) {
      const spent = await timed(`${url}${path}${query}`, token)
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
    bar: { at: 'most', limit },
    detail: `${figures.map(({ kind, p95, mid }) => `${kind} ${mid.toFixed(1)} (p95 ${p95.toFixed(1)})`).join(', ')}; ${rounds} requests each, one at a time`,
  }
}

/** Milliseconds of one call on the admin host, whose name needn't resolve on this machine. */
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
          : reject(new Error(`${address} returned ${answer.statusCode}`)),
      )
    })
      .on('error', reject)
      .end()
  })
}

const facts = [
  'create temporary table numbered as select id, user_id, row_number() over (order by created_at, id) as n from wallets',
  `insert into user_settings (user_id, key, value)
    select user_id, 'external_email', 'away' || n || '@elsewhere.test' from numbered where n % 3 = 2
    on conflict do nothing`,
  `insert into payments (id, wallet_id, type, status, provider, provider_id, amount, credit_amount, currency,
      currency_amount, created_at, updated_at, paid_at)
    select gen_random_uuid()::text, id, 'oneoff', 'paid', 'mollie', 'tr_' || n, 1000, 1000, 'CHF', 1000, t, t, t
    from (select id, n, now() - (n * 7919 % 525600) * interval '1 minute' as t from numbered) p`,
  `insert into payment_customers (wallet_id, provider, id, created_at)
    select id, 'mollie', 'cst_' || n, now() from numbered on conflict do nothing`,
  `update wallets w set discount_id = d.id from numbered n, lateral (select id from discounts where tenant_id = 0
    order by discount limit 1 offset n.n % 2) d where n.id = w.id and n.n % 20 = 0`,
  `insert into daily_stats (kind, tenant_id, day, label, value)
    select 'income', 0, (paid_at at time zone 'UTC')::date, 'CHF', sum(credit_amount) from payments
    where paid_at < current_date group by 3 on conflict do nothing`,
  `insert into daily_stats (kind, tenant_id, day, value) values ('income', 0, current_date - 1, 0)
    on conflict do nothing`,
]

/**
 * A third of the users have a phone number and a second address, each made one payment in the last year, and
 * every twentieth has a discount. Past days are aggregated, as every night. Returns a wallet and its owner's
 * number.
 */
async function addFacts(connectionString: string): Promise<{ wallet: string; user: string }> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    await client.query('set session_replication_role = replica')
    await client.query(`insert into user_settings (user_id, key, value)
      select id, 'phone', '+41 79 ' || lpad((id % 10000000)::text, 7, '0') from users where id % 3 = 0
      on conflict do nothing`)
    for (const statement of facts) await client.query(statement)
    for (const kind of ['created', 'deleted']) {
      await client.query(`insert into daily_stats (kind, tenant_id, day, value)
        select '${kind}', tenant_id, (${kind}_at at time zone 'UTC')::date, count(*) from users
        where ${kind}_at < current_date group by 2, 3 on conflict do nothing`)
      await client.query(`insert into daily_stats (kind, tenant_id, day, value)
        values ('${kind}', 0, current_date - 1, 0) on conflict do nothing`)
    }
    await client.query('vacuum analyze')
    const { rows } = await client.query<{ wallet: string; user: string }>(
      `select w.id as wallet, w.user_id::text as "user" from wallets w order by w.id limit 1 offset 1000`,
    )
    return rows[0] ?? { wallet: '', user: '' }
  } finally {
    await client.end()
  }
}
