import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { makeAccount, packageOf } from '../../server/src/testing/account-fixture.ts'
import { createKey } from '../../server/src/testing/borrowed.ts'
import { makeDomain, makeUser } from '../../server/src/testing/factories.ts'
import { useTestApp } from '../../server/src/testing/test-app.ts'
import { hire } from '../examples/hire.ts'
import { addressesOfUsers } from '../examples/list-users.ts'
import { readEvents } from '../examples/read-events.ts'
import { saveLedger } from '../examples/save-ledger.ts'
import { ApiError, type ClientOptions, GatehouseClient } from './client.ts'

const app = useTestApp()
let url = ''
let key = ''
let domain = ''
let packageId = ''

beforeAll(async () => {
  await makeDomain(app(), 'example.test')
  url = await app().fastify.listen({ port: 0, host: '127.0.0.1' })
  const account = await makeAccount(app())
  domain = account.domain
  packageId = await packageOf(app(), 'kolab')
  key = (await createKey(app(), account.owner, { kind: 'account' })).key
})

/** A client that doesn't wait, and whose waits and requests can be looked at. */
function watchedClient(options: Partial<ClientOptions> = {}) {
  const waits: number[] = []
  const requests: Headers[] = []
  const client = new GatehouseClient({
    url,
    key,
    pause: async (duration) => void waits.push(duration),
    ...options,
    fetch: (input, init) => {
      requests.push(new Headers(init?.headers))
      return (options.fetch ?? fetch)(input, init)
    },
  })
  return { client, waits, requests }
}

const client = () => watchedClient().client

/** A `fetch` that gives these answers first. */
function first(...answers: (() => Response)[]): typeof fetch {
  return async (input, init) => answers.shift()?.() ?? fetch(input, init)
}

const person = (email: string) => ({
  ...{ email, firstName: 'Jo', lastName: 'Novak' },
  ...{ package: packageId },
})

async function makeList(name: string): Promise<number> {
  const body = { email: `${name}@${domain}`, name, members: [`member@${domain}`] }
  return (await client().call('POST /api/v4/groups', { body })).id
}

const failure = async (work: Promise<unknown>): Promise<ApiError> => {
  const error: unknown = await work.catch((reason: unknown) => reason)
  if (!(error instanceof ApiError)) throw new Error('no ApiError')
  return error
}

describe('an example of the client', () => {
  test('hires a person, whom the next one lists', async () => {
    const list = await makeList('hired')
    expect(await hire(client(), person(`jo@${domain}`), list)).toEqual(expect.any(Number))
    await app().jobs.drain()
    expect(await addressesOfUsers(client())).toContain(`jo@${domain}`)
    const { members } = await client().call('GET /api/v4/groups/{id}', { params: { id: String(list) } })
    expect(members).toEqual([`jo@${domain}`, `member@${domain}`])
  })

  test('shows why a person cannot be hired', async () => {
    const told = await hire(client(), person('no address'), await makeList('refused'))
    expect(told).toEqual({ email: [expect.any(String)] })
  })

  test('reads each event once, from page to page and from time to time', async () => {
    const seen: string[] = []
    const handle = async ({ id }: { id: string }) => void seen.push(id)
    const cursor = await readEvents(client(), undefined, handle)
    expect(seen.length).toBeGreaterThan(0)
    const before = seen.length
    await makeList('told')
    await readEvents(client(), cursor, handle)
    expect(seen.length).toBeGreaterThan(before)
    expect(new Set(seen).size).toBe(seen.length)
  })

  test('saves the transactions of a wallet', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'gatehouse-client-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const [user] = (await client().call('GET /api/v4/users', { query: { search: 'owner' } })).list
    const { wallet } = await client().call('GET /api/v4/users/{id}', { params: { id: String(user?.id) } })
    const file = join(folder, 'ledger.csv')
    await saveLedger(client(), wallet?.id ?? '', file)
    expect(await readFile(file, 'utf8')).toMatch(/^"?[a-z_]+/i)
  })
})

test('a list is fetched page by page until its end', async () => {
  for (const name of ['one', 'two', 'three']) await makeList(name)
  const { client, requests } = watchedClient()
  const names: (string | null)[] = []
  for await (const { name } of client.list('GET /api/v4/groups', { query: { size: 1 } })) names.push(name)
  expect(names).toEqual(expect.arrayContaining(['one', 'two', 'three']))
  expect(requests.length).toBe(names.length)
})

describe('a request', () => {
  test('is repeated with the same idempotency key after a lost connection, and takes effect once', async () => {
    let isLost = false
    const lossy: typeof fetch = async (input, init) => {
      const response = await fetch(input, init)
      if (isLost) return response
      isLost = true
      throw new TypeError('terminated')
    }
    const { client, waits, requests } = watchedClient({ fetch: lossy })
    await client.call('POST /api/v4/groups', {
      body: { email: `once@${domain}`, name: 'Once', members: [`member@${domain}`] },
    })
    expect(waits).toEqual([500])
    expect(new Set(requests.map((headers) => headers.get('idempotency-key'))).size).toBe(1)
  })

  test.each([
    [429, '7', [7000]],
    [503, undefined, [500]],
  ])('waits as long as the status %i asks for', async (status, retryAfter, expected) => {
    const headers: Record<string, string> = retryAfter === undefined ? {} : { 'Retry-After': retryAfter }
    const { client, waits } = watchedClient({ fetch: first(() => new Response('', { status, headers })) })
    await client.call('GET /api/v4/users')
    expect(waits).toEqual(expected)
  })

  test('is not repeated if the wait would be long, or the server refuses it', async () => {
    const headers = { 'Retry-After': '3600' }
    const limited = watchedClient({ fetch: first(() => new Response('', { status: 429, headers })) })
    expect((await failure(limited.client.call('GET /api/v4/users'))).status).toBe(429)
    const missing = watchedClient()
    const error = await failure(missing.client.call('GET /api/v4/users/{id}', { params: { id: '1' } }))
    expect(error).toMatchObject({ status: 404, requestId: expect.any(String) })
    expect([...limited.waits, ...missing.waits]).toEqual([])
  })

  test('fails without a response after three repetitions', async () => {
    const { client, waits } = watchedClient({ url: 'http://127.0.0.1:1' })
    const error = await failure(client.call('GET /api/v4/users'))
    expect(error).toMatchObject({ status: 0, cause: expect.any(Error) })
    expect(waits).toEqual([500, 1000, 2000])
  })

  test('with a key that is unknown or lacks the scope says why', async () => {
    const unknown = await failure(watchedClient({ key: 'gh_unknown' }).client.call('GET /api/v4/users'))
    expect(unknown.status).toBe(401)
    const { key: narrow } = await createKey(app(), await makeUser(app()), { scopes: ['domains:read'] })
    const refused = await failure(watchedClient({ key: narrow }).client.call('GET /api/v4/users'))
    expect(refused.body).toMatchObject({ reason: 'key-scope', scope: 'users:read' })
  })

  test('ends with the reason of its signal, also while it waits', async () => {
    const signal = AbortSignal.abort(new Error('no longer needed'))
    await expect(client().call('GET /api/v4/users', {}, { signal })).rejects.toThrow('no longer needed')
    const stop = new AbortController()
    const busy = new GatehouseClient({
      ...{ url, key },
      fetch: async () => {
        stop.abort(new Error('given up'))
        return new Response('', { status: 503 })
      },
    })
    await expect(busy.call('GET /api/v4/users', {}, { signal: stop.signal })).rejects.toThrow('given up')
  })

  test('keeps hostile parameters inside their part of the path', async () => {
    const error = await failure(client().call('GET /api/v4/users/{id}', { params: { id: '../domains?x=#' } }))
    expect(error.status).toBe(404)
  })

  test('reports a page of a proxy as an error without a body', async () => {
    const page = new Response('<h1>Bad gateway</h1>', { status: 502, statusText: 'Bad Gateway' })
    const error = await failure(watchedClient({ fetch: first(() => page) }).client.call('GET /api/v4/users'))
    expect([error.message, error.body, error.fields]).toEqual(['502 Bad Gateway', undefined, {}])
  })
})
