import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { cloneDatabase, type TestDatabase } from '../../testing/database.ts'
import { copyIn, copyOut } from './copy.ts'
import { type Database, openDatabase } from './database.ts'

let clone: TestDatabase
let database: Database

beforeAll(async () => {
  clone = await cloneDatabase()
  database = openDatabase(clone.url, 6, () => {})
})
afterAll(async () => {
  await database[Symbol.asyncDispose]()
  await clone[Symbol.asyncDispose]()
})
beforeEach(async () => {
  await database.pool.query('drop table if exists here, there')
  await database.pool.query('create table here (n integer primary key, text text, bytes bytea)')
  await database.pool.query('create table there (like here including all)')
})

/** Hash of all bytes. */
async function hashOf(source: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of source) hash.update(chunk)
  return hash.digest('hex')
}

test('rows copied from one table to another are the same, byte by byte', async () => {
  await database.pool.query(
    `insert into here select n, repeat(md5(n::text), n % 90) || E'\\t\\n\\\\' || chr(128512), decode(md5(n::text), 'hex')
     from generate_series(1, 5000) n`,
  )
  const [reader, writer] = [await database.pool.connect(), await database.pool.connect()]
  await copyIn(writer, 'copy there from stdin', copyOut(reader, 'copy here to stdout'))
  const here = await hashOf(copyOut(reader, 'copy here to stdout'))
  expect(await hashOf(copyOut(writer, 'copy there to stdout'))).toBe(here)
  const { rows } = await database.pool.query('select count(*) as n from there natural join here')
  expect(rows).toEqual([{ n: 5000 }])
  for (const client of [reader, writer]) client.release()
})

test('a row larger than a block is copied', async () => {
  await database.pool.query(`insert into here values (1, repeat('x', 3000000), null), (2, 'y', null)`)
  const client = await database.pool.connect()
  let bytes = 0
  for await (const chunk of copyOut(client, 'copy here to stdout')) bytes += (chunk as Buffer).length // bytes
  expect(bytes).toBe(3_000_000 + '1\t\t\\N\n2\ty\t\\N\n'.length)
  client.release()
})

test('rejects wrong rows and leaves the connection usable', async () => {
  const client = await database.pool.connect()
  const wrong = Readable.from([Buffer.from('1\ta\t\\N\n'), Buffer.from('1\ttwice\t\\N\n')])
  await expect(copyIn(client, 'copy there from stdin', wrong)).rejects.toThrow('duplicate key')
  await expect(copyIn(client, 'copy nowhere from stdin', Readable.from([]))).rejects.toThrow('does not exist')
  await expect(hashOf(copyOut(client, 'copy nowhere to stdout'))).rejects.toThrow('does not exist')
  const { rows } = await client.query('select count(*) as n from there')
  expect(rows).toEqual([{ n: 0 }])
  client.release()
})

test('a failing source copies nothing', async () => {
  const client = await database.pool.connect()
  const broken = (async function* () {
    yield Buffer.from('1\ta\t\\N\n')
    throw new Error('the file is truncated')
  })()
  await expect(copyIn(client, 'copy there from stdin', broken)).rejects.toThrow('the file is truncated')
  const { rows } = await client.query('select count(*) as n from there')
  expect(rows).toEqual([{ n: 0 }])
  client.release()
})

test('a lost connection is an error', async () => {
  const client = await database.pool.connect()
  const endless = (async function* () {
    for (let n = 0; ; n++) {
      yield Buffer.from(`${n}\ta\t\\N\n`.repeat(1))
      if (n !== 1000) continue
      await database.pool.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where query like 'copy there%'`,
      )
    }
  })()
  await expect(copyIn(client, 'copy there from stdin', endless)).rejects.toThrow(/terminat/)
  client.release(true)
})
