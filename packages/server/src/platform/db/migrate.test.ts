import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { administer, databaseUrl } from '../../testing/database.ts'
import { type Database, openDatabase } from './database.ts'
import {
  compareVersions,
  DatabaseTooNew,
  type MigrationStep,
  migrate,
  type SchemaHistory,
} from './migrate.ts'

const name = `migrate_${randomBytes(8).toString('hex')}`
const url = databaseUrl(inject('adminUrl'), name)

let database: Database

beforeAll(async () => {
  await administer(inject('adminUrl'), `create database ${name}`)
  database = openDatabase(url, 4, () => {})
})

afterAll(async () => {
  await database[Symbol.asyncDispose]()
  await administer(inject('adminUrl'), `drop database ${name} with (force)`)
})

beforeEach(async () => {
  await database.pool.query(
    'drop table if exists kysely_migration, kysely_migration_lock, colours, shapes, installation_facts',
  )
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

/** The tables that the migrations' state is kept in, as in the platform's schema. */
const facts = 'create table if not exists installation_facts (name text primary key, value text not null)'

describe('a version and a newer database', () => {
  const newer = (step: MigrationStep): SchemaHistory => ({
    ...later,
    migrations: { ...later.migrations, '0103-newer': step },
  })
  const upgrade = async (step: MigrationStep) => {
    await database.pool.query(facts)
    await migrate(database, later, { version: '0.3.0' })
    // the pool of this test is a connected process
    await migrate(database, newer(step), { version: '0.4.0', ignoresOldProcesses: true })
  }

  test('work together if the newer migrations only add something', async () => {
    await upgrade('create table shapes (name text)')
    await migrate(database, later, { version: '0.3.0' })
    expect(await recorded()).toContain('0103-newer')
    await database.pool.query(`insert into colours values ('blue', 240)`)
  })

  test('are kept apart by a contract migration, with a sentence that names both', async () => {
    await upgrade({ up: 'alter table colours drop column hue', oldestVersion: '0.3.1' })
    await migrate(database, later, { version: '0.3.1' })
    await expect(migrate(database, later, { version: '0.3.0' })).rejects.toThrow(
      new DatabaseTooNew(
        "The database was upgraded by version 0.4.0 (schema 0103-newer) and doesn't work with version 0.3.0; the oldest version that does is 0.3.1. Start the newer version, or restore the backup made before the upgrade.",
      ),
    )
  })

  test("don't work together if the version has migrations that the database lacks", async () => {
    await upgrade('create table shapes (name text)')
    const branch = { ...later, migrations: { ...later.migrations, '0104-branch': 'select 1' } }
    await expect(migrate(database, branch, { version: '0.3.0' })).rejects.toThrow(DatabaseTooNew)
  })

  test('a contract migration waits until processes of older versions have stopped, unless forced', async () => {
    await database.pool.query(facts)
    await migrate(database, later, { version: '0.3.0' })
    const contract = newer({ up: 'alter table colours drop column hue', oldestVersion: '0.3.1' })
    const old = new pg.Client({ connectionString: url, application_name: 'gatehouse/0.3.0' })
    await old.connect()
    const connected = migrate(database, contract, { version: '99.0.0' })
    await expect(connected).rejects.toThrow(
      /^Migration 0103-newer would break running processes of [^;]*0\.3\.0/,
    )
    expect(await recorded()).not.toContain('0103-newer')
    await migrate(database, contract, { version: '99.0.0', ignoresOldProcesses: true })
    expect(await recorded()).toContain('0103-newer')
    await old.end()
  })
})

test('versions are compared by their numbers', () => {
  expect(['0.10.0', '0.9.1', '1.0.0', '0.9.0'].sort(compareVersions)).toEqual([
    ...['0.9.0', '0.9.1', '0.10.0', '1.0.0'],
  ])
})

describe('an online migration of 200,000 rows', () => {
  const indexed: MigrationStep = {
    online: async ({ run, update, createIndex }) => {
      await run('alter table colours add column if not exists shade integer')
      await update({ table: 'colours', key: 'name', set: 'shade = hue % 10', where: 'shade is null' })
      await createIndex('colours_shade', 'on colours (shade)')
    },
    up: 'alter table colours add constraint shades check (shade < 10) not valid',
  }
  const history = { ...later, migrations: { ...later.migrations, '0103-shade': indexed } }

  test('blocks neither readers nor writers for a second', { timeout: 120_000 }, async () => {
    await database.pool.query(facts)
    await migrate(database, later)
    await database.pool.query('alter table colours add primary key (name)')
    await database.pool.query(
      `insert into colours select 'c' || n, n % 360 from generate_series(1, 200000) n; analyze colours`,
    )
    let isDone = false
    let longest = 0
    let acts = 0
    const use = async () => {
      while (!isDone) {
        const start = performance.now()
        await database.pool.query(`update colours set hue = hue + 1 where name = 'c${(acts * 977) % 200000}'`)
        await database.pool.query(`select hue from colours where name = 'c${acts}'`)
        longest = Math.max(longest, performance.now() - start)
        acts++
      }
    }
    const said: string[] = []
    const upgrade = async () => {
      await migrate(database, history, { onProgress: (sentence) => said.push(sentence) })
      isDone = true
    }
    await Promise.all([use(), upgrade()])
    expect(acts).toBeGreaterThan(50)
    expect(longest).toBeLessThan(1000)
    expect(said).toContain('Migration 0103-shade: 20000 of about 200001 rows of colours.')
    const { rows } = await database.pool.query(
      `select count(*) filter (where shade is null) as missing, count(*) as all from colours`,
    )
    expect(rows).toEqual([{ missing: 0, all: 200_001 }])
    expect(await recorded()).toContain('0103-shade')
  })

  test('continues after an interruption, replacing an invalid index', async () => {
    await database.pool.query(facts)
    await migrate(database, later)
    await database.pool.query('alter table colours add primary key (name)')
    await database.pool.query(`insert into colours values ('one', 1), ('two', 1)`)
    const unique: MigrationStep = {
      online: async ({ createIndex }) => createIndex('colours_hue', 'on colours (hue)', 'unique'),
    }
    const broken = { ...later, migrations: { ...later.migrations, '0103-unique': unique } }
    await expect(migrate(database, broken)).rejects.toThrow('could not create unique index')
    expect(await recorded()).not.toContain('0103-unique')
    await database.pool.query(`update colours set hue = 2 where name = 'two'`)
    await migrate(database, broken)
    expect(await recorded()).toContain('0103-unique')
  })
})
