import type { Webhook, WebhookDelivery } from '@gatehouse/contract/webhooks/webhooks'
import { wireDate } from '../platform/clock.ts'
import type { StoredDelivery } from './delivery/delivery-store.ts'
import type { StoredWebhook } from './webhook-store.ts'

/** Presents a webhook without its secrets. */
export function presentWebhook(row: StoredWebhook, now: Date): Webhook {
  const { pausedAt: at, pauseReason: reason, previousUntil } = row
  return {
    id: row.id,
    name: row.name,
    url: row.url,
    types: row.types,
    created_at: wireDate(row.createdAt),
    paused: at === null || reason === null ? null : { at: wireDate(at), reason },
    failingSince: row.failingSince && wireDate(row.failingSince),
    previousUntil: previousUntil !== null && previousUntil > now ? wireDate(previousUntil) : null,
  }
}

export function presentDelivery(row: StoredDelivery): WebhookDelivery {
  return {
    id: row.id,
    event: row.eventId,
    type: row.type,
    state: row.state,
    attempts: row.attempts,
    created_at: wireDate(row.createdAt),
    attemptedAt: row.attemptedAt && wireDate(row.attemptedAt),
    nextAt: row.state === 'pending' ? wireDate(row.nextAt) : null,
    status: row.status,
    error: row.error,
    durationMs: row.durationMs,
    answer: row.answer,
  }
}
