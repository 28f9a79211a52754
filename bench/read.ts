import autocannon from 'autocannon'
import { type Benchmark, median, spread } from './result.ts'
import { signIn, startBaseline, startServer } from './server-process.ts'

const rounds = 5
/** Connections per load test. */
export const connections = 20

/** `GET /api/v4/users/{id}` with a token, compared with the bare framework running one indexed query. */
export const read: Benchmark = {
  name: 'read',
  async run() {
    await using server = await startServer()
    const session = await signIn(server.url)
    await using baseline = await startBaseline(server.dataDir)
    const ours: number[] = []
    const bare: number[] = []
    for (let round = 0; round <= rounds; round++) {
      const a = await load(`${baseline.url}/users/${session.id}`)
      const b = await load(
        `${server.url.replace('localhost', '127.0.0.1')}/api/v4/users/${session.id}`,
        session.access_token,
      )
      // the first round warms up both sides
      if (round > 0) {
        bare.push(a)
        ours.push(b)
      }
    }
    const ratios = ours.map((value, round) => value / (bare[round] ?? Number.NaN))
    return [
      {
        what: 'authenticated read vs. bare framework',
        value: median(ratios),
        unit: '×',
        bar: { at: 'least', limit: 0.6 },
        detail: `ratio ${spread(ratios)}; ours ${spread(ours, 0)}/s, bare ${spread(bare, 0)}/s; ${connections} connections`,
      },
    ]
  },
}

/** Requests per second over `seconds`. Throws if a request fails. */
export async function load(url: string, token?: string, seconds = 4): Promise<number> {
  const result = await autocannon({
    url,
    connections,
    duration: seconds,
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
  })
  if (result.non2xx > 0) throw new Error(`${url}: ${result.non2xx} requests failed`)
  return result.requests.average
}
