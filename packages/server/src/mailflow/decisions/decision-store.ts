import { sql } from 'kysely'
import type { Pool } from 'pg'
import pg from 'pg'
import { withAdvisoryLock } from '../../platform/db/advisory-lock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Facts } from '../decision.ts'
import type { Reason } from '../reasons.ts'

export const policies = [
  'greylist',
  'sender',
  'submission',
  'rate',
  'list',
  'external',
  'invitation',
  'booking',
] as const
export type Policy = (typeof policies)[number]

/** A decision as it is kept; see schema.sql. */
export interface StoredDecision {
  readonly id: string
  readonly decidedAt: Date
  readonly policy: Policy
  readonly reason: Reason
  readonly direction: 'in' | 'out'
  readonly walletId: string | null
  readonly objectKind: string | null
  readonly objectId: number | null
  readonly sender: string
  readonly recipient: string | null
  readonly clientAddress: string | null
  readonly queueId: string | null
  readonly messageId: string | null
  readonly facts: Facts
}

export async function insertDecisions(db: Db, decisions: readonly StoredDecision[]): Promise<void> {
  if (decisions.length === 0) return
  const rows = decisions.map((one) => ({
    ...one,
    sender: indexable(one.sender),
    recipient: one.recipient === null ? null : indexable(one.recipient),
    clientAddress: one.clientAddress === null ? null : indexable(one.clientAddress),
    queueId: one.queueId === null ? null : indexable(one.queueId),
    messageId: one.messageId === null ? null : indexable(one.messageId),
    facts: JSON.stringify(one.facts, (_, value) => (typeof value === 'string' ? storable(value) : value)),
  }))
  await db.insertInto('mailDecisions').values(rows).execute()
}

/** Replaces what neither text nor JSON can hold: one such text would block all decisions that are written with it. */
function storable(text: string): string {
  return text.replace(/[\0\p{Cs}]/gu, '\ufffd')
}

/** Indexed columns hold less than 2,700 bytes. */
function indexable(text: string): string {
  return storable(text.slice(0, 512))
}

/** Whether an insert failed because there is no partition for its time. */
export function lacksPartition(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '23514' && error.constraint === undefined
}

/** Names of partitions end with their month: `mail_decisions_2026_11`. */
const parent = 'mail_decisions'
/** Key of the lock for creating and dropping partitions. */
const partitionLock = 7_204_611

/** Creates the partition for the month of a moment, in UTC, unless it exists. */
export async function createPartition(pool: Pool, moment: Date): Promise<void> {
  const month = moment.toISOString().slice(0, 7)
  const start = new Date(`${month}-01T00:00:00Z`)
  const end = new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1, 1))
  // names and bounds are digits and dashes made here, and DDL takes no parameters
  const statement = `create table if not exists ${parent}_${month.replace('-', '_')} partition of ${parent}
    for values from ('${start.toISOString()}') to ('${end.toISOString()}')`
  await withAdvisoryLock(pool, partitionLock, () => pool.query(statement))
}

/** Drops the partitions that end before a moment, and deletes older decisions from the oldest that stays. */
export async function removeDecisions(pool: Pool, db: Db, before: Date): Promise<void> {
  const month = before.toISOString().slice(0, 7).replace('-', '_')
  const { rows } = await sql<{ name: string }>`select c.relname as name from pg_inherits i
      join pg_class c on c.oid = i.inhrelid where i.inhparent = ${parent}::regclass
      and right(c.relname, 7) < ${month}`.execute(db)
  await withAdvisoryLock(pool, partitionLock, async () => {
    for (const { name } of rows) await pool.query(`drop table if exists ${pg.escapeIdentifier(name)}`)
  })
  await db.deleteFrom('mailDecisions').where('decidedAt', '<', before).execute()
}
