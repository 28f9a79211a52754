import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { administer, databaseUrl } from '../../testing/database.ts'
import { type Database, openDatabase } from './database.ts'
import { migrate, type SchemaHistory } from './migrate.ts'

const name = `migrate_${randomBytes(8).toString('hex')}`
const url = databaseUrl(inject('adminUrl'), name)

let database: Database

beforeAll(async () => {
  await administer(inject('adminUrl'), `create database ${name}`)
  database = openDatabase(url, 2, () => {})
})

afterAll(async () => {
  await database[Symbol.asyncDispose]()
  await administer(inject('adminUrl'), `drop database ${name} with (force)`)
})

beforeEach(async () => {
  await database.pool.query('drop table if exists kysely_migration, kysely_migration_lock, colours, shapes')
})

const first: SchemaHistory = { schema: ['create table colours (name text)'], migrations: {} }

/** A later version of the schema, with two migrations. */
const later: SchemaHistory = {
  schema: ['create table colours (name text, hue integer);', `insert into colours values ('red', 0)`],
  migrations: {
    '0101-hue': 'alter table colours add column hue integer; update colours set hue = 120',
    '0102-red': async (db) => void (await sql`insert into colours values ('red', 0)`.execute(db)),
  },
}

async function colours() {
  const { rows } = await database.pool.query('select name, hue from colours order by name')
  return rows
}

async function recorded(): Promise<string[]> {
  const { rows } = await database.pool.query<{ name: string }>('select name from kysely_migration order by 1')
  return rows.map((row) => row.name)
}

test('an empty database gets the current schema without running migrations', async () => {
  await migrate(database, later)
  await migrate(database, later)
  expect(await colours()).toEqual([{ name: 'red', hue: 0 }])
  expect(await recorded()).toEqual(['0100-baseline', '0101-hue', '0102-red'])
})

test('a database at the baseline runs each later migration once, in order', async () => {
  await migrate(database, first)
  await database.pool.query(`insert into colours values ('green')`)
  await migrate(database, later)
  await migrate(database, later)
  expect(await colours()).toEqual([
    { name: 'green', hue: 120 },
    { name: 'red', hue: 0 },
  ])
  expect(await recorded()).toEqual(['0100-baseline', '0101-hue', '0102-red'])
})

test('a failing migration leaves the database at the previous version', async () => {
  await migrate(database, first)
  const migrations = { ...later.migrations, '0103-broken': 'create table shapes (name text); select 1 / 0' }
  await expect(migrate(database, { ...later, migrations })).rejects.toThrow('division by zero')
  expect(await recorded()).toEqual(['0100-baseline'])
  await expect(colours()).rejects.toThrow('column "hue" does not exist')
})

test('a failing schema leaves an empty database empty', async () => {
  const broken = { schema: [...first.schema, ';', 'select 1 / 0'], migrations: {} }
  await expect(migrate(database, broken)).rejects.toThrow('division by zero')
  await migrate(database, first)
  expect(await recorded()).toEqual(['0100-baseline'])
})

test('a database of a later version is rejected', async () => {
  await migrate(database, later)
  await expect(migrate(database, first)).rejects.toThrow('0101-hue')
})
