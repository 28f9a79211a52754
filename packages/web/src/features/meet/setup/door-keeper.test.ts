// @vitest-environment happy-dom

import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { DoorKeeper } from './door-keeper.ts'

const config = { locked: false, nomedia: false, password: '', requires_password: false }
let answers: [status: number, body: object, headers?: Record<string, string>][]
let asked: Record<string, unknown>[]
let keeper: DoorKeeper

beforeEach(() => {
  vi.useFakeTimers()
  answers = []
  asked = []
  vi.stubGlobal('fetch', async (_url: string, init: RequestInit) => {
    if (typeof init.body === 'string') asked.push(JSON.parse(init.body))
    const [status, body, headers] = answers.shift() ?? [500, {}]
    return Response.json(body, { status, headers })
  })
  keeper = new DoorKeeper('abc')
  keeper.tell({
    nickname: 'Tim',
    password: '',
    requestId: '123456789',
    picture: () => 'data:image/png;base64,x',
    canPublish: () => true,
  })
})
afterEach(() => {
  keeper.stop()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const stand = () => keeper.state.get().stand

test('polls a closed room every ten seconds until it opens', async () => {
  answers = [
    [422, { code: 323 }],
    [422, { code: 323 }],
    [422, { code: 322, config }],
  ]
  await keeper.check()
  expect(stand()).toBe('closed')
  await vi.advanceTimersByTimeAsync(9999)
  expect(asked).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(asked).toHaveLength(2)
  await vi.advanceTimersByTimeAsync(10_000)
  expect(stand()).toBe('ready')
  await vi.advanceTimersByTimeAsync(60_000)
  expect(asked.map(({ init }) => init)).toEqual([0, 0, 0])
})

test('a guest who knocks joins soon after being admitted and is notified', async () => {
  answers = [
    [422, { code: 327, config, knock: 'pending' }],
    [200, { token: 't', role: 2, config }],
  ]
  await keeper.join()
  expect(stand()).toBe('waiting')
  await vi.advanceTimersByTimeAsync(3000)
  expect(keeper.state.get()).toMatchObject({ stand: 'in', isAdmitted: true, entry: { token: 't', role: 2 } })
  expect(asked.map(({ init }) => init)).toEqual([1, 1])
})

test('sends the picture only when joining', async () => {
  answers = [
    [422, { code: 326, config }],
    [422, { code: 327, config }],
  ]
  await keeper.check()
  await keeper.join()
  expect(asked[0]).not.toHaveProperty('picture')
  expect(asked[1]).toMatchObject({ picture: 'data:image/png;base64,x', nickname: 'Tim', canPublish: 1 })
})

test('waits after too many requests, as long as the server says', async () => {
  answers = [
    [429, {}, { 'Retry-After': '3' }],
    [422, { code: 324 }],
  ]
  await keeper.check()
  expect(stand()).toBe('throttled')
  await vi.advanceTimersByTimeAsync(3000)
  expect(stand()).toBe('opens')
})

test('a later request supersedes a pending one', async () => {
  answers = [
    [422, { code: 323 }],
    [422, { code: 322, config }],
  ]
  const first = keeper.check()
  const second = keeper.check()
  await Promise.all([first, second])
  expect(stand()).toBe('ready')
})

test('sends no requests after being stopped', async () => {
  answers = [[422, { code: 323 }]]
  await keeper.check()
  keeper.stop()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(asked).toHaveLength(1)
})
