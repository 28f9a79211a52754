import { beforeEach, describe, expect, test } from 'vitest'
import { useTestApp } from '../../testing/test-app.ts'
import { TooManyRequests } from '../http/errors.ts'
import { perSubject, Throttle, type ThrottleRule } from './throttle.ts'

const app = useTestApp()
let throttle: Throttle
let number = 0
let subject = ''

const rule: ThrottleRule = { kind: 'test', free: 3, firstWait: 2, longestWait: 60 }
class Wrong extends Error {}

beforeEach(() => {
  throttle = new Throttle(app().database.db, app().clock)
  subject = `subject ${++number}`
})

async function attempt(error?: Error, name = subject): Promise<string> {
  return throttle
    .guard(
      [{ rule, subject: name }],
      (reason) => reason instanceof Wrong,
      async () => {
        if (error !== undefined) throw error
        return 'done'
      },
    )
    .catch((reason: unknown) => {
      if (reason instanceof TooManyRequests) return `wait ${reason.headers['retry-after']}`
      return reason instanceof Wrong ? 'wrong' : 'broken'
    })
}

describe('after more failures than are free', () => {
  test('the wait doubles up to the longest, whatever is tried meanwhile', async () => {
    for (let turn = 1; turn <= 4; turn++) expect(await attempt(new Wrong())).toBe('wrong')
    for (const wait of [2, 4, 8, 16, 32, 60, 60]) {
      expect(await attempt(new Wrong())).toBe(`wait ${wait}`)
      expect(await attempt()).toBe(`wait ${wait}`)
      app().clock.advance(wait - 1)
      expect(await attempt()).toBe('wait 1')
      app().clock.advance(1)
      expect(await attempt(new Wrong())).toBe('wrong')
    }
  })

  test('a success starts the count again', async () => {
    for (let turn = 1; turn <= 4; turn++) await attempt(new Wrong())
    app().clock.advance(2)
    expect(await attempt()).toBe('done')
    for (let turn = 1; turn <= 4; turn++) expect(await attempt(new Wrong())).toBe('wrong')
    expect(await attempt()).toBe('wait 2')
  })

  test('other subjects and other kinds go on', async () => {
    for (let turn = 1; turn <= 4; turn++) await attempt(new Wrong())
    expect(await attempt(undefined, 'somebody else')).toBe('done')
    const other = { ...rule, kind: 'other' }
    await expect(
      throttle.guard(
        [{ rule: other, subject }],
        () => true,
        async () => 1,
      ),
    ).resolves.toBe(1)
  })

  test('errors that are no guesses do not count', async () => {
    for (let turn = 1; turn <= 10; turn++) expect(await attempt(new Error('database'))).toBe('broken')
    expect(await attempt()).toBe('done')
  })

  test('a day without another one forgets them', async () => {
    for (let turn = 1; turn <= 4; turn++) await attempt(new Wrong())
    app().clock.advance(24 * 3600 + 1)
    for (let turn = 1; turn <= 4; turn++) expect(await attempt(new Wrong())).toBe('wrong')
  })

  test('thousands of failures overflow nothing', async () => {
    await attempt(new Wrong())
    await app()
      .database.db.updateTable('throttles')
      .set({ failures: 2_000_000_000 })
      .where('kind', '=', 'test')
      .execute()
    expect(await attempt(new Wrong())).toBe('wrong')
    expect(await attempt()).toBe('wait 60')
    await app().database.db.deleteFrom('throttles').execute()
  })
})

test('every target counts, and any of them makes wait; success clears the first only', async () => {
  const place = { rule: { ...rule, kind: 'place' }, subject: `place ${number}` }
  const from = (name: string, fails: boolean) =>
    throttle.guard(
      [{ rule, subject: name }, place],
      () => true,
      async () => {
        if (fails) throw new Wrong()
        return 'done'
      },
    )
  await expect(from('a', true)).rejects.toThrow(Wrong)
  await expect(from('a', true)).rejects.toThrow(Wrong)
  await expect(from('a', false)).resolves.toBe('done')
  await expect(from('b', true)).rejects.toThrow(Wrong)
  await expect(from('c', true)).rejects.toThrow(Wrong)
  await expect(from('d', false)).rejects.toThrow(TooManyRequests)
})

test('guesses that arrive together are held so that few outrun the count', async () => {
  let running = 0
  let most = 0
  const guess = () =>
    throttle
      .guard(
        [{ rule, subject }],
        () => true,
        async () => {
          running++
          most = Math.max(most, running)
          await app().database.pool.query('select 1')
          running--
          throw new Wrong()
        },
      )
      .catch((error: unknown) => error)
  const outcomes = await Promise.all(Array.from({ length: 40 }, guess))
  expect(most).toBeLessThanOrEqual(rule.free)
  expect(outcomes.filter((outcome) => outcome instanceof Wrong).length).toBeLessThanOrEqual(2 * rule.free)
  expect(outcomes.filter((outcome) => outcome instanceof TooManyRequests).length).toBeGreaterThanOrEqual(34)
})

test('spending counts every use, also of those who come at once', async () => {
  const spend = () =>
    throttle.spend([{ rule, subject }]).then(
      () => 'spent',
      (error: unknown) => (error instanceof TooManyRequests ? 'wait' : 'broken'),
    )
  const outcomes = await Promise.all(Array.from({ length: 20 }, spend))
  expect(outcomes.filter((outcome) => outcome === 'spent')).toHaveLength(4)
  expect(outcomes.filter((outcome) => outcome === 'wait')).toHaveLength(16)
  app().clock.advance(2)
  expect(await spend()).toBe('spent')
  expect(await spend()).toBe('wait')
})

test('what was forgotten is cleared away at night, what counts stays', async () => {
  await attempt(new Wrong(), 'old')
  app().clock.advance(24 * 3600 + 1)
  await attempt(new Wrong(), 'new')
  await throttle.purge()
  const rows = await app()
    .database.db.selectFrom('throttles')
    .select('kind')
    .where('kind', '=', 'test')
    .execute()
  expect(rows).toHaveLength(1)
})

test('subjects are not written in the clear', async () => {
  await attempt(new Wrong(), 'ada@example.test')
  const { rows } = await app().database.pool.query<{ dump: string }>(
    'select t::text as dump from throttles t',
  )
  expect(rows.map((row) => row.dump).join()).not.toContain(Buffer.from('ada@').toString('hex'))
})

test('the rule for accounts and codes forgives five', () => {
  expect(perSubject('x')).toEqual({ kind: 'x', free: 5, firstWait: 2, longestWait: 900 })
})
