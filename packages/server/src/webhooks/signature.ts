import { createHmac, randomBytes } from 'node:crypto'

/** Purpose of the key that seals secrets of webhooks in the database. */
export const webhookSecretPurpose = 'webhook-secret'

const prefix = 'whsec_'

/** Generates a secret in the format of Standard Webhooks. */
export function newWebhookSecret(): string {
  return prefix + randomBytes(32).toString('base64')
}

export interface SignedMessage {
  readonly id: string
  /** Unix time in seconds. */
  readonly timestamp: number
  readonly body: string
}

/** Returns the headers of a message according to Standard Webhooks, with a signature for each secret. */
export function signatureHeaders(
  { id, timestamp, body }: SignedMessage,
  secrets: readonly string[],
): Record<string, string> {
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(prefix.length), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
  })
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures.join(' '),
  }
}
