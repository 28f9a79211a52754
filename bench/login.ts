import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { hash, verify } from '@node-rs/argon2'
import { type Benchmark, median, percentile, spread } from './result.ts'
import { askToSignIn, root, signIn, startServer } from './server-process.ts'

const turns = 60
const stormSeconds = 8
const stormClients = 16
const floods = 5
const guessesAtOnce = 400

/**
 * Sign-ins compared with their password hash alone, and the effect of a sign-in storm and of password guessing
 * on other users.
 */
export const login: Benchmark = {
  name: 'login',
  async run() {
    // client addresses come from X-Forwarded-For, as behind a proxy
    await using server = await startServer(undefined, { TRUSTED_PROXIES: '127.0.0.1,::1' })
    const session = await signIn(server.url)
    const stored = await hash('simple123', await hashCost())
    const logins: number[] = []
    const hashes: number[] = []
    for (let turn = 0; turn < turns + 10; turn++) {
      const a = await timed(() => verify(stored, 'simple123'))
      const b = await timed(() => signIn(server.url))
      // the first rounds warm up both sides
      if (turn >= 10) {
        hashes.push(a)
        logins.push(b)
      }
    }
    const readers = await duringStorm(server.url, session)
    const honest = await duringFloods(server.url)
    return [
      {
        what: 'sign-in vs. its password hash alone',
        value: median(logins) / median(hashes),
        unit: '×',
        bar: { at: 'most', limit: 1.25 },
        detail: `sign-in ${spread(logins)} ms, hash ${spread(hashes)} ms`,
      },
      {
        what: 'p99 of other requests during a burst of sign-ins',
        value: percentile(readers.times, 0.99),
        unit: 'ms',
        bar: { at: 'most', limit: 50 },
        detail: `${readers.times.length} reads (median ${median(readers.times).toFixed(1)} ms) during ${readers.logins} sign-ins by ${stormClients} clients in ${stormSeconds} s`,
      },
      {
        what: `legitimate sign-in during ${guessesAtOnce} parallel guesses, p99`,
        value: percentile(honest.times, 0.99),
        unit: 'ms',
        bar: { at: 'most', limit: 2000 },
        detail: `${honest.times.length} sign-ins (${spread(honest.times, 0)} ms) during ${floods} floods, each from one address`,
      },
      {
        what: `guesses checked out of ${guessesAtOnce} parallel ones from one address`,
        value: Math.max(...honest.checked),
        unit: 'guesses',
        bar: { at: 'most', limit: 50 },
        detail: `${honest.checked.join(', ')}; the others have to wait`,
      },
    ]
  },
}

/** Hash parameters read from the product's source, so that they can't drift apart. */
export async function hashCost(): Promise<{ memoryCost: number; timeCost: number; parallelism: number }> {
  const source = await readFile(join(root, 'packages/server/src/passwords/hasher.ts'), 'utf8')
  const [, memory, time, lanes] =
    /memoryCost: (\d+) \* 1024, timeCost: (\d+), parallelism: (\d+)/.exec(source) ?? []
  if (lanes === undefined) throw new Error('hash cost setting not found')
  return { memoryCost: Number(memory) * 1024, timeCost: Number(time), parallelism: Number(lanes) }
}

async function duringStorm(url: string, session: { access_token: string }) {
  const until = performance.now() + stormSeconds * 1000
  let logins = 0
  const storm = Array.from({ length: stormClients }, async () => {
    while (performance.now() < until) {
      await signIn(url)
      logins++
    }
  })
  const times: number[] = []
  while (performance.now() < until) {
    times.push(
      await timed(async () => {
        const answer = await fetch(`${url}/api/auth/info`, {
          headers: { authorization: `Bearer ${session.access_token}` },
        })
        await answer.arrayBuffer()
      }),
    )
  }
  await Promise.all(storm)
  return { times, logins }
}

/** One user signs in repeatedly while another address guesses passwords of many accounts. */
async function duringFloods(url: string): Promise<{ times: number[]; checked: number[] }> {
  const times: number[] = []
  const checked: number[] = []
  for (let flood = 1; flood <= floods; flood++) {
    let isOver = false
    const guesses = Promise.all(
      Array.from({ length: guessesAtOnce }, async (_, n) => {
        const response = await askToSignIn(url, `flood${n}@example.test`, 'wrong', `198.51.${flood}.1`)
        await response.arrayBuffer()
        return response.status
      }),
    ).then((statuses) => {
      isOver = true
      checked.push(statuses.filter((status) => status === 401).length)
    })
    while (!isOver) {
      times.push(
        await timed(async () => {
          const response = await askToSignIn(url, 'jane@acme.test', 'simple123', '203.0.113.1')
          await response.arrayBuffer()
          if (!response.ok) throw new Error(`a legitimate sign-in returned ${response.status}`)
        }),
      )
    }
    await guesses
  }
  return { times, checked }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}
