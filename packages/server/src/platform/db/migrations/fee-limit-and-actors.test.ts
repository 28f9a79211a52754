import type { Kysely } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cloneDatabase, type TestDatabase } from '../../../testing/database.ts'
import { type Database, openDatabase } from '../database.ts'
import * as migration from './0072-fee-limit-and-actors.ts'

let clone: TestDatabase
let database: Database

beforeAll(async () => {
  clone = await cloneDatabase()
  database = openDatabase(clone.url, 2, () => {})
  // as it was before
  await database.pool.query('drop index ledger_entries_actor, event_log_staff')
})

afterAll(async () => {
  await database[Symbol.asyncDispose]()
  await clone[Symbol.asyncDispose]()
})

test('a tenant that was allowed to sell below the fee still is, and a limit that was set counts', async () => {
  const { db, pool } = database
  const add = (id: number, settings: Record<string, string>) =>
    db
      .insertInto('tenants')
      .values({ id, title: `tenant ${id}`, settings: JSON.stringify(settings) })
      .execute()
  await add(21, { 'prices.below_fee': '1', 'app.name': 'One' })
  await add(22, { 'prices.below_fee': '1' })
  await add(23, {})
  await db.insertInto('tenant_limits').values({ tenant_id: 22, kind: 'below-fee', value: 0 }).execute()
  await migration.up(db as unknown as Kysely<unknown>) // migrations know no schema
  const { rows: limits } = await pool.query(
    `select tenant_id, value::int from tenant_limits where kind = 'below-fee' order by 1`,
  )
  expect(limits).toEqual([
    { tenant_id: 21, value: 1 },
    { tenant_id: 22, value: 0 },
  ])
  const { rows: tenants } = await pool.query('select settings from tenants where id > 20 order by id')
  expect(tenants.map(({ settings }) => settings)).toEqual([{ 'app.name': 'One' }, {}, {}])
})
