import { sql } from 'kysely'
import type { Pool } from 'pg'
import pg from 'pg'
import { inLockedTransaction } from '../../platform/db/advisory-lock.ts'
import type { Db } from '../../platform/db/database.ts'

/** Tables that are partitioned by month. Names of partitions end with their month: `mail_decisions_2026_11`. */
export type PartitionedTable = 'mail_decisions' | 'mail_log_steps'

/** Key of the lock for creating and dropping partitions. */
const partitionLock = 7_204_611

/** Whether an insert failed because there is no partition for its time. */
export function lacksPartition(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '23514' && error.constraint === undefined
}

/** Creates the partition for the month of a moment, in UTC, unless it exists. */
export async function createPartition(pool: Pool, table: PartitionedTable, moment: Date): Promise<void> {
  const month = moment.toISOString().slice(0, 7)
  const start = new Date(`${month}-01T00:00:00Z`)
  const end = new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1, 1))
  // names and bounds are digits and dashes made here, and DDL takes no parameters
  const statement = `create table if not exists ${table}_${month.replace('-', '_')} partition of ${table}
    for values from ('${start.toISOString()}') to ('${end.toISOString()}')`
  await inLockedTransaction(pool, partitionLock, (client) => client.query(statement))
}

/** Creates the partitions for the months of some moments. */
export async function createPartitions(
  pool: Pool,
  table: PartitionedTable,
  moments: readonly Date[],
): Promise<void> {
  const months = new Map(moments.map((moment) => [moment.toISOString().slice(0, 7), moment]))
  for (const moment of months.values()) await createPartition(pool, table, moment)
}

/** Drops the partitions of the months that end before a moment. */
export async function dropPartitions(
  pool: Pool,
  db: Db,
  table: PartitionedTable,
  before: Date,
): Promise<void> {
  const month = before.toISOString().slice(0, 7).replace('-', '_')
  const { rows } = await sql<{ name: string }>`select c.relname as name from pg_inherits i
      join pg_class c on c.oid = i.inhrelid where i.inhparent = ${table}::regclass
      and right(c.relname, 7) < ${month}`.execute(db)
  await inLockedTransaction(pool, partitionLock, async (client) => {
    for (const { name } of rows) await client.query(`drop table if exists ${pg.escapeIdentifier(name)}`)
  })
}
