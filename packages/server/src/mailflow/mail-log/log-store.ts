import { sql } from 'kysely'
import type { Pool } from 'pg'
import type { Db } from '../../platform/db/database.ts'
import { newUuid } from '../../platform/ids.ts'
import { dropPartitions } from '../partitions/partition-store.ts'
import type { LoggedStep } from './log-line.ts'

/** How far a log was read. */
export interface LogPosition {
  readonly inode: string
  readonly position: number
  /** Hash of the beginning of the file. */
  readonly beginning: string
}

/** Returns how far a log was read; undefined: never. */
export async function readPosition(db: Db, name: string): Promise<LogPosition | undefined> {
  return db
    .selectFrom('mailLogPositions')
    .select(['inode', 'position', 'beginning'])
    .where('name', '=', name)
    .executeTakeFirst()
}

/** Remembers how far a log was read. Call it in the transaction that inserts its steps. */
export async function writePosition(
  trx: Db,
  name: string,
  { inode, position, beginning }: LogPosition,
  now: Date,
): Promise<void> {
  const values = { inode, position, beginning, updatedAt: now }
  await trx
    .insertInto('mailLogPositions')
    .values({ name, ...values })
    .onConflict((conflict) => conflict.column('name').doUpdateSet(values))
    .execute()
}

/** Keeps steps of mail servers' logs. */
export async function insertSteps(db: Db, steps: readonly LoggedStep[]): Promise<void> {
  if (steps.length === 0) return
  const rows = steps.map((step) => ({
    id: newUuid(),
    loggedAt: step.loggedAt,
    server: step.server,
    queueId: step.queueId,
    event: step.event,
    clientAddress: step.clientAddress ?? null,
    sender: step.sender ?? null,
    recipient: step.recipient ?? null,
    originalRecipient: step.originalRecipient ?? null,
    messageId: step.messageId ?? null,
    size: step.size ?? null,
    relay: step.relay ?? null,
    status: step.status ?? null,
    response: step.response ?? null,
    nextQueueId: step.nextQueueId ?? null,
  }))
  // a statement has at most 65,535 parameters
  for (let at = 0; at < rows.length; at += 2000) {
    await db
      .insertInto('mailLogSteps')
      .values(rows.slice(at, at + 2000))
      .execute()
  }
}

/** Drops the partitions that end before a moment, and deletes older steps from the oldest that stays. */
export async function removeSteps(pool: Pool, db: Db, before: Date): Promise<void> {
  await dropPartitions(pool, db, 'mail_log_steps', before)
  await db.deleteFrom('mailLogSteps').where('loggedAt', '<', before).execute()
}

/** Returns which of some domains are of accounts here. */
export async function ownDomainsAmong(db: Db, domains: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ namespace: string }>`select namespace from domains
    where namespace = any(${domains}::text[])`.execute(db)
  return new Set(rows.map(({ namespace }) => namespace))
}

/** Returns the account of a domain; undefined: not one of ours. */
export async function domainAccount(
  db: Db,
  namespace: string,
): Promise<{ readonly walletId: string | null; readonly kind: 'domain'; readonly id: number } | undefined> {
  const row = await db
    .selectFrom('domains')
    .select(['id', 'walletId'])
    .where('namespace', '=', namespace)
    .where('deletedAt', 'is', null)
    .executeTakeFirst()
  return row && { ...row, kind: 'domain' }
}

/** Recipients of a user that other servers rejected. */
export interface RejectedRecipients {
  readonly userId: number
  readonly recipients: number
}

/** Returns which users sent the messages with some queue ids, and how often each id is named. */
export async function sendersOf(
  db: Db,
  queueIds: readonly string[],
  { from, to }: { readonly from: Date; readonly to: Date },
): Promise<RejectedRecipients[]> {
  const { rows } = await sql<RejectedRecipients>`select sent.user_id, count(*) as recipients
    from unnest(${queueIds}::text[]) as rejected(queue_id)
      join lateral (select d.object_id as user_id from mail_decisions d
        where d.queue_id = rejected.queue_id and d.policy = 'rate' and d.object_kind = 'user'
          and d.decided_at between ${from} and ${to}
        order by d.decided_at desc limit 1) sent on true
    group by sent.user_id`.execute(db)
  return rows
}
