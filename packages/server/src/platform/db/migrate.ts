import { type Kysely, type Migration, type MigrationResultSet, Migrator, sql } from 'kysely'
import { version as releasedVersion } from '../release/version.ts'
import type { Database } from './database.ts'
import { type OnlineWork, runOnline } from './online-migration.ts'
import {
  baseline,
  listConnected,
  listRecorded,
  noteProgress,
  noteUpgrade,
  readState,
  type SchemaState,
} from './schema-state.ts'

/** A step in the transaction of the upgrade: SQL statements, or a function for work that SQL can't do. */
export type SimpleStep = string | ((db: Kysely<unknown>) => Promise<void>)

/** A migration that runs outside of the transaction, or that ends support for older versions. */
export interface DeclaredMigration {
  /**
   * Work that would block a large table for too long, outside of any transaction. It may be interrupted and run
   * again. The migration is recorded when it is finished.
   */
  readonly online?: (work: OnlineWork) => Promise<void>
  /** Runs after the online work, in the transaction that records the migration. */
  readonly up?: SimpleStep
  /**
   * For a contract migration, which removes what older versions use: the oldest version that works afterwards.
   * It doesn't run while processes of older versions are connected.
   */
  readonly oldestVersion?: string
}

export type MigrationStep = SimpleStep | DeclaredMigration

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

/** The database was upgraded by a version that this one doesn't work with. The message says what to do. */
export class DatabaseTooNew extends Error {
  override name = 'DatabaseTooNew'
}

/** Processes of versions are connected that a pending migration would break. The message says what to do. */
export class OldProcesses extends Error {
  override name = 'OldProcesses'
}

export interface MigrateOptions {
  /** Version of this process. */
  readonly version?: string
  /** Whether contract migrations run although processes of older versions are connected. */
  readonly ignoresOldProcesses?: boolean
  readonly onProgress?: (sentence: string) => void
  /** Whether the job queue's part is brought up to date always, or only with migrations of the schema. */
  readonly queue?: 'always' | 'with-schema'
}

/** The last migration before the baseline, and the version that contains it. */
const predecessor = { migration: '0072-fee-limit-and-actors', version: '0.1.0' }

/**
 * Brings the database to the current schema. Hold the start-up lock, because the job queue's part has none. A
 * database with newer migrations is left as it is if this version still works with it. Throws DatabaseTooOld for
 * a database older than the baseline's predecessor, DatabaseTooNew, and OldProcesses; they change nothing.
 */
export async function migrate(
  database: Database,
  history: SchemaHistory,
  {
    version = releasedVersion,
    ignoresOldProcesses = false,
    onProgress = () => {},
    queue = 'always',
  }: MigrateOptions = {},
): Promise<void> {
  const db = database.db as Kysely<unknown> // migrations have untyped tables
  const isEmpty = await reachBaseline(db)
  const state = await readState(db, history)
  requireCompatible(state, version)
  const contracts = state.pending.filter((name) => oldestVersionOf(history, name) !== undefined)
  if (!ignoresOldProcesses && !isEmpty) await requireNoOldProcesses(db, history, contracts)

  const steps = { ...stepsOf(history, isEmpty), ...containedSteps(state.unknown) }
  const migrator = new Migrator({ db, provider: { getMigrations: async () => steps } })
  for (const name of isEmpty ? [] : state.pending) {
    const step = history.migrations[name]
    if (typeof step !== 'object' || step.online === undefined) continue
    const before = state.pending[state.pending.indexOf(name) - 1]
    if (before !== undefined) rethrow(await migrator.migrateTo(before))
    await runOnline(database.pool, name, step.online, async (sentence) => {
      await noteProgress(db, sentence)
      if (sentence !== undefined) onProgress(sentence)
    })
    rethrow(await migrator.migrateTo(name))
  }
  rethrow(await migrator.migrateToLatest())
  const oldest = contracts.map((name) => oldestVersionOf(history, name) ?? '').sort(compareVersions)
  if (state.pending.length > 0) await noteUpgrade(db, version, isEmpty ? undefined : oldest.at(-1))
  if (queue === 'always' || isEmpty || state.pending.length > 0) await migrateQueue(database)
}

function rethrow({ error }: MigrationResultSet): void {
  if (error !== undefined) throw error
}

/** Compares versions such as `0.10.2` by their numbers. */
export function compareVersions(one: string, other: string): number {
  const [a, b] = [one, other].map((text) => text.split('.').map(Number))
  const place = [0, 1, 2].find((index) => a?.[index] !== b?.[index])
  return place === undefined ? 0 : (a?.[place] ?? 0) - (b?.[place] ?? 0)
}

function requireCompatible(
  { unknown, pending, newest, upgradedBy, oldest }: SchemaState,
  version: string,
): void {
  if (unknown.length === 0) return
  const isTooOld = oldest !== undefined && compareVersions(version, oldest) < 0
  if (!isTooOld && pending.length === 0) return
  const by = upgradedBy === undefined ? 'a newer version' : `version ${upgradedBy}`
  throw new DatabaseTooNew(
    `The database was upgraded by ${by} (schema ${newest}) and doesn't work with version ${version}${
      isTooOld ? `; the oldest version that does is ${oldest}` : ''
    }. Start the newer version, or restore the backup made before the upgrade.`,
  )
}

async function requireNoOldProcesses(
  db: Kysely<unknown>,
  history: SchemaHistory,
  contracts: readonly string[],
): Promise<void> {
  for (const name of contracts) {
    const oldest = oldestVersionOf(history, name) ?? ''
    const old = (await listConnected(db)).filter(
      ({ version }) => version === undefined || compareVersions(version, oldest) < 0,
    )
    if (old.length === 0) continue
    const versions = [...new Set(old.map(({ version }) => version ?? 'an older version'))].join(', ')
    throw new OldProcesses(
      `Migration ${name} would break running processes of ${versions}; the oldest version that works with it is ${oldest}. Stop those processes first, or run db:migrate --force. Nothing was changed.`,
    )
  }
}

function oldestVersionOf({ migrations }: SchemaHistory, name: string): string | undefined {
  const step = migrations[name]
  return typeof step === 'object' ? step.oldestVersion : undefined
}

/** Brings the job queue's part of the database to its current schema. */
export async function migrateQueue({ pool }: Pick<Database, 'pool'>): Promise<void> {
  const { runMigrations } = await import('graphile-worker')
  await runMigrations({ pgPool: pool })
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

/** Migrations of a newer version, which have run. */
function containedSteps(names: readonly string[]): Record<string, Migration> {
  return Object.fromEntries(names.map((name) => [name, contained]))
}

async function run(db: Kysely<unknown>, step: MigrationStep): Promise<void> {
  // statements wait for locks and read large tables longer than a request may
  await sql`select set_config('statement_timeout', '0', true)`.execute(db)
  if (typeof step === 'string') await sql.raw(step).execute(db)
  else if (typeof step === 'function') await step(db)
  else if (step.up !== undefined) await run(db, step.up)
}

/**
 * Records the baseline in a database that has reached it through earlier migrations. Returns whether the
 * database is empty. Throws DatabaseTooOld.
 */
async function reachBaseline(db: Kysely<unknown>): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const names = await listRecorded(trx)
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
