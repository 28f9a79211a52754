import { expect, test } from 'vitest'
import { ManualClock } from '../../platform/clock.ts'
import { KnownSecrets } from './known-secrets.ts'

const clock = new ManualClock(new Date('2026-03-10T12:00:00Z'))
const question = { login: 'jane@example.test', hash: '$argon2id$…', secret: 'simple123' }

test('outcomes are cached for five minutes', () => {
  const known = new KnownSecrets(clock)
  expect(known.recall(question)).toBeUndefined()
  known.remember(question, true)
  clock.advance(299)
  expect(known.recall(question)).toBe('right')
  clock.advance(1)
  expect(known.recall(question)).toBeUndefined()
})

test('another password, stored hash or login is another cache entry', () => {
  const known = new KnownSecrets(clock)
  known.remember(question, true)
  known.remember({ ...question, secret: 'wrong' }, false)
  expect(known.recall({ ...question, secret: 'wrong' })).toBe('wrong')
  for (const change of [
    { secret: 'simple12' },
    { hash: '$argon2id$other' },
    { hash: null },
    { login: 'j@x.test' },
  ]) {
    expect(known.recall({ ...question, ...change })).toBeUndefined()
  }
  expect(known.recall({ login: 'a', hash: 'b","c', secret: 'd' })).toBeUndefined()
})

test('a flood of guesses evicts the oldest entries instead of exhausting memory', () => {
  const known = new KnownSecrets(clock)
  for (let n = 0; n <= 20_000; n++) known.remember({ ...question, secret: String(n) }, false)
  expect(known.recall({ ...question, secret: '0' })).toBeUndefined()
  expect(known.recall({ ...question, secret: '1' })).toBe('wrong')
  expect(known.recall({ ...question, secret: '20000' })).toBe('wrong')
})
