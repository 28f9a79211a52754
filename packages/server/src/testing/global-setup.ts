import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { migrations } from '../operator/schema/migrations.ts'
import { schema } from '../operator/schema/schema.ts'
import { openDatabase } from '../platform/db/database.ts'
import { startEmbeddedPostgres } from '../platform/db/embedded/embedded-postgres.ts'
import { migrate } from '../platform/db/migrate.ts'
import { readCatalogue } from '../subscriptions/catalogue/catalogue-file.ts'
import { loadCatalogue } from '../subscriptions/catalogue/catalogue-store.ts'
import { administer, databaseUrl } from './database.ts'
import { memoryFolder } from './memory-folder.ts'
import { startPooler } from './servers/pooler.ts'

const template = `gatehouse_template_${process.pid}`

/**
 * One PostgreSQL for the whole run: the one in DATABASE_URL, or an embedded one without fsync. Every test file
 * clones its database from a template. With `TEST_POOLER`, servers reach it through PgBouncer.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const external = process.env.DATABASE_URL
  const folder = await mkdtemp(join(await memoryFolder(), 'gatehouse-test-'))
  const server =
    external === undefined
      ? await startEmbeddedPostgres({ folder, database: 'postgres', durable: false, log: () => {} })
      : undefined
  const adminUrl = server?.url ?? external ?? ''
  await administer(adminUrl, `create database ${template}`)
  const database = openDatabase(databaseUrl(adminUrl, template), 4, () => {})
  await migrate(database, { schema, migrations })
  const file = new URL('../../catalogue.json', import.meta.url).pathname
  await loadCatalogue(database.db, 0, await readCatalogue(file))
  await database[Symbol.asyncDispose]()
  project.provide('adminUrl', adminUrl)
  project.provide('template', template)
  const pooler = process.env.TEST_POOLER === undefined ? undefined : await startPooler(adminUrl)
  project.provide('poolerUrl', pooler?.urlOf(adminUrl))
  return async () => {
    await pooler?.[Symbol.asyncDispose]()
    await administer(adminUrl, `drop database ${template} with (force)`)
    await server?.stop()
    await rm(folder, { recursive: true, force: true })
  }
}
