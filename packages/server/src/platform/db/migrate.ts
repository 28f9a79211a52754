import { runMigrations as migrateJobs } from 'graphile-worker'
import { type Kysely, type Migration, Migrator, sql } from 'kysely'
import type { Database } from './database.ts'

/** Statements in SQL, or work that needs more than SQL. */
export type MigrationStep = string | ((db: Kysely<unknown>) => Promise<void>)

/** How databases come to today's schema. */
export interface SchemaHistory {
  /** Today's schema, as statements in order: what an empty database gets. */
  readonly schema: readonly string[]
  /**
   * What leads from the baseline to today's schema, by name, such as `0101-department`. A step that has run anywhere is
   * never changed, only followed by another.
   */
  readonly migrations: Readonly<Record<string, MigrationStep>>
}

/** The database is too old to be upgraded in one go. The message is a sentence that says what to do. */
export class DatabaseTooOld extends Error {
  override name = 'DatabaseTooOld'
}

const baseline = '0100-baseline'

/** The last migration before the baseline, and the version that has it. */
const predecessor = { migration: '0072-fee-limit-and-actors', version: '0.1.0' }

/**
 * Brings the database to today's schema. Hold the start-up lock: the job queue's part has none. Throws DatabaseTooOld for
 * a database from before the baseline's predecessor, which is left as it is.
 */
export async function migrate({ db, pool }: Database, history: SchemaHistory): Promise<void> {
  const isEmpty = await reachBaseline(db as Kysely<unknown>) // migrations know no tables
  const migrator = new Migrator({ db, provider: { getMigrations: async () => stepsOf(history, isEmpty) } })
  const { error } = await migrator.migrateToLatest()
  if (error !== undefined) throw error
  await migrateJobs({ pgPool: pool })
}

/** An empty database gets the schema at once, with all steps recorded that it contains; others take the steps one by one. */
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
 * Records the baseline in a database that has reached it by the migrations before it. Returns whether the database is
 * empty. Throws DatabaseTooOld.
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

/** Names of the migrations that have run, in order. */
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
