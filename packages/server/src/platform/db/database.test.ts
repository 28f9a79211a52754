import { expect, test } from 'vitest'
import { useTestApp } from '../../testing/test-app.ts'
import { isUniqueViolation } from './database.ts'

const app = useTestApp()

async function read(expression: string): Promise<unknown> {
  const { rows } = await app().database.pool.query<{ value: unknown }>(`select ${expression} as value`)
  return rows[0]?.value
}

test('whole numbers are numbers, alone and in lists', async () => {
  expect(await read('4294967295::bigint')).toBe(4_294_967_295)
  expect(await read('count(*)')).toBe(1)
  expect(await read(`'{1,4294967295}'::bigint[]`)).toEqual([1, 4_294_967_295])
  expect(await read(`'{}'::bigint[]`)).toEqual([])
  expect(await read(`'{3}'::int[]`)).toEqual([3])
})

test('a whole number that is not exact any more is refused instead of rounded', async () => {
  await expect(read('9007199254740993::bigint')).rejects.toThrow(RangeError)
})

test('dates without a time stay as they are written', async () => {
  expect(await read(`date '2026-03-01'`)).toBe('2026-03-01')
})

test('a unique key that is met is told from other errors', async () => {
  const again = app().database.pool.query(`insert into tenants (id, title) values (0, 'again')`)
  const error = await again.catch((reason: unknown) => reason)
  expect(isUniqueViolation(error)).toBe(true)
  expect(isUniqueViolation(error, 'tenants_pkey')).toBe(true)
  expect(isUniqueViolation(error, 'users_email')).toBe(false)
  expect(isUniqueViolation(new Error('no'))).toBe(false)
})
