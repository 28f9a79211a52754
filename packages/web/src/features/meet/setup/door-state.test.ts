// @vitest-environment happy-dom

import { describe, expect, test } from 'vitest'
import { ApiError } from '../../../platform/api/api-error.ts'
import { type DoorAnswer, type DoorCode, type Knocking, readAnswer } from './door.ts'
import { answered, asking, atDoor, buttonOf, type DoorState } from './door-state.ts'

const config = { locked: false, nomedia: false, password: '', requires_password: true }
const code = (number: DoorCode, more: Partial<Extract<DoorAnswer, { kind: 'code' }>> = {}): DoorAnswer => ({
  kind: 'code',
  code: number,
  isDenied: false,
  ...more,
})
const ask = (answer: DoorAnswer, asked: Knocking = { init: false }, state: DoorState = atDoor) =>
  answered(asking(state, asked), asked, answer)

describe('a first check', () => {
  test.each([
    [322, 'ready', 'join', undefined],
    [323, 'closed', 'login', 10],
    [324, 'opens', 'join', undefined],
    [325, 'password', 'join', undefined],
    [326, 'name', 'join', undefined],
    [327, 'waiting', 'none', 3],
  ] as const)('answered by %i', (number, stand, button, wait) => {
    const state = ask(code(number))
    expect(state).toMatchObject({ stand, wait, wrong: undefined, isJoining: false })
    expect(buttonOf(state)).toBe(button)
  })

  test.each([
    [{ kind: 'missing' }, 'missing', 'none'],
    [{ kind: 'banned' }, 'banned', 'none'],
    [{ kind: 'failed' }, 'failed', 'retry'],
  ] as const)('answered by %j', (answer, stand, button) => {
    const state = ask(answer)
    expect(state).toMatchObject({ stand, wait: undefined })
    expect(buttonOf(state)).toBe(button)
  })

  test('waits for an owner without asking to enter', () => {
    expect(ask(code(323)).again).toBe(false)
  })

  test('after an earlier knock continues to enter automatically', () => {
    expect(ask(code(327)).again).toBe(true)
  })
})

describe('the existence of the room, which opens devices,', () => {
  test.each([322, 323, 324, 325, 326, 327] as const)('follows from %i', (number) => {
    expect(ask(code(number)).isKnown).toBe(true)
  })

  test.each([
    { kind: 'throttled', seconds: 5 },
    { kind: 'failed' },
    { kind: 'missing' },
    { kind: 'banned' },
  ] as const)('does not follow from %j', (answer) => {
    expect(ask(answer).isKnown).toBe(false)
  })

  test('stays known during failures, and ends with the room', () => {
    const known = ask(code(323))
    expect(ask({ kind: 'failed' }, { init: false }, known).isKnown).toBe(true)
    expect(ask({ kind: 'missing' }, { init: false }, known).isKnown).toBe(false)
  })
})

describe('someone joining', () => {
  const join: Knocking = { init: true, nickname: 'Tim', password: 'x' }

  test('is busy until the response', () => {
    expect(asking(atDoor, join).isJoining).toBe(true)
    expect(ask(code(322), join).isJoining).toBe(false)
  })

  test('gets the token of the response', () => {
    const state = ask({ kind: 'in', token: 't', role: 2, config }, join)
    expect(state).toMatchObject({ stand: 'in', entry: { token: 't', role: 2 }, config })
  })

  test('sees the wrong password at its field on every attempt', () => {
    const once = ask(code(325), join)
    expect(once).toMatchObject({ stand: 'password', wrong: 'password', attempts: 1 })
    expect(ask(code(325), join, once).attempts).toBe(2)
    expect(asking(once, join).wrong).toBeUndefined()
  })

  test('sees the missing name at its field', () => {
    expect(ask(code(326), { init: true })).toMatchObject({ stand: 'name', wrong: 'nickname' })
  })

  test('gets a failure when a knock with a name is rejected', () => {
    expect(ask(code(326), join)).toMatchObject({ stand: 'failed', wrong: undefined })
  })

  test('waits for a moderator and enters automatically', () => {
    expect(ask(code(327), join)).toMatchObject({ stand: 'waiting', wait: 3, again: true })
  })

  test('stops polling after being denied', () => {
    const state = ask(code(327, { isDenied: true }), join)
    expect(state).toMatchObject({ stand: 'denied', wait: undefined, again: false })
    expect(buttonOf(state)).toBe('retry')
  })

  test('waits as long as required when throttled, then retries the same request', () => {
    expect(ask({ kind: 'throttled', seconds: 42 }, join)).toMatchObject({ wait: 42, again: true })
    expect(ask({ kind: 'throttled', seconds: 0 })).toMatchObject({ wait: 1, again: false })
  })
})

test('keeps what is known about the room if a response omits it', () => {
  const locked = ask(code(326, { config }))
  expect(locked.config).toEqual(config)
  expect(ask({ kind: 'throttled', seconds: 5 }, { init: false }, locked).config).toEqual(config)
  expect(ask(code(323), { init: false }, locked).config).toEqual(config)
})

describe('an error response', () => {
  const refused = (status: number, refusal?: object, retryAfter?: number) =>
    readAnswer(new ApiError('', { status, refusal, retryAfter }))

  test('with a code is parsed completely', () => {
    expect(refused(422, { code: 327, knock: 'denied', config, status: 'error', message: '' })).toEqual({
      kind: 'code',
      code: 327,
      config,
      isDenied: true,
    })
    expect(refused(422, { code: 322, config })).toMatchObject({ code: 322, isDenied: false })
  })

  test.each([
    [404, 'missing'],
    [403, 'banned'],
    [500, 'failed'],
    [503, 'failed'],
    [0, 'failed'],
    [413, 'failed'],
  ])('with the status %i', (status, kind) => {
    expect(refused(status)).toEqual({ kind })
  })

  test.each([{}, { code: '322' }, { code: 399 }, { code: null }])(
    'of an unknown form %j is a failure',
    (body) => {
      expect(refused(422, body)).toEqual({ kind: 'failed' })
    },
  )

  test('with 429 has the time to wait, by default ten seconds', () => {
    expect(refused(429, {}, 7)).toEqual({ kind: 'throttled', seconds: 7 })
    expect(refused(429)).toEqual({ kind: 'throttled', seconds: 10 })
  })
})
