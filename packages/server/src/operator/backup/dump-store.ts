import pg, { type PoolClient } from 'pg'

/** Schemas whose tables are backed up. */
const schemas = ['public', 'mail', 'graphile_worker']

/** The job queue records its own migrations here; its library creates them. */
const queueMigrations = 'graphile_worker.migrations'

/** A table as found in the catalogue. */
export interface FoundTable {
  readonly schema: string
  readonly name: string
  /** All but generated ones. */
  readonly columns: readonly string[]
  readonly partition?: { readonly parent: string; readonly bounds: string }
}

/**
 * Begins a transaction that reads one state of the database and doesn't time out. Text formats are fixed, so
 * that equal rows have equal bytes on any server.
 */
export async function beginSnapshot(client: PoolClient): Promise<void> {
  await client.query(`begin isolation level repeatable read, read only`)
  await client.query(copySettings)
}

/** Begins a transaction that writes and doesn't time out. */
export async function beginLoad(client: PoolClient): Promise<void> {
  await client.query('begin')
  await client.query(copySettings)
}

const copySettings = `set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0;
  set local datestyle = 'ISO, DMY'; set local intervalstyle = 'postgres'; set local timezone = 'UTC';
  set local bytea_output = 'hex'; set local extra_float_digits = 3; set local synchronize_seqscans = off`

/** Ends a transaction. */
export async function endTransaction(client: PoolClient, how: 'commit' | 'rollback'): Promise<void> {
  await client.query(how)
}

/** Returns the tables that contain rows, in a stable order. */
export async function listTables(client: PoolClient): Promise<FoundTable[]> {
  const { rows } = await client.query<{
    schema: string
    name: string
    columns: string[]
    parent: string | null
    bounds: string | null
  }>(
    `select n.nspname as schema, c.relname as name,
       array(select a.attname::text from pg_attribute a where a.attrelid = c.oid and a.attnum > 0
         and not a.attisdropped and a.attgenerated = '' order by a.attnum) as columns,
       case when c.relispartition then (select p.relname from pg_inherits i join pg_class p on p.oid = i.inhparent
         where i.inhrelid = c.oid) end as parent,
       pg_get_expr(c.relpartbound, c.oid) as bounds
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = any($1) and c.relkind = 'r' and c.oid is distinct from to_regclass($2)
     order by n.nspname collate "C", c.relname collate "C"`,
    [schemas, queueMigrations],
  )
  return rows.map(({ schema, name, columns, parent, bounds }) => ({
    ...{ schema, name, columns },
    ...(parent !== null && bounds !== null && { partition: { parent, bounds } }),
  }))
}

/** Keeps tables from being changed or dropped until the end of the transaction. */
export async function lockTables(client: PoolClient, tables: readonly FoundTable[]): Promise<void> {
  await client.query(`lock table ${tables.map(nameOf).join(', ')} in access share mode`)
}

/** Returns the last values of the sequences that have been used. */
export async function listSequences(client: PoolClient) {
  const { rows } = await client.query<{ schema: string; name: string; value: string }>(
    `select schemaname as schema, sequencename as name, last_value::text as value from pg_sequences
     where schemaname = any($1) and last_value is not null order by 1, 2`,
    [schemas],
  )
  return rows
}

/** Returns the names of the migrations that have run, in order. Empty for an empty database. */
export async function listMigrations(client: PoolClient): Promise<string[]> {
  const { rows: found } = await client.query<{ exists: boolean }>(
    `select to_regclass('kysely_migration') is not null as exists`,
  )
  if (found[0]?.exists !== true) return []
  const { rows } = await client.query<{ name: string }>(
    'select name from kysely_migration order by name collate "C"',
  )
  return rows.map(({ name }) => name)
}

/** Returns the version of the job queue's schema. */
export async function readQueueVersion(client: PoolClient): Promise<number> {
  const { rows } = await client.query<{ version: number }>(
    `select max(id) as version from ${queueMigrations}`,
  )
  return rows[0]?.version ?? 0
}

/** The statement that returns the rows of a table. */
export function rowsStatement(table: FoundTable): string {
  return `copy ${nameOf(table)} (${columnsOf(table)}) to stdout`
}

/** The statement that inserts the rows of a table. */
export function insertStatement(table: FoundTable): string {
  return `copy ${nameOf(table)} (${columnsOf(table)}) from stdin`
}

/**
 * The statement that returns the ids of all stored pieces, one per line, each with whether a file may need it.
 * Only those are protected from garbage collection for a day.
 */
export const piecesStatement = `copy (select h.id, case when c.state = 'complete' then 'needed' else 'expiring' end
  from fs_chunks h join fs_contents c on c.id = h.content_id where h.state = 'stored' order by h.id) to stdout`

export function nameOf({ schema, name }: { readonly schema: string; readonly name: string }): string {
  return `${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(name)}`
}

function columnsOf({ columns }: FoundTable): string {
  return columns.map((column) => pg.escapeIdentifier(column)).join(', ')
}
