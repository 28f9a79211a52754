import {
  type BatchRow,
  type RowState,
  type Batch as WireBatch,
  batch as wireBatch,
} from '@gatehouse/contract/directory/bulk'
import { wireDate } from '../platform/clock.ts'
import type { Translate } from '../platform/i18n/translator.ts'
import type { Batch, RowMessage, StoredRow } from './batch.ts'

export function presentBatch(batch: Batch, counts: Record<RowState, number>): WireBatch {
  return {
    id: batch.id,
    kind: batch.kind,
    objects: batch.objects,
    action: wireBatch.shape.action.parse(batch.action),
    state: batch.state,
    by: batch.creatorEmail,
    total: batch.total,
    counts,
    price: batch.price,
    created_at: wireDate(batch.createdAt),
    started_at: batch.startedAt && wireDate(batch.startedAt),
    ended_at: batch.endedAt && wireDate(batch.endedAt),
    canStart: batch.kind !== 'plan' && batch.state === 'ready' && counts.ok > 0,
    // a plan is applied as a whole
    canCancel:
      batch.state === 'checking' ||
      batch.state === 'ready' ||
      (batch.state === 'running' && batch.kind !== 'plan'),
  }
}

export function presentRow(row: StoredRow, t: Translate): BatchRow {
  const { n, label, state, objectId } = row
  return { n, label, state, objectId, messages: row.messages.map((one) => presentMessage(one, t)) }
}

/** A message about a row, in the reader's language. */
export function presentMessage(one: RowMessage, t: Translate): BatchRow['messages'][number] {
  return { field: one.field ?? null, text: t(one.key, one.params) }
}
