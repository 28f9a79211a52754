import type { Pool } from 'pg'
import type { Db } from '../../platform/db/database.ts'
import { columnArray, rowsFrom, runPrepared, withoutFlush } from '../../platform/db/prepared.ts'
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
/** `server`: what the mail server decided on its own. */
export type Policy = (typeof policies)[number] | 'server'

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
    select d.id, d.decided_at, d.policy, d.reason, d.direction, d.wallet_id, d.object_kind, d.object_id,
      d.sender, d.recipient, d.client_address, d.queue_id, d.message_id, d.facts::jsonb
    from ${rowsFrom([
      ...['uuid', 'timestamptz', 'text', 'text', 'text', 'uuid', 'text', 'bigint'],
      ...['text', 'text', 'text', 'text', 'text', 'text'],
    ])}
      as d(id, decided_at, policy, reason, direction, wallet_id, object_kind, object_id, sender, recipient,
        client_address, queue_id, message_id, facts), ${withoutFlush()}`,
}

/**
 * Keeps decisions. Doesn't wait for the disk: a crash of the database server may lose those of its last second, which were
 * answered long before.
 */
export async function insertDecisions(on: Pool | Db, rows: readonly StoredDecision[]): Promise<void> {
  if (rows.length === 0) return
  await runPrepared(on, insertion, [
    columnArray(rows, ({ id }) => id),
    columnArray(rows, ({ decidedAt }) => decidedAt.toISOString()),
    columnArray(rows, ({ policy }) => policy),
    columnArray(rows, ({ reason }) => reason),
    columnArray(rows, ({ direction }) => direction),
    columnArray(rows, ({ walletId }) => walletId),
    columnArray(rows, ({ objectKind }) => objectKind),
    columnArray(rows, ({ objectId }) => objectId),
    columnArray(rows, ({ sender }) => indexable(sender)),
    columnArray(rows, ({ recipient }) => indexable(recipient)),
    columnArray(rows, ({ clientAddress }) => indexable(clientAddress)),
    columnArray(rows, ({ queueId }) => indexable(queueId)),
    columnArray(rows, ({ messageId }) => indexable(messageId)),
    columnArray(rows, ({ facts }) => storableJson(facts)),
  ])
}

/** Indexed columns hold less than 2,700 bytes. */
function indexable(text: string | null): string | null {
  return text === null ? null : storableText(text.slice(0, 512))
}

/** Drops the partitions that end before a moment, and deletes older decisions from the oldest that stays. */
export async function removeDecisions(pool: Pool, db: Db, before: Date): Promise<void> {
  await dropPartitions(pool, db, 'mail_decisions', before)
  await db.deleteFrom('mailDecisions').where('decidedAt', '<', before).execute()
}
