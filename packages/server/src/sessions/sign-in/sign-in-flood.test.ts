import { beforeAll, expect, test } from 'vitest'
import { Hasher } from '../../passwords/hasher.ts'
import { type MadeUser, makeUser } from '../../testing/factories.ts'
import { useTestApp } from '../../testing/test-app.ts'

// use the production cost of hashes
const app = useTestApp({}, undefined, { hasher: new Hasher() })
let url = ''
let tries = 0

beforeAll(async () => {
  url = await app().fastify.listen({ port: 0, host: '127.0.0.1' })
})

async function signIn(body: { email: string; password?: string }, ip: string): Promise<number> {
  const answer = await fetch(`${url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': ip },
    body: JSON.stringify(body),
  })
  await answer.arrayBuffer()
  return answer.status
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}

/**
 * Sends 400 concurrent requests from one address, and signs a user in from elsewhere until they are answered.
 */
async function flood(user: MadeUser, password: string | undefined) {
  // a retry of the test uses another address
  const source = `203.0.${++tries}.1`
  let left = 400
  const requests = Array.from({ length: left }, async (_, n) => {
    const status = await signIn({ email: `flood${n}@example.test`, ...(password && { password }) }, source)
    left--
    return status
  })
  const times: number[] = []
  do {
    const ip = `198.51.${times.length}.1`
    times.push(await timed(async () => expect(await signIn(user, ip)).toBe(200)))
  } while (left > 0 && times.length < 15)
  return { statuses: await Promise.all(requests), slowest: Math.max(...times) }
}

test('400 concurrent guesses from one address check fifty passwords and block no one elsewhere from signing in', async () => {
  const user = await makeUser(app())
  const { hasher } = app()
  const stored = await hasher.hash('x', 'background')
  const hashes: number[] = []
  for (let turn = 0; turn < 5; turn++) {
    hashes.push(await timed(() => hasher.verify(stored, 'y', { ip: '192.0.2.1' })))
  }
  // baseline: requests without a guess
  const harmless = await flood(user, undefined)
  expect(new Set(harmless.statuses)).toEqual(new Set([422]))

  let isOver = false
  // keep hashing in the background, like an import
  const background = (async () => {
    while (!isOver) await hasher.verify(stored, 'y', 'background')
  })()
  const guesses = await flood(user, 'x')
  isOver = true
  await background

  const checked = guesses.statuses.filter((status) => status === 401).length
  expect(guesses.statuses.filter((status) => status === 429)).toHaveLength(400 - checked)
  expect(checked).toBeLessThanOrEqual(50)
  // the fiftieth waits for the others; on a very busy machine it times out
  expect(checked).toBeGreaterThanOrEqual(49)
  // on a busy machine everything takes correspondingly longer
  const usual = 2 * harmless.slowest + 8 * Math.max(...hashes)
  expect(guesses.slowest).toBeLessThan(Math.max(2000, usual))
}, 180_000)
