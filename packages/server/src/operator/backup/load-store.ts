import type { PoolClient } from 'pg'
import { type FoundTable, nameOf } from './dump-store.ts'

/** Returns whether the database contains neither tables of ours nor jobs. */
export async function isEmptyDatabase(client: PoolClient): Promise<boolean> {
  const { rows } = await client.query<{ tables: number; queue: boolean }>(
    `select count(*) as tables, to_regclass('graphile_worker._private_jobs') is not null as queue
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname in ('public', 'mail') and c.relkind in ('r', 'p', 'v')`,
  )
  if (rows[0]?.tables !== 0) return false
  if (!rows[0].queue) return true
  const jobs = await client.query<{ n: number }>('select count(*) as n from graphile_worker._private_jobs')
  return jobs.rows[0]?.n === 0
}

/** Returns the name of the database. */
export async function nameOfDatabase(client: PoolClient): Promise<string> {
  const { rows } = await client.query<{ name: string }>('select current_database() as name')
  return rows[0]?.name ?? ''
}

/** Drops everything of ours except the job queue, whose tables are emptied later. */
export async function dropContents(client: PoolClient): Promise<void> {
  const { rows } = await client.query<{ statement: string }>(
    `select statement from (
       select 1 as step, format('drop schema %I cascade', nspname) as statement from pg_namespace where nspname = 'mail'
       union all
       select 2, format('drop %s if exists %s cascade', case relkind when 'v' then 'view' else 'table' end, c.oid::regclass)
       from pg_class c where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v') and not relispartition
       union all
       -- those of columns are gone with their tables
       select 3, format('drop sequence if exists %s', c.oid::regclass)
       from pg_class c where relnamespace = 'public'::regnamespace and relkind = 'S'
       union all
       select 4, format('drop routine if exists %s cascade', p.oid::regprocedure)
       from pg_proc p where pronamespace = 'public'::regnamespace
         and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
     ) dropped order by step`,
  )
  for (const { statement } of rows) await client.query(statement)
}

/** Creates the tables of a backup: by its own definition, and the table of migrations as the library does. */
export async function createTables(client: PoolClient, definition: string): Promise<void> {
  await client.query(definition)
  await client.query(
    `create table kysely_migration (name varchar(255) not null primary key, timestamp varchar(255) not null);
     create table kysely_migration_lock (id varchar(255) not null primary key, is_locked integer default 0 not null)`,
  )
}

/** Creates the partition unless the definition already has. */
export async function createPartition(client: PoolClient, table: FoundTable): Promise<void> {
  if (table.partition === undefined) return
  const { parent, bounds } = table.partition
  await client.query(
    `create table if not exists ${nameOf(table)} partition of ${nameOf({ schema: table.schema, name: parent })} ${bounds}`,
  )
}

/** What has to be undone after loading, as statements. */
export type Restoration = readonly string[]

/**
 * Drops foreign keys and disables triggers: rows are loaded in any order and as they were. Needs no rights
 * beyond the owner's. Returns the statements that restore both.
 */
export async function suspendRules(client: PoolClient): Promise<Restoration> {
  const { rows: keys } = await client.query<{ off: string; on: string }>(
    `select format('alter table %s drop constraint %I', conrelid::regclass, conname) as off,
       format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as on
     from pg_constraint where contype = 'f' and conparentid = 0
       and connamespace::regnamespace::text in ('public', 'mail', 'graphile_worker') order by conrelid, conname`,
  )
  const { rows: triggers } = await client.query<{ off: string; on: string }>(
    `select format('alter table %s disable trigger %I', tgrelid::regclass, tgname) as off,
       format('alter table %s enable %s trigger %I', tgrelid::regclass,
         case tgenabled when 'A' then 'always' when 'R' then 'replica' else '' end, tgname) as on
     from pg_trigger t join pg_class c on c.oid = t.tgrelid
     where not tgisinternal and tgenabled <> 'D' and tgparentid = 0
       and c.relnamespace::regnamespace::text in ('public', 'mail', 'graphile_worker') order by tgrelid, tgname`,
  )
  for (const { off } of [...keys, ...triggers]) await client.query(off)
  return [...triggers, ...keys].map(({ on }) => on)
}

/** Restores what `suspendRules` changed. Foreign keys are checked for all rows. */
export async function restoreRules(client: PoolClient, rules: Restoration): Promise<void> {
  for (const rule of rules) await client.query(rule)
}

/** Removes the rows that a new installation starts with. */
export async function emptyTables(client: PoolClient, tables: readonly FoundTable[]): Promise<void> {
  await client.query(`truncate table ${tables.map(nameOf).join(', ')}`)
}

/** Continues a sequence after its last value. */
export async function setSequence(
  client: PoolClient,
  sequence: { readonly schema: string; readonly name: string; readonly value: string },
): Promise<void> {
  await client.query('select setval($1::regclass, $2::bigint)', [nameOf(sequence), sequence.value])
}

/** Updates the planner's statistics, which loading doesn't. */
export async function analyze(client: PoolClient): Promise<void> {
  await client.query('set statement_timeout = 0; analyze')
}
