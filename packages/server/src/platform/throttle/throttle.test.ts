import { beforeEach, describe, expect, test } from 'vitest'
import { useTestApp } from '../../testing/test-app.ts'
import { openDatabase } from '../db/database.ts'
import { TooManyRequests } from '../http/errors.ts'
import type { Guarded, Limit } from './limits.ts'
import { Throttle } from './throttle.ts'

const app = useTestApp()
let throttle: Throttle
let number = 0
let account = ''

const limit: Limit = { free: 3, firstWait: 2, longestWait: 60 }
const account3 = { account: limit }
class Wrong extends Error {}
const isWrong = (reason: unknown) => reason instanceof Wrong

beforeEach(() => {
  throttle = new Throttle(app().database.pool, app().clock)
  account = `account ${++number}`
})

function outcomeOf(work: Promise<string>): Promise<string> {
  return work.catch((reason: unknown) => {
    if (reason instanceof TooManyRequests) return `wait ${reason.headers['retry-after']}`
    return reason instanceof Wrong ? 'wrong' : 'broken'
  })
}

function attempt(error?: Error, what: Partial<Guarded> = {}, by = throttle): Promise<string> {
  const guarded = { kind: 'test', account, limits: account3, ...what }
  return outcomeOf(
    by.guard(guarded, isWrong, async () => {
      if (error !== undefined) throw error
      return 'done'
    }),
  )
}

/** Counts the occurrences of each outcome. */
function tally(outcomes: readonly string[]): Record<string, number> {
  const all: Record<string, number> = {}
  for (const outcome of outcomes) all[outcome] = (all[outcome] ?? 0) + 1
  return all
}

describe('after the free failures are used up', () => {
  test('the wait doubles up to the maximum, regardless of attempts meanwhile', async () => {
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

  test('a success resets the count', async () => {
    for (let turn = 1; turn <= 4; turn++) await attempt(new Wrong())
    app().clock.advance(2)
    expect(await attempt()).toBe('done')
    for (let turn = 1; turn <= 4; turn++) expect(await attempt(new Wrong())).toBe('wrong')
    expect(await attempt()).toBe('wait 2')
  })

  test('other accounts and other kinds are not affected', async () => {
    for (let turn = 1; turn <= 4; turn++) await attempt(new Wrong())
    expect(await attempt(undefined, { account: 'somebody else' })).toBe('done')
    expect(await attempt(undefined, { kind: 'other' })).toBe('done')
  })

  test('errors other than failed guesses do not count', async () => {
    for (let turn = 1; turn <= 10; turn++) expect(await attempt(new Error('database'))).toBe('broken')
    expect(await attempt()).toBe('done')
  })

  test('the count expires after a day without failures', async () => {
    for (let turn = 1; turn <= 4; turn++) await attempt(new Wrong())
    app().clock.advance(24 * 3600 + 1)
    for (let turn = 1; turn <= 4; turn++) expect(await attempt(new Wrong())).toBe('wrong')
  })

  test('the count decays gradually, so a busy network is not slowed by occasional failures', async () => {
    for (let turn = 1; turn <= 30; turn++) {
      expect(await attempt(new Wrong())).toBe('wrong')
      app().clock.advance(8 * 3600)
    }
  })

  test('thousands of failures cause no overflow', async () => {
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

describe('a request with several targets', () => {
  test('counts for all of them and is blocked by any; a success resets the account, never the network', async () => {
    const from = (name: string, error?: Error) =>
      attempt(error, { account: name, ip: '192.0.2.1', limits: { account: limit, network: limit } })
    expect(await from('a', new Wrong())).toBe('wrong')
    expect(await from('a', new Wrong())).toBe('wrong')
    expect(await from('a')).toBe('done')
    expect(await from('b', new Wrong())).toBe('wrong')
    expect(await from('c', new Wrong())).toBe('wrong')
    expect(await from('d')).toBe('wait 2')
    expect(await attempt(undefined, { account: 'd', ip: '192.0.2.2' })).toBe('done')
    for (let turn = 1; turn <= 4; turn++) expect(await attempt(new Wrong(), { account: 'a' })).toBe('wrong')
  })

  test('is not counted for the others if one target rejects it', async () => {
    const limits = { account: limit, network: limit }
    const from = (name: string, error?: Error) => attempt(error, { account: name, ip: '192.0.2.7', limits })
    for (let turn = 1; turn <= 4; turn++) await attempt(new Wrong(), { account: 'refused' })
    for (let turn = 1; turn <= 9; turn++) expect(await from('refused', new Wrong())).toBe('wait 2')
    for (let turn = 1; turn <= 4; turn++) expect(await from(`other ${turn}`, new Wrong())).toBe('wrong')
  })

  test.each([
    ['70 addresses of one /64', (n: number) => `2001:db8:1:2::${n.toString(16)}`, 4, '2001:db8:1:3::1'],
    ['many /64 in one /48', (n: number) => `2001:db8:2:${n.toString(16)}::1`, 13, '2001:db8:3::1'],
    ['many addresses of one /24', (n: number) => `198.51.100.${n}`, 13, '198.51.101.1'],
  ])('guesses from %s', async (_name, address, most, elsewhere) => {
    const limits = { account: limit, network: limit }
    const guess = (ip: string, n: number) => attempt(new Wrong(), { account: `many ${n}`, ip, limits })
    const outcomes = []
    for (let n = 1; n <= 70; n++) outcomes.push(await guess(address(n), n))
    expect(tally(outcomes)).toEqual({ wrong: most, 'wait 2': 70 - most })
    expect(await guess(elsewhere, 71)).toBe('wrong')
  })

  test('has a separate limit on a known device, which strangers cannot exhaust', async () => {
    const ip = '192.0.2.50'
    const limits = { account: limit, network: limit }
    const own = { ip, limits, known: 'laptop' }
    for (let turn = 1; turn <= 4; turn++) await attempt(new Wrong(), { ip, limits })
    expect(await attempt(undefined, { ip, limits })).toBe('wait 2')
    for (let turn = 1; turn <= 6; turn++) expect(await attempt(new Wrong(), own)).toBe('wrong')
    expect(await attempt(undefined, own)).toBe('wait 2')
    expect(await attempt(undefined, { ...own, known: 'phone' })).toBe('done')
    // it doesn't reset the count of strangers
    expect(await attempt(undefined, { ip, limits })).toBe('wait 2')
  })
})

describe('concurrent bursts', () => {
  test('cannot bypass the limit: few run at once, and no more than sequentially', async () => {
    let running = 0
    let most = 0
    const guess = () =>
      outcomeOf(
        throttle.guard({ kind: 'test', account, limits: account3 }, isWrong, async () => {
          running++
          most = Math.max(most, running)
          await app().database.pool.query('select 1')
          running--
          throw new Wrong()
        }),
      )
    const outcomes = await Promise.all(Array.from({ length: 400 }, guess))
    expect(most).toBeLessThanOrEqual(limit.free)
    expect(outcomes.filter((outcome) => outcome === 'wrong')).toHaveLength(limit.free + 1)
    expect(outcomes.filter((outcome) => outcome.startsWith('wait'))).toHaveLength(400 - limit.free - 1)
  })

  test('cannot bypass the limit across processes, for accounts and networks in any order', async () => {
    await using second = openDatabase(app().database.pool.options.connectionString ?? '', 8, () => {})
    const processes = [throttle, new Throttle(second.pool, app().clock)]
    const limits = { account: limit, network: { ...limit, free: 9 } }
    const guesses = Array.from({ length: 200 }, (_, n) =>
      attempt(
        new Wrong(),
        { account: `${account} ${n % 7}`, ip: `203.0.113.${n % 2}`, limits },
        processes[n % 2 === 0 ? (n % 4 === 0 ? 0 : 1) : n % 3 === 0 ? 0 : 1],
      ),
    )
    const outcomes = tally(await Promise.all(guesses))
    expect(outcomes.wrong).toBe(20)
    expect(outcomes.broken).toBeUndefined()
  })

  test('do not reject concurrent legitimate requests: they wait for each other and all succeed', async () => {
    const outcomes = await Promise.all(Array.from({ length: 60 }, () => attempt()))
    expect(tally(outcomes)).toEqual({ done: 60 })
    const { rows } = await app().database.pool.query<{ failures: number; pending: number }>(
      'select failures, pending from throttles where failures <> 0 or pending <> 0',
    )
    expect(rows.filter(({ pending }) => pending !== 0)).toEqual([])
  })

  test('cannot bypass the limit of calls where every use counts', async () => {
    const spend = () =>
      outcomeOf(throttle.spend({ kind: 'test', account, limits: account3 }).then(() => 'spent'))
    const outcomes = await Promise.all(Array.from({ length: 20 }, spend))
    expect(tally(outcomes)).toEqual({ spent: 4, 'wait 2': 16 })
    app().clock.advance(2)
    expect(await spend()).toBe('spent')
    expect(await spend()).toBe('wait 4')
  })
})

test('a connection killed between reservation and work leaves the guess counted', async () => {
  for (let turn = 1; turn <= 4; turn++) {
    const doomed = openDatabase(app().database.pool.options.connectionString ?? '', 1, () => {})
    const dies = new Throttle(doomed.pool, app().clock)
    const guess = outcomeOf(
      dies.guard({ kind: 'test', account, limits: account3 }, isWrong, async () => {
        const { rows } = await doomed.pool.query<{ pid: number }>('select pg_backend_pid() as pid')
        await app().database.pool.query('select pg_terminate_backend($1)', [rows[0]?.pid])
        // simulates a crashed process: nothing can be settled
        await doomed.db.destroy()
        throw new Wrong()
      }),
    )
    expect(await guess).toBe('wrong')
    app().clock.advance(61)
  }
  // the fifth runs alone and finds four counted
  expect(await attempt(new Wrong())).toBe('wrong')
  expect(await attempt()).toBe('wait 4')
})

test('the nightly purge deletes expired counters and keeps the others', async () => {
  await attempt(new Wrong(), { account: 'old' })
  app().clock.advance(24 * 3600 + 1)
  await attempt(new Wrong(), { account: 'new' })
  await throttle.purge()
  const rows = await app()
    .database.db.selectFrom('throttles')
    .select('kind')
    .where('kind', '=', 'test')
    .execute()
  expect(rows).toHaveLength(1)
})

test('subjects are not stored in the clear', async () => {
  await attempt(new Wrong(), { account: 'ada@example.test' })
  const { rows } = await app().database.pool.query<{ dump: string }>(
    'select t::text as dump from throttles t',
  )
  expect(rows.map((row) => row.dump).join()).not.toContain(Buffer.from('ada@').toString('hex'))
})
