import type { Pool } from 'pg'
import type { Db } from '../../platform/db/database.ts'
import type { Facts } from '../decision.ts'
import { dropPartitions } from '../partitions/partition-store.ts'
import type { Reason } from '../reasons.ts'
import { storableText } from './storable-text.ts'

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
    facts: JSON.stringify(one.facts, (_, value: unknown) =>
      typeof value === 'string' ? storableText(value) : value,
    ),
  }))
  await db.insertInto('mailDecisions').values(rows).execute()
}

/** Indexed columns hold less than 2,700 bytes. */
function indexable(text: string): string {
  return storableText(text.slice(0, 512))
}

/** Drops the partitions that end before a moment, and deletes older decisions from the oldest that stays. */
export async function removeDecisions(pool: Pool, db: Db, before: Date): Promise<void> {
  await dropPartitions(pool, db, 'mail_decisions', before)
  await db.deleteFrom('mailDecisions').where('decidedAt', '<', before).execute()
}
