// @vitest-environment happy-dom
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { activateLanguage } from '../../i18n/i18n.ts'
import { call, onSessionLost } from '../api/api.ts'
import { setNavigator } from '../navigation/navigation.ts'
import { auth } from './auth.ts'
import { refreshTokens, resumeSession } from './refresh.ts'
import { readTokens, refreshDelay, storeTokens } from './tokens.ts'
import { testUser } from './user.test-data.ts'

type Handler = (
  url: string,
  init: RequestInit & { headers: Record<string, string> },
) => Response | Promise<Response>

const server = vi.fn<Handler>()
const answer = (body: unknown, status = 200) => new Response(JSON.stringify(body), { status })
const tokens = (name: string) => ({
  status: 'success',
  access_token: `access-${name}`,
  refresh_token: `refresh-${name}`,
  expires_in: 3600,
})
const calls = (path: string) => server.mock.calls.filter(([url]) => url === path)

/** Web Locks of one browser: requests are granted in order. */
function fakeLocks() {
  let tail: Promise<unknown> = Promise.resolve()
  return {
    request: <T>(_name: string, task: () => Promise<T>): Promise<T> => {
      const run = tail.then(task, task)
      tail = run.catch(() => {})
      return run
    },
  }
}

beforeAll(() => activateLanguage('en'))
beforeEach(() => {
  vi.stubGlobal('fetch', server)
  Object.defineProperty(navigator, 'locks', { value: fakeLocks(), configurable: true })
  localStorage.clear()
  storeTokens(tokens('old'))
})

afterEach(() => {
  server.mockReset()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

test.each([
  [3600, 3540],
  [61, 1],
  [60, 60],
  [10, 10],
])('tokens that live %d s are exchanged after %d s', (expiresIn, delay) => {
  expect(refreshDelay(expiresIn)).toBe(delay)
})

test('concurrent calls of a tab share one exchange', async () => {
  server.mockImplementation(() => answer(tokens('new')))
  await Promise.all([refreshTokens(), refreshTokens(), refreshTokens()])
  expect(server).toHaveBeenCalledTimes(1)
  expect(readTokens()).toMatchObject({ access: 'access-new', refresh: 'refresh-new' })
})

test("a tab that lost the race uses the winner's tokens", async () => {
  let release = () => {}
  const exchangeOfWinner = new Promise<void>((resolve) => {
    release = resolve
  })
  void navigator.locks.request('gatehouse-tokens', () => exchangeOfWinner)
  const waiting = refreshTokens()
  storeTokens(tokens('winner'))
  release()
  await waiting
  expect(server).not.toHaveBeenCalled()
  expect(readTokens()?.access).toBe('access-winner')
})

test('startup waits for a pending exchange and uses its refresh token', async () => {
  server.mockImplementation((url) =>
    answer(url.includes('info') ? { id: 1, ...tokens('third') } : tokens('second')),
  )
  await Promise.all([refreshTokens(), resumeSession()])
  expect(server.mock.calls.map(([url, { body }]) => [url, body])).toEqual([
    ['/api/auth/refresh', JSON.stringify({ refresh_token: 'refresh-old' })],
    ['/api/auth/info?refresh=1', JSON.stringify({ refresh_token: 'refresh-second' })],
  ])
})

/** Loads the module as in another tab. */
async function newTab() {
  vi.resetModules()
  return import('./refresh.ts')
}

test.each([
  ['a start-up', 'resumeSession', 'refreshTokens', ['/api/auth/info?refresh=1']],
  ['an exchange', 'refreshTokens', 'resumeSession', ['/api/auth/refresh', '/api/auth/info?refresh=1']],
] as const)(
  '%s whose tab was closed is finished by the next as it was begun',
  async (_, begun, next, expected) => {
    // the response is never received
    server.mockImplementationOnce(() => new Promise<Response>(() => {}))
    void (await newTab())[begun]()
    await vi.waitFor(() => expect(server).toHaveBeenCalledTimes(1))
    // a closed tab releases its lock
    Object.defineProperty(navigator, 'locks', { value: fakeLocks(), configurable: true })
    server.mockImplementation((url) =>
      answer(url.includes('info') ? { id: 1, ...tokens('third') } : tokens('second')),
    )
    await (await newTab())[next]()
    expect(server.mock.calls.slice(1).map(([url]) => url)).toEqual(expected)
    const [lost, repeated] = server.mock.calls.map(([, { headers }]) => headers['Idempotency-Key'])
    expect(repeated).toBe(lost)
  },
)

test('retries the exchange after a network failure with the same key', async () => {
  vi.useFakeTimers()
  server.mockRejectedValueOnce(new TypeError('network')).mockImplementation(() => answer(tokens('new')))
  const done = refreshTokens()
  await vi.advanceTimersByTimeAsync(499)
  expect(server).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(1)
  await done
  const keys = server.mock.calls.map(([, { headers }]) => headers['Idempotency-Key'])
  expect(keys).toHaveLength(2)
  expect(keys[0]).toBeTruthy()
  expect(keys[0]).toBe(keys[1])
})

test('every exchange of a refresh token has the same key, even after a reload', async () => {
  const key = readTokens()?.refreshKey
  server.mockResolvedValue(answer({ status: 'error' }, 500))
  await expect(refreshTokens()).rejects.toMatchObject({ status: 500 })
  await expect(resumeSession()).rejects.toMatchObject({ status: 500 })
  for (const [, { headers }] of server.mock.calls) {
    expect(headers['Idempotency-Key']).toBe(key)
    expect(headers.Authorization).toBeUndefined()
  }
  storeTokens(tokens('new'))
  expect(readTokens()?.refreshKey).not.toBe(key)
})

test('waits for an exchange started before a reload', async () => {
  vi.useFakeTimers()
  server.mockResolvedValueOnce(answer({ status: 'error' }, 409)).mockResolvedValue(answer(tokens('new')))
  const done = refreshTokens()
  await vi.advanceTimersByTimeAsync(500)
  await done
  expect(readTokens()?.access).toBe('access-new')
})

test('the next tab continues only once the new tokens have reached it', async () => {
  vi.useFakeTimers()
  server.mockImplementation(async () => answer(tokens('new')))
  await refreshTokens()
  const turn = vi.fn()
  void navigator.locks.request('gatehouse-tokens', async () => turn())
  await vi.advanceTimersByTimeAsync(99)
  expect(turn).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  expect(turn).toHaveBeenCalled()
})

test('retries a rejected call once with new tokens', async () => {
  server.mockImplementation((url, { headers }) => {
    if (url === '/api/auth/refresh') return answer(tokens('new'))
    return headers.Authorization === 'Bearer access-new'
      ? answer({ id: 1 })
      : answer({ status: 'error' }, 401)
  })
  await expect(call('GET /api/auth/info')).resolves.toEqual({ id: 1 })
  expect(calls('/api/auth/info')).toHaveLength(2)
  expect(calls('/api/auth/refresh')).toHaveLength(1)
})

test('the session ends if the exchange is rejected too', async () => {
  const lost = vi.fn()
  const stop = onSessionLost(lost)
  server.mockImplementation(() => answer({ status: 'error', message: 'Unauthenticated.' }, 401))
  await expect(call('GET /api/auth/info')).rejects.toMatchObject({ status: 401, endedSession: true })
  stop()
  expect(lost).toHaveBeenCalledTimes(1)
  expect(readTokens()).toBeUndefined()
})

test("a network failure doesn't end the session", async () => {
  vi.useFakeTimers()
  server.mockImplementation((url) => {
    if (url === '/api/auth/refresh') throw new TypeError('network')
    return answer({ status: 'error' }, 401)
  })
  const failed = expect(call('GET /api/auth/info')).rejects.toMatchObject({ status: 0 })
  await vi.runAllTimersAsync()
  await failed
  expect(readTokens()?.access).toBe('access-old')
})

test('leaves a call with its own authorization alone', async () => {
  server.mockImplementation(() => answer({ status: 'error' }, 401))
  const failed = call('GET /api/auth/info', { headers: { Authorization: 'Bearer other' } })
  await expect(failed).rejects.toMatchObject({ status: 401 })
  expect(server).toHaveBeenCalledTimes(1)
  expect(readTokens()?.access).toBe('access-old')
})

test('a newly required second factor leads to its setup', async () => {
  const recheck = vi.fn()
  setNavigator({ go: vi.fn(), leaveFor: vi.fn(), recheck, location: () => '/users', needsLogin: () => true })
  auth.set({ loggedIn: true, user: testUser() })
  server.mockImplementation(() => answer({ ...tokens('new'), mustEnrol: true }))
  await refreshTokens()
  expect(auth.get().user?.mustEnrol).toBe(true)
  expect(recheck).toHaveBeenCalledTimes(1)
})
