import type { EventMessage } from '@gatehouse/contract/events'
import type { Secrets } from '../../platform/secrets.ts'
import { signatureHeaders, webhookSecretPurpose } from '../signature.ts'
import type { StoredWebhook } from '../webhook-store.ts'
import type { Message } from './send-message.ts'

type Signing = Pick<StoredWebhook, 'url' | 'secret' | 'previousSecret' | 'previousUntil'>

/** Returns the signed message for an event. */
export function signedMessage(webhook: Signing, event: EventMessage, secrets: Secrets, now: Date): Message {
  const { url, secret, previousSecret, previousUntil } = webhook
  const isOverlapping = previousSecret !== null && previousUntil !== null && previousUntil > now
  const keys = [secret, ...(isOverlapping ? [previousSecret] : [])].map((sealed) =>
    secrets.decrypt(webhookSecretPurpose, sealed),
  )
  const body = JSON.stringify(event)
  const timestamp = Math.floor(now.getTime() / 1000)
  return { url, headers: signatureHeaders({ id: event.id, timestamp, body }, keys), body }
}
