import type { Pool } from 'pg'
import type { Db } from '../../platform/db/database.ts'
import { runPrepared } from '../../platform/db/prepared.ts'
import type { Facts } from '../decision.ts'
import { dropPartitions } from '../partitions/partition-store.ts'
import type { Reason } from '../reasons.ts'
import { storableJson, storableText } from './storable-text.ts'

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

const insertion = {
  name: 'mail-decisions-insert',
  text: `insert into mail_decisions (id, decided_at, policy, reason, direction, wallet_id, object_kind, object_id,
      sender, recipient, client_address, queue_id, message_id, facts)
    select id, decided_at, policy, reason, direction, wallet_id, object_kind, object_id,
      sender, recipient, client_address, queue_id, message_id, facts
    from json_to_recordset($1) as d(id uuid, decided_at timestamptz, policy text, reason text, direction text,
      wallet_id uuid, object_kind text, object_id bigint, sender text, recipient text, client_address text,
      queue_id text, message_id text, facts jsonb)`,
}

export async function insertDecisions(on: Pool | Db, decisions: readonly StoredDecision[]): Promise<void> {
  if (decisions.length === 0) return
  const rows = decisions.map((one) => ({
    ...{ id: one.id, decided_at: one.decidedAt, policy: one.policy, reason: one.reason },
    ...{ direction: one.direction, wallet_id: one.walletId, object_kind: one.objectKind },
    object_id: one.objectId,
    sender: indexable(one.sender),
    recipient: one.recipient === null ? null : indexable(one.recipient),
    client_address: one.clientAddress === null ? null : indexable(one.clientAddress),
    queue_id: one.queueId === null ? null : indexable(one.queueId),
    message_id: one.messageId === null ? null : indexable(one.messageId),
    facts: one.facts,
  }))
  await runPrepared(on, insertion, [storableJson(rows)])
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
