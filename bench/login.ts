import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { hash, verify } from '@node-rs/argon2'
import { type Benchmark, median, percentile, spread } from './result.ts'
import { root, signIn, startServer } from './server-process.ts'

const turns = 60
const stormSeconds = 8
const stormClients = 16

/** A login against its password hash alone; and what a storm of logins does to everybody else. */
export const login: Benchmark = {
  name: 'login',
  async run() {
    await using server = await startServer()
    const session = await signIn(server.url)
    const stored = await hash('simple123', await hashCost())
    const logins: number[] = []
    const hashes: number[] = []
    for (let turn = 0; turn < turns + 10; turn++) {
      const a = await timed(() => verify(stored, 'simple123'))
      const b = await timed(() => signIn(server.url))
      // the first turns warm both up
      if (turn >= 10) {
        hashes.push(a)
        logins.push(b)
      }
    }
    const readers = await duringStorm(server.url, session)
    return [
      {
        what: 'login vs. its password hash alone',
        value: median(logins) / median(hashes),
        unit: '×',
        bar: { at: 'most', limit: 1.25 },
        detail: `login ${spread(logins)} ms, hash ${spread(hashes)} ms`,
      },
      {
        what: "other requests' p99 during a login storm",
        value: percentile(readers.times, 0.99),
        unit: 'ms',
        bar: { at: 'most', limit: 50 },
        detail: `${readers.times.length} reads (median ${median(readers.times).toFixed(1)} ms) beside ${readers.logins} logins by ${stormClients} clients in ${stormSeconds} s`,
      },
    ]
  },
}

/** The cost of the product's hashes, read from its own source so that the two never drift apart. */
export async function hashCost(): Promise<{ memoryCost: number; timeCost: number; parallelism: number }> {
  const source = await readFile(join(root, 'packages/server/src/passwords/hasher.ts'), 'utf8')
  const [, memory, time, lanes] =
    /memoryCost: (\d+) \* 1024, timeCost: (\d+), parallelism: (\d+)/.exec(source) ?? []
  if (lanes === undefined) throw new Error('the cost of hashes is not where it was')
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

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}
