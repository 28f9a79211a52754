import { EventEmitter, once } from 'node:events'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { makeUser, signInAs } from '../../testing/factories.ts'
import { useTestApp } from '../../testing/test-app.ts'
import { isConflict, isUniqueViolation } from './database.ts'

const app = useTestApp()

async function read(expression: string): Promise<unknown> {
  const { rows } = await app().database.pool.query<{ value: unknown }>(`select ${expression} as value`)
  return rows[0]?.value
}

test('integers are returned as numbers, also in arrays', async () => {
  expect(await read('4294967295::bigint')).toBe(4_294_967_295)
  expect(await read('count(*)')).toBe(1)
  expect(await read(`'{1,4294967295}'::bigint[]`)).toEqual([1, 4_294_967_295])
  expect(await read(`'{}'::bigint[]`)).toEqual([])
  expect(await read(`'{3}'::int[]`)).toEqual([3])
})

test('an integer beyond the safe range throws instead of being rounded', async () => {
  await expect(read('9007199254740993::bigint')).rejects.toThrow(RangeError)
})

test('dates without a time are returned as text', async () => {
  expect(await read(`date '2026-03-01'`)).toBe('2026-03-01')
})

test('a unique violation is distinguished from other errors', async () => {
  const again = app().database.pool.query(`insert into tenants (id, title) values (0, 'again')`)
  const error = await again.catch((reason: unknown) => reason)
  expect(isUniqueViolation(error)).toBe(true)
  expect(isUniqueViolation(error, 'tenants_pkey')).toBe(true)
  expect(isUniqueViolation(error, 'users_email')).toBe(false)
  expect(isUniqueViolation(new Error('no'))).toBe(false)
})

test('two deadlocked transactions both succeed', async () => {
  const { db } = app().database
  const users = [await makeUser(app()), await makeUser(app())]
  const rename = (trx: typeof db, user: { id: number } | undefined, text: string) =>
    trx
      .updateTable('users')
      .set({ language: text })
      .where('id', '=', user?.id ?? 0)
      .execute()
  let arrived = 0
  let begun = 0
  const gate = new EventEmitter()
  const bothArrived = once(gate, 'open')
  const cross = (first: number, second: number) =>
    db.transaction().execute(async (trx) => {
      begun++
      await rename(trx, users[first], 'first')
      if (++arrived === 2) gate.emit('open')
      await bothArrived
      await rename(trx, users[second], 'second')
      return first
    })
  expect(await Promise.all([cross(0, 1), cross(1, 0)])).toEqual([0, 1])
  // on a busy machine they may collide more than once
  expect(begun).toBeGreaterThanOrEqual(3)
})

test('a persistent conflict eventually throws, other errors throw immediately', async () => {
  const begin = async (code: string) => {
    let times = 0
    const error = await app()
      .database.db.transaction()
      .execute(async (trx) => {
        times++
        await sql.raw(`do $$ begin raise exception 'no' using errcode = '${code}'; end $$`).execute(trx)
      })
      .catch((reason: unknown) => reason)
    return [times, isConflict(error)]
  }
  expect(await begin('40001')).toEqual([8, true])
  expect(await begin('40P01')).toEqual([8, true])
  expect(await begin('23505')).toEqual([1, false])
})

test('a persistent conflict is not reported to the client as a server error', async () => {
  const user = await makeUser(app())
  const { access_token: token } = await signInAs(app(), user)
  await app().database.pool.query(
    `create function always_in_conflict() returns trigger language plpgsql as
      $$ begin raise exception 'no' using errcode = '40P01'; end $$;
    create trigger always_in_conflict before insert on user_settings for each row
      when (new.value = 'trouble') execute function always_in_conflict()`,
  )
  const body = { first_name: 'trouble' }
  const answer = await app().call(`PUT /api/v4/users/${user.id}`, { token, body })
  expect([answer.status, answer.headers['retry-after']]).toEqual([429, '1'])
})
