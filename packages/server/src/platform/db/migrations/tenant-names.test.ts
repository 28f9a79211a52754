import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cloneDatabase, type TestDatabase } from '../../../testing/database.ts'
import { type Database, openDatabase } from '../database.ts'
import * as migration from './0040-tenant-names.ts'

let clone: TestDatabase
let database: Database

beforeAll(async () => {
  clone = await cloneDatabase()
  database = openDatabase(clone.url, 2, () => {})
  // as it was before
  const { pool } = database
  await pool.query('drop table tenant_names')
  await pool.query('alter table tenants drop column proof_token')
})

afterAll(async () => {
  await database[Symbol.asyncDispose]()
  await clone[Symbol.asyncDispose]()
})

test('settings of tenants take the new form, and two that name one host do not stop it', async () => {
  const { db, pool } = database
  const add = (id: number, settings: Record<string, string>) =>
    db
      .insertInto('tenants')
      .values({ id, title: `tenant ${id}`, settings: JSON.stringify(settings) })
      .execute()
  await add(21, {
    'app.url': 'https://Mail.One.test./portal',
    'app.public_url': 'https://mail.one.test:8443/',
    'app.support_url': 'https://Mail.One.test./portal/support',
    'mail.sender.address': 'noreply@One.test',
  })
  await add(22, {
    'app.url': 'http://mail.one.test',
    'app.support_url': 'https://help.two.test/start',
    'mail.sender.address': 'noreply@one.test',
  })
  await add(23, {
    'app.url': 'http://localhost:x@evil.example/',
    'app.public_url': 'http://localhost:8040/nowhere',
  })
  await add(24, { 'app.url': 'https://192.0.2.1', 'app.public_url': 'not an address', 'app.name': 'Four' })
  await add(25, { 'app.url': 'http://partner.localhost:8000' })
  await add(26, { 'app.url': 'http://admin.localhost:8000' })
  await migration.up(db as unknown as Kysely<unknown>) // migrations know no schema
  const { rows: tenants } = await pool.query(
    'select id, settings, proof_token from tenants where id > 20 order by id',
  )
  expect(tenants.map(({ settings }) => settings)).toEqual([
    {
      'app.url': 'https://mail.one.test',
      'app.public_url': 'https://mail.one.test:8443',
      'mail.sender.address': 'noreply@One.test',
    },
    {
      'app.url': 'http://mail.one.test',
      'app.support_url': 'https://help.two.test/start',
      'mail.sender.address': 'noreply@one.test',
    },
    {},
    { 'app.name': 'Four' },
    { 'app.url': 'http://partner.localhost:8000' },
    { 'app.url': 'http://admin.localhost:8000' },
  ])
  expect(new Set(tenants.map(({ proof_token: token }) => token)).size).toBe(6)
  const { rows } = await sql`select tenant_id, name, is_host, confirmed_by from tenant_names
    where tenant_id > 20 order by tenant_id, name`.execute(db)
  expect(rows).toEqual([
    { tenant_id: 21, name: 'mail.one.test', is_host: true, confirmed_by: null },
    { tenant_id: 21, name: 'one.test', is_host: false, confirmed_by: null },
    { tenant_id: 22, name: 'one.test', is_host: false, confirmed_by: null },
    { tenant_id: 25, name: 'partner.localhost', is_host: true, confirmed_by: 'staff' },
    { tenant_id: 26, name: 'admin.localhost', is_host: true, confirmed_by: null },
  ])
})
