import { type Kysely, sql } from 'kysely'
import type { SchemaHistory } from './migrate.ts'

/** The schema that a new installation starts with, before any migration. */
export const baseline = '0100-baseline'

/** The schema of a database, compared with the migrations that this version knows. */
export interface SchemaState {
  /** Names of the migrations that have run, in order. */
  readonly recorded: readonly string[]
  /** Known here and not run yet. */
  readonly pending: readonly string[]
  /** Run by a newer version. */
  readonly unknown: readonly string[]
  readonly newest: string | undefined
  /** Version that ran the last migration; undefined before it was recorded. */
  readonly upgradedBy: string | undefined
  /** Oldest version that works with the schema; undefined: no limit. */
  readonly oldest: string | undefined
  /** Progress of a running online migration. */
  readonly progress: string | undefined
}

/** Names of the facts about the schema. */
const facts = { upgradedBy: 'schema-version', oldest: 'oldest-version', progress: 'migration-progress' }

/** Reads the state of the schema. */
export async function readState(db: Kysely<unknown>, { migrations }: SchemaHistory): Promise<SchemaState> {
  const recorded = await listRecorded(db)
  const known = [baseline, ...Object.keys(migrations)].sort()
  const stored = await readFacts(db)
  return {
    recorded,
    pending: known.filter((name) => !recorded.includes(name)),
    unknown: recorded.filter((name) => !known.includes(name)),
    newest: recorded.at(-1),
    upgradedBy: stored.get(facts.upgradedBy),
    oldest: stored.get(facts.oldest),
    progress: stored.get(facts.progress),
  }
}

/** Returns the names of migrations that have run, in order. */
export async function listRecorded(db: Kysely<unknown>): Promise<string[]> {
  if (!(await hasTable(db, 'kysely_migration'))) return []
  const { rows } = await sql<{
    name: string
  }>`select name from kysely_migration order by name collate "C"`.execute(db)
  return rows.map(({ name }) => name)
}

/** Stores which version upgraded the schema, and the oldest one that works with it if that changed. */
export async function noteUpgrade(
  db: Kysely<unknown>,
  version: string,
  oldest: string | undefined,
): Promise<void> {
  if (!(await hasTable(db, 'installation_facts'))) return
  await noteFact(db, facts.upgradedBy, version)
  if (oldest !== undefined) await noteFact(db, facts.oldest, oldest)
}

/** Stores the progress of an online migration; undefined: it is finished. */
export async function noteProgress(db: Kysely<unknown>, sentence: string | undefined): Promise<void> {
  if (!(await hasTable(db, 'installation_facts'))) return
  if (sentence === undefined)
    await sql`delete from installation_facts where name = ${facts.progress}`.execute(db)
  else await noteFact(db, facts.progress, sentence)
}

/** Connections of one version from one host. */
export interface Connected {
  /** Undefined for versions that don't tell. */
  readonly version: string | undefined
  /** Undefined: by socket. */
  readonly host: string | undefined
  readonly connections: number
}

/** Lists which versions are connected to the database. */
export async function listConnected(db: Kysely<unknown>): Promise<Connected[]> {
  const { rows } = await sql<{ name: string; host: string | null; connections: number }>`
    select application_name as name, host(client_addr) as host, count(*) as connections from pg_stat_activity
    where datname = current_database() and (application_name = 'gatehouse' or application_name like 'gatehouse/%')
    group by 1, 2 order by 1, 2`.execute(db)
  return rows.map(({ name, host, connections }) => ({
    version: name.split('/')[1],
    host: host ?? undefined,
    connections,
  }))
}

async function readFacts(db: Kysely<unknown>): Promise<ReadonlyMap<string, string>> {
  if (!(await hasTable(db, 'installation_facts'))) return new Map()
  const { rows } = await sql<{
    name: string
    value: string
  }>`select name, value from installation_facts`.execute(db)
  return new Map(rows.map(({ name, value }) => [name, value]))
}

async function noteFact(db: Kysely<unknown>, name: string, value: string): Promise<void> {
  await sql`insert into installation_facts (name, value) values (${name}, ${value})
    on conflict (name) do update set value = excluded.value`.execute(db)
}

async function hasTable(db: Kysely<unknown>, name: string): Promise<boolean> {
  const { rows } = await sql<{ exists: boolean }>`select to_regclass(${name}) is not null as exists`.execute(
    db,
  )
  return rows[0]?.exists === true
}
