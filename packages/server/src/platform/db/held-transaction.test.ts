import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { cloneDatabase, type TestDatabase } from '../../testing/database.ts'
import { type Database, openDatabase } from './database.ts'
import { commitHeld, HeldTransaction } from './held-transaction.ts'

let made: TestDatabase
let database: Database

beforeAll(async () => {
  made = await cloneDatabase()
  database = openDatabase(made.url, 4, () => undefined)
  await database.pool.query('create table notes (text text)')
})

afterAll(async () => {
  await database[Symbol.asyncDispose]()
  await made[Symbol.asyncDispose]()
})

beforeEach(async () => {
  await database.pool.query('truncate notes')
})

const write = (text: string) =>
  database.db.transaction().execute((trx) => sql`insert into notes values (${text})`.execute(trx))

async function read(): Promise<string[]> {
  const { rows } = await sql<{ text: string }>`select text from notes order by text`.execute(database.db)
  return rows.map(({ text }) => text)
}

/** Runs the work of a request and counts the commits before its end. */
function begin() {
  let commits = 0
  const held = new HeldTransaction(async () => {
    commits += 1
  })
  return { held, commits: () => commits }
}

test("the request sees its last transaction's changes before they are committed and visible to others", async () => {
  const { held, commits } = begin()
  expect(
    await held.run(async () => {
      await write('first')
      return Promise.all([read(), read(), read()])
    }),
  ).toEqual([['first'], ['first'], ['first']])
  expect(await read()).toEqual([])
  expect(commits()).toBe(0)
  expect(await held.commit(async () => undefined)).toBe(true)
  expect(await read()).toEqual(['first'])
})

test('the next transaction, a pool query and commitHeld commit the held transaction', async () => {
  for (const next of [() => write('second'), () => database.pool.query('select 1'), commitHeld]) {
    const { held, commits } = begin()
    await held.run(async () => {
      await write('first')
      await next()
    })
    expect(commits()).toBe(1)
    expect(await read()).toContain('first')
    await held.rollback()
    expect(await read()).not.toContain('second')
    await database.pool.query('truncate notes')
  }
})

test('concurrent transactions are all committed, and connections return to the pool', async () => {
  for (let round = 0; round < 3; round++) {
    const { held } = begin()
    await held.run(async () => {
      await write('a')
      await Promise.all([write('b'), write('c'), read(), write('d'), read()])
    })
    await held.commit()
    held.finish()
  }
  expect(await read()).toEqual(['a', 'a', 'a', 'b', 'b', 'b', 'c', 'c', 'c', 'd', 'd', 'd'])
  expect(database.pool.idleCount).toBe(database.pool.totalCount)
})

test('a transaction that must not be committed is rolled back', async () => {
  const held = new HeldTransaction(() => Promise.reject(new Error('lost')))
  await expect(
    held.run(async () => {
      await write('first')
      await write('second')
    }),
  ).rejects.toThrow('lost')
  await held.rollback()
  expect(await read()).toEqual([])
  expect(database.pool.idleCount).toBe(database.pool.totalCount)
})

test('a statement outside a transaction runs immediately, and only if the request is still valid', async () => {
  let mayWrite = true
  const check = async () => {
    if (!mayWrite) throw new Error('lost')
  }
  const held = new HeldTransaction(check, check)
  const alone = (text: string) => sql`insert into notes values (${text})`.execute(database.db)
  await held.run(async () => {
    await alone('first')
    const { rows } = await database.pool.query<{ text: string }>('select text from notes')
    expect(rows).toEqual([{ text: 'first' }])
    mayWrite = false
    for (const text of ['second', 'third']) await expect(alone(text)).rejects.toThrow('lost')
    expect(await read()).toEqual(['first'])
  })
  held.finish()
  await alone('afterwards')
  expect(await read()).toEqual(['afterwards', 'first'])
  expect(database.pool.idleCount).toBe(database.pool.totalCount)
})

test('background work of a request writes normally once the request has ended', async () => {
  const { held } = begin()
  let goOn = () => {}
  const left = held.run(async () => {
    await new Promise<void>((resolve) => {
      goOn = resolve
    })
    await write('late')
  })
  held.finish()
  goOn()
  await left
  expect(await read()).toEqual(['late'])
})
