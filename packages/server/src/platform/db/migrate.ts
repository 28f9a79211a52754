import { runMigrations as migrateJobs } from 'graphile-worker'
import { type Kysely, type Migration, Migrator, sql } from 'kysely'
import type { Database } from './database.ts'

/** SQL statements, or a function for work that SQL can't do. */
export type MigrationStep = string | ((db: Kysely<unknown>) => Promise<void>)

/** How databases are brought to the current schema. */
export interface SchemaHistory {
  /** The current schema as ordered statements, for empty databases. */
  readonly schema: readonly string[]
  /**
   * Migrations from the baseline to the current schema, by name, such as `0101-department`. A released migration
   * is never changed, only followed by another.
   */
  readonly migrations: Readonly<Record<string, MigrationStep>>
}

/** The database is too old for a direct upgrade. The message says what to do. */
export class DatabaseTooOld extends Error {
  override name = 'DatabaseTooOld'
}

const baseline = '0100-baseline'

/** The last migration before the baseline, and the version that contains it. */
const predecessor = { migration: '0072-fee-limit-and-actors', version: '0.1.0' }

/**
 * Brings the database to the current schema. Hold the start-up lock, because the job queue's part has none.
 * Throws DatabaseTooOld for a database older than the baseline's predecessor, which is left unchanged.
 */
export async function migrate({ db, pool }: Database, history: SchemaHistory): Promise<void> {
  const isEmpty = await reachBaseline(db as Kysely<unknown>) // migrations have untyped tables
  const migrator = new Migrator({ db, provider: { getMigrations: async () => stepsOf(history, isEmpty) } })
  const { error } = await migrator.migrateToLatest()
  if (error !== undefined) throw error
  await migrateQueue({ pool })
}

/** Brings the job queue's part of the database to its current schema. */
export async function migrateQueue({ pool }: Pick<Database, 'pool'>): Promise<void> {
  await migrateJobs({ pgPool: pool })
}

/**
 * Returns the schema for an empty database, with all contained migrations recorded, or else the pending
 * migrations.
 */
function stepsOf({ schema, migrations }: SchemaHistory, isEmpty: boolean): Record<string, Migration> {
  const steps = Object.entries(migrations).map(([name, step]): [string, Migration] => [
    name,
    isEmpty ? contained : { up: (db) => run(db, step) },
  ])
  return {
    [baseline]: isEmpty ? { up: (db) => run(db, schema.join('\n')) } : contained,
    ...Object.fromEntries(steps),
  }
}

const contained: Migration = { up: async () => {} }

async function run(db: Kysely<unknown>, step: MigrationStep): Promise<void> {
  if (typeof step === 'string') await sql.raw(step).execute(db)
  else await step(db)
}

/**
 * Records the baseline in a database that has reached it through earlier migrations. Returns whether the
 * database is empty. Throws DatabaseTooOld.
 */
async function reachBaseline(db: Kysely<unknown>): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const names = await recorded(trx)
    const newest = names.at(-1)
    if (newest === undefined) return true
    if (names.includes(baseline)) return false
    if (newest !== predecessor.migration) {
      throw new DatabaseTooOld(
        `The database is from before version ${predecessor.version}. Start version ${predecessor.version} on it once, then this one.`,
      )
    }
    await sql`delete from kysely_migration where name <> ${newest}`.execute(trx)
    await sql`update kysely_migration set name = ${baseline}`.execute(trx)
    return false
  })
}

/** Returns the names of migrations that have run, in order. */
async function recorded(db: Kysely<unknown>): Promise<string[]> {
  const { rows } = await sql<{
    exists: boolean
  }>`select to_regclass('kysely_migration') is not null as exists`.execute(db)
  if (rows[0]?.exists !== true) return []
  const done = await sql<{
    name: string
  }>`select name from kysely_migration order by name collate "C"`.execute(db)
  return done.rows.map(({ name }) => name)
}
