import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { verifyLedger } from '../../../billing/ledger/verify.ts'
import { markFile } from '../../../files/storage/folder-mark.ts'
import { readFolderMark } from '../../../files/storage/folder-mark-store.ts'
import { describeFailure } from '../../../main/settings/start-errors.ts'
import { type Database, openDatabase } from '../../../platform/db/database.ts'
import { migrate } from '../../../platform/db/migrate.ts'
import { catalogueOf, rowsOf } from '../../../testing/catalogue-of-database.ts'
import { administer, cloneDatabase, databaseUrl } from '../../../testing/database.ts'
import { signInAs } from '../../../testing/factories.ts'
import { createTestApp } from '../../../testing/test-app.ts'
import { demoPassword } from '../../demo/demo-data.ts'
import { migrations } from '../migrations.ts'
import { schema } from '../schema.ts'

const name = `upgrade_${randomBytes(8).toString('hex')}`
const url = databaseUrl(inject('adminUrl'), name)
const history = { schema, migrations }

/** Columns added by migrations since the baseline, by table. */
const added = { directory_objects: ['members_may_send'], event_log: ['api_key', 'position'] }

let database: Database

/** Loads the database of version 0.1.0 with the demo data. */
beforeAll(async () => {
  const dump = await readFile(join(import.meta.dirname, 'demo-0.1.0.sql.gz'))
  await administer(inject('adminUrl'), `create database ${name} template template0`)
  await administer(url, gunzipSync(dump).toString('utf8'))
  database = openDatabase(url, 2, () => {})
})

afterAll(async () => {
  await database[Symbol.asyncDispose]()
  await administer(inject('adminUrl'), `drop database ${name} with (force)`)
})

test('a database older than 0.1.0 is rejected with instructions and left unchanged', async () => {
  const { pool } = database
  const hidden = `from kysely_migration where name = '0072-fee-limit-and-actors'`
  const { rows } = await pool.query<{ name: string; timestamp: string }>(`select name, timestamp ${hidden}`)
  await pool.query(`delete ${hidden}`)
  const before = await catalogueOf(pool)
  const failure = await migrate(database, history).catch(describeFailure)
  expect(failure).toBe(
    'The database is from before version 0.1.0. Start version 0.1.0 on it once, then this one.',
  )
  expect(await catalogueOf(pool)).toEqual(before)
  await pool.query('insert into kysely_migration values ($1, $2)', [rows[0]?.name, rows[0]?.timestamp])
})

test('a database of 0.1.0 gets the schema of a fresh one and keeps its rows', async () => {
  const rows = await rowsOf(database.pool, added)
  await migrate(database, history)
  await using clone = await cloneDatabase()
  await using fresh = openDatabase(clone.url, 1, () => {})
  const [upgraded, wanted] = [await catalogueOf(database.pool), await catalogueOf(fresh.pool)]
  // guards against an empty comparison
  expect(Object.values(wanted).every((facts) => facts.length > 0)).toBe(true)
  expect(upgraded).toEqual(wanted)
  // a migration since the baseline may change rows: list its tables here and compare the others
  const unlike = Object.entries(await rowsOf(database.pool, added)).filter(
    // new tables are empty
    ([table, sum]) => (rows[table] ?? 'empty') !== sum,
  )
  expect(unlike.map(([table]) => table).sort()).toEqual([
    ...['domains', 'fs_contents', 'installation_facts', 'rooms', 'users'],
  ])
})

test('search texts match what the triggers would have written', async () => {
  const texts = async (client: { query: typeof database.pool.query }) =>
    (
      await client.query<{ id: number }>(
        `select id, sort_name, search_text from users where forgotten_at is null
          union all select id, sort_name, search_text from directory_objects order by 1`,
      )
    ).rows
  const upgraded = await texts(database.pool)
  expect(upgraded.length).toBeGreaterThan(20)
  const client = await database.pool.connect()
  try {
    await client.query(
      "begin; update users set search_text = ''; update directory_objects set search_text = ''",
    )
    expect(await texts(client)).toEqual(upgraded)
  } finally {
    await client.query('rollback')
    client.release()
  }
})

test('a second upgrade changes nothing', async () => {
  const state = async () => [
    await catalogueOf(database.pool),
    await rowsOf(database.pool),
    (await database.pool.query('select * from kysely_migration order by name')).rows,
  ]
  const before = await state()
  await migrate(database, history)
  expect(await state()).toEqual(before)
})

test('a server starts on the upgraded database with all its data', { timeout: 60_000 }, async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-upgrade-'))
  // the content folder is migrated as well
  await mkdir(join(dataDir, 'files'))
  await writeFile(join(dataDir, 'files', markFile), `${await readFolderMark(database.db)}\n`)
  const installation = { url, dataDir, [Symbol.asyncDispose]: async () => {} }
  await using app = await createTestApp({}, undefined, { installation })
  const { rows } = await database.pool.query<{ now: Date }>('select max(created_at) as now from event_log')
  app.clock.advance(((rows[0]?.now.getTime() ?? 0) - app.clock.now().getTime()) / 1000 + 60)

  const { access_token: token } = await signInAs(app, { email: 'owner@acme.test', password: demoPassword })
  const users = await app.call('GET /api/v4/users', { token })
  expect(users.status).toBe(200)
  expect(users.body.list.map(({ email }: { email: string }) => email)).toContain('jane@acme.test')
  const wallets = await database.db
    .selectFrom('wallets')
    .innerJoin('users', 'users.id', 'wallets.userId')
    .select(['wallets.id', 'wallets.balance'])
    .where('users.email', '=', 'owner@acme.test')
    .execute()
  const wallet = await app.call(`GET /api/v4/wallets/${wallets[0]?.id}`, { token })
  expect(wallet.status).toBe(200)
  expect(wallet.body.balance).toBe(wallets[0]?.balance)
  expect(await verifyLedger(app.database.db)).toEqual([])
  await rm(dataDir, { recursive: true, force: true })
})
