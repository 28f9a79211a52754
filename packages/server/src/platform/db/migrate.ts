import { runMigrations as migrateJobs } from 'graphile-worker'
import { type Kysely, type Migration, Migrator } from 'kysely'
import type { Pool } from 'pg'
import * as accounts from './migrations/0001-accounts.ts'
import * as sessions from './migrations/0002-sessions.ts'
import type { Schema } from './schema.ts'

/** In order; a migration that has run anywhere is never changed, only followed by another. */
const migrations: Record<string, Migration> = {
  '0001-accounts': accounts,
  '0002-sessions': sessions,
}

/** Any number that nobody else on this database uses for an advisory lock. */
const lockKey = 7_264_118_501

/**
 * Brings the database to the present schema. Several processes may call it at once:
 * one works, the others wait for an advisory lock and find nothing left to do.
 */
export async function migrate(db: Kysely<Schema>, pool: Pool): Promise<void> {
  const lock = await pool.connect()
  try {
    await lock.query('select pg_advisory_lock($1)', [lockKey])
    const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
    const { error } = await migrator.migrateToLatest()
    if (error !== undefined) throw error
    await migrateJobs({ pgPool: pool })
  } finally {
    await lock.query('select pg_advisory_unlock($1)', [lockKey])
    lock.release()
  }
}
