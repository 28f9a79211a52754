import pg from 'pg'
import { type Benchmark, median, percentile, type Result } from './result.ts'
import { databaseAddress, type RunningServer, signIn, startServer } from './server-process.ts'

const inAccount = 10_000
const rounds = 60
/** `BENCH_USERS` sets a smaller number for a quick run. */
const inLargeSystem = Number(process.env.BENCH_USERS ?? 1_000_000)

/** Typical queries on the list of users. */
const kinds: Record<string, string> = {
  'first page': '',
  'last page': '?page=500',
  'by name': '?sort=name',
  'newest first': '?sort=created&order=desc',
  suspended: '?status=suspended',
  'search that finds many': '?search=an',
  'search by name': '?search=an&sort=name',
  'search that finds few': '?search=m1234',
  'search for an alias': '?search=alias.m77',
  'search that finds nobody': '?search=xyzzy',
  'middle of an address': '?search=34@acm',
  'name without its accent': '?search=elodie',
  'part of an organisation': '?search=nerei 7',
  'first page with facts': '?facts=1',
  'last page with facts': '?facts=1&page=500',
}

/** Typical input of the command palette, which searches users and everything else. */
const typed: Record<string, string> = {
  'a letter': '?q=a',
  'a part of names': '?q=an',
  'one address': '?q=m1234@acme.test',
  'what nobody has': '?q=xyzzy',
  'middle of an address': '?q=34@acm',
  'part of an organisation, without its accent': '?q=gartnerei 7',
}

/** Pages, searches and the dashboard of an account with 10,000 users, in a small and a large system. */
export const lists: Benchmark = {
  name: 'lists',
  async run() {
    return [...(await measure(10_000)), ...(await measure(inLargeSystem))]
  },
}

async function measure(inSystem: number): Promise<Result[]> {
  await using server = await startServer()
  const began = performance.now()
  await generateUsers(server, inSystem)
  const seconds = Math.round((performance.now() - began) / 1000)
  const { access_token: token } = await signIn(server.url)
  const among = `${inAccount.toLocaleString('en')} users among ${inSystem.toLocaleString('en')}`
  const detail = `data generated in ${seconds} s`
  return [
    await slowest(`list or search of ${among}`, `${server.url}/api/v4/users`, kinds, token, detail),
    await slowest(`command palette lookup in ${among}`, `${server.url}/api/v4/search`, typed, token, detail),
    await slowest(`dashboard of ${among}`, `${server.url}/api/v4/overview`, { dashboard: '' }, token, detail),
  ]
}

/** Latency of the slowest of several kinds of requests, each sent many times. */
async function slowest(
  what: string,
  url: string,
  queries: Readonly<Record<string, string>>,
  token: string,
  detail: string,
): Promise<Result> {
  const times = new Map<string, number[]>(Object.keys(queries).map((kind) => [kind, []]))
  // the first rounds warm up; kinds alternate so that none has the caches to itself
  for (let round = -5; round < rounds; round++) {
    for (const [kind, query] of Object.entries(queries)) {
      const spent = await timed(`${url}${query}`, token)
      if (round >= 0) times.get(kind)?.push(spent)
    }
  }
  const figures = [...times].map(([kind, spent]) => ({
    kind,
    p95: percentile(spent, 0.95),
    mid: median(spent),
  }))
  return {
    what: `slowest ${what}, p95`,
    value: Math.max(...figures.map((figure) => figure.p95)),
    unit: 'ms',
    bar: { at: 'most', limit: 30 },
    detail: `${figures.map(({ kind, p95, mid }) => `${kind} ${mid.toFixed(1)} (p95 ${p95.toFixed(1)})`).join(', ')}; ${rounds} requests each, one at a time; ${detail}`,
  }
}

async function timed(url: string, token: string): Promise<number> {
  const began = performance.now()
  const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
  await answer.arrayBuffer()
  if (!answer.ok) throw new Error(`${url} returned ${answer.status}`)
  return performance.now() - began
}

/**
 * Fills the database. The account's users are spread evenly among the others, as they would be after years, so
 * that few share a page of the table. Triggers are disabled; their functions are called instead.
 */
export async function generateUsers(server: RunningServer, inSystem: number): Promise<void> {
  const client = new pg.Client({ connectionString: await databaseAddress(server.dataDir) })
  await client.connect()
  try {
    await client.query('set session_replication_role = replica')
    await client.query(generation, [inSystem, Math.floor(inSystem / inAccount)])
    // building a trigram index in bulk is much faster than updating it row by row
    const { rows: index } = await client.query<{ definition: string }>(
      `select pg_get_indexdef('users_trigrams'::regclass) as definition`,
    )
    await client.query('drop index users_trigrams')
    for (const statement of rows) await client.query(statement)
    await client.query(index[0]?.definition ?? '')
    await client.query('vacuum analyze')
  } finally {
    await client.end()
  }
}

/** One row per user to create: $1 users, every $2th in the account. */
const generation = `create temporary table made as
  select 100000000 + (i::bigint * 48271) % 4000000007 as id, gen_random_uuid() as wallet_id, i % $2::int = 0 as is_member,
    case when i % $2::int = 0 then 'm' || i / $2::int || '@acme.test' else 'u' || i || '@example.test' end as email,
    case when i % $2::int = 0 then 'alias.m' || i / $2::int || '@acme.test' end as alias,
    (array['Anna','Bert','Carla','Dieter','Élodie','Franz','Giulia','Hannes','Ivana','Jean','Katja','Luca','Mia'])[1 + i % 13] as first_name,
    (array['Abel','Brandt','Conti','Dubois','Egger','Favre','Ganz','Huber','Isler','Jost','Keller'])[1 + i % 11] || i % 997 as last_name,
    case when i % 50 = 0 then 39 else 35 end as status, case when i % 3 = 0 then 'Gärtnerei ' || i % 9973 || ' AG' end as organization,
    timestamptz '2020-01-01' + i * interval '1 minute' as created_at
  from generate_series(1, $1::int) i`

const rows = [
  `insert into wallets (id, user_id, currency, created_at) select wallet_id, id, 'CHF', created_at from made`,
  `insert into users (id, tenant_id, email, status, wallet_id, created_at, updated_at, sort_name, search_text)
    select m.id, 0, m.email, m.status, case when m.is_member then o.wallet_id else m.wallet_id end, m.created_at,
      m.created_at, user_sort_name(m.email, m.first_name, m.last_name),
      user_search_text(m.email, m.first_name, m.last_name, m.organization, array_remove(array[m.alias], null))
    from made m, users o where o.email = 'owner@acme.test'`,
  `insert into addresses (address, kind, object_id, tenant_id) select email, 'user', id, 0 from made
    union all select alias, 'alias', id, 0 from made where alias is not null`,
  `insert into user_settings (user_id, key, value) select id, 'first_name', first_name from made
    union all select id, 'last_name', last_name from made
    union all select id, 'organization', organization from made where organization is not null`,
  // subscriptions of a groupware user: the package and its storage
  `insert into entitlements (id, wallet_id, sku_id, object_type, object_id, cost, fee, created_at, billed_until)
    select gen_random_uuid(), u.wallet_id, l.sku_id, 'user', u.id, 99, 0, u.created_at, u.created_at
    from users u join package_skus l on true join packages p on p.id = l.package_id and p.tenant_id = 0,
      generate_series(1, l.qty)
    where u.email like 'm%@acme.test' and p.title = 'kolab'`,
  `insert into sessions (id, user_id, ip, user_agent, created_at, last_used_at)
    select gen_random_uuid(), id, '192.0.2.1', '', created_at + n * interval '1 day', created_at + n * interval '1 day'
    from made, generate_series(1, 3) n where is_member`,
  `insert into fs_usage (user_id, bytes) select id, 4096 from made where is_member`,
]
