import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import pg from 'pg'
import { hashCost } from './login.ts'
import { connections, load } from './read.ts'
import { type Benchmark, median, spread } from './result.ts'
import { databaseAddress, type Session, signIn, startBaseline, startServer } from './server-process.ts'

const rounds = 5
const seconds = 3
const clients = 8

/** Throughput of sign-ins, token refreshes and token checks per core, each compared with its minimum cost. */
export const identity: Benchmark = {
  name: 'identity',
  async run() {
    await using server = await startServer()
    const url = server.url.replace('localhost', '127.0.0.1')
    await using baseline = await startBaseline(server.dataDir)
    const pool = new pg.Pool({ connectionString: await databaseAddress(server.dataDir), max: clients })
    await pool.query('create table bench_commits (id bigserial primary key, at timestamptz not null)')
    const stored = await hash('simple123', await hashCost())
    const sessions = await Promise.all(Array.from({ length: clients }, () => signIn(url)))
    const [first] = sessions
    if (first === undefined) throw new Error('no sign-in succeeded')
    const measures = {
      checks: [
        () => load(`${url}/api/auth/location`, first.access_token, seconds),
        () => load(`${baseline.url}/users/${first.id}`, undefined, seconds),
      ],
      logins: [
        () => rate(() => signIn(url, 'jane@acme.test')),
        // the server hashes on all cores but one, to keep serving other requests
        () => rate(() => verify(stored, 'simple123'), Math.max(1, availableParallelism() - 1)),
      ],
      refreshes: [
        () => rate((client) => refresh(url, sessions, client)),
        () => rate(() => pool.query('insert into bench_commits (at) values (now())')),
      ],
    } as const
    const found = { checks: await compare(measures.checks), logins: await compare(measures.logins) }
    const refreshes = await compare(measures.refreshes)
    await pool.end()
    return [
      {
        what: 'token checks vs. bare framework with one indexed query',
        value: median(found.checks.ratios),
        unit: '×',
        bar: { at: 'least', limit: 0.6 },
        detail: detail(found.checks, `${connections} connections`),
      },
      {
        what: 'sign-ins vs. their password hashes alone on as many cores',
        value: median(found.logins.ratios),
        unit: '×',
        bar: { at: 'least', limit: 0.6 },
        detail: detail(found.logins, `${clients} clients`),
      },
      {
        what: 'refreshes vs. one durable insert each',
        value: median(refreshes.ratios),
        unit: '×',
        // five statements and a commit over HTTP, compared with one bare statement
        bar: { at: 'least', limit: 0.04 },
        detail: detail(refreshes, `${clients} clients`),
      },
    ]
  },
}

interface Comparison {
  readonly ours: readonly number[]
  readonly bare: readonly number[]
  readonly ratios: readonly number[]
}

/** Alternates between both sides; the first round warms them up. */
async function compare([ours, bare]: readonly [
  () => Promise<number>,
  () => Promise<number>,
]): Promise<Comparison> {
  const found = { ours: [] as number[], bare: [] as number[] }
  for (let round = 0; round <= rounds; round++) {
    const [a, b] = [await ours(), await bare()]
    if (round === 0) continue
    found.ours.push(a)
    found.bare.push(b)
  }
  return { ...found, ratios: found.ours.map((value, round) => value / (found.bare[round] ?? Number.NaN)) }
}

function detail({ ours, bare, ratios }: Comparison, by: string): string {
  const cores = availableParallelism()
  const each = (median(ours) / cores).toFixed(0)
  return `ratio ${spread(ratios)}; ours ${spread(ours, 0)}/s (${each}/s for each of ${cores} cores), bare ${spread(bare, 0)}/s; ${by}`
}

/** Requests per second of several clients, each of which sends its requests sequentially. */
async function rate(act: (client: number) => Promise<unknown>, among = clients): Promise<number> {
  const began = performance.now()
  const until = began + seconds * 1000
  let done = 0
  await Promise.all(
    Array.from({ length: among }, async (_, client) => {
      while (performance.now() < until) {
        await act(client)
        done++
      }
    }),
  )
  return (done * 1000) / (performance.now() - began)
}

async function refresh(url: string, sessions: Session[], client: number): Promise<void> {
  const answer = await fetch(`${url}/api/auth/refresh`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ refresh_token: sessions[client]?.refresh_token }),
  })
  if (!answer.ok) throw new Error(`refresh returned ${answer.status}`)
  sessions[client] = (await answer.json()) as Session // API response
}
