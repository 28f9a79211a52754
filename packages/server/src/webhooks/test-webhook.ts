import type { EventMessage } from '@gatehouse/contract/events'
import { testEventType } from '@gatehouse/contract/webhooks/webhooks'
import { NotFound } from '../platform/http/errors.ts'
import { isUuid, newUuid } from '../platform/ids.ts'
import {
  type AttemptRecord,
  type DeliveryState,
  insertAttempt,
  type StoredDelivery,
} from './delivery/delivery-store.ts'
import { isDelivered } from './delivery/retries.ts'
import type { MessageSender } from './delivery/send-message.ts'
import { signedMessage } from './delivery/webhook-message.ts'
import { findWebhook, type StoredWebhook } from './webhook-store.ts'
import type { WebhookAccount, WebhookParts } from './webhooks.ts'

/** Returns a webhook of an account. Throws NotFound. */
export async function requireWebhook(
  { db }: Pick<WebhookParts, 'db'>,
  { walletId }: WebhookAccount,
  id: string,
): Promise<StoredWebhook> {
  const found = isUuid(id) ? await findWebhook(db, id) : undefined
  if (found?.walletId !== walletId) throw new NotFound()
  return found
}

/** Sends a test message once, also if the webhook is paused, and returns the recorded outcome. */
export async function sendTest(
  parts: WebhookParts & { readonly sender: MessageSender },
  account: WebhookAccount,
  id: string,
): Promise<StoredDelivery> {
  const { db, clock, secrets, sender } = parts
  const webhook = await requireWebhook(parts, account, id)
  const now = clock.now()
  const event: EventMessage = {
    id: newUuid(),
    type: testEventType,
    time: now.toISOString(),
    object: { type: 'user', id: account.ownerId, name: null },
    actor: { kind: 'system', id: null, apiKey: null },
    data: { webhook: webhook.name },
  }
  const outcome = await sender.send(signedMessage(webhook, event, secrets, now))
  const { status, error, durationMs, answer } = outcome
  const state: DeliveryState = isDelivered(outcome) ? 'delivered' : 'failed'
  const attempt: AttemptRecord = {
    ...{ state, attempts: 1, nextAt: now, attemptedAt: now, status, error, durationMs, answer },
  }
  const delivery = { id: newUuid(), webhookId: webhook.id, eventId: event.id, type: event.type }
  await insertAttempt(db, delivery, attempt)
  return { ...delivery, ...attempt, createdAt: now }
}
