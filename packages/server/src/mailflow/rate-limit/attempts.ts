import { createHash } from 'node:crypto'
import { canonicalAddress } from '@gatehouse/contract/canonical-address'
import { z } from 'zod'
import type { Usage } from './buckets.ts'

/** What tells one attempt to send from another. */
export const attempt = z.object({
  /** The mail server's number of the message; null: not known at this stage. Clients can't choose it. */
  queueId: z.string().nullable(),
  /** Message-ID of the header; null: not known. Clients choose it. */
  messageId: z.string().nullable(),
  /** Hash of the sorted recipients. */
  recipientsHash: z.string(),
  recipients: z.number(),
})

/** An attempt that was counted before. */
export const countedAttempt = attempt.extend({
  /** Seconds since 1970. */
  at: z.number(),
  wasAccepted: z.boolean(),
})

export type Attempt = z.infer<typeof attempt>
export type CountedAttempt = z.infer<typeof countedAttempt>

/** Seconds for which mail programs and servers retry a message. */
export const retryTime = 5 * 86_400

/** Hash of a list of recipients, whatever their order, letters and repetitions; and their number. */
export function hashRecipients(
  recipients: readonly string[],
): Pick<Attempt, 'recipientsHash' | 'recipients'> {
  const distinct = [...new Set(recipients.map(canonicalAddress))].sort()
  const recipientsHash = createHash('sha256').update(distinct.join(',')).digest('hex')
  return { recipientsHash, recipients: distinct.length }
}

/**
 * What an attempt adds to the counters. The same message isn't counted twice: the same queue id at any time, or, after an
 * attempt that wasn't accepted, the same Message-ID (then recipients that are new count), or the same list if there's no
 * Message-ID. A list that was accepted before counts again, and so does a Message-ID.
 */
export function chargeOf(current: Attempt, earlier: readonly CountedAttempt[], now: number): Usage {
  const recent = earlier.filter(({ at }) => Math.abs(now - at) < retryTime)
  const same = recent.filter((one) => isSameMessage(current, one))
  if (same.length === 0) return { messages: 1, recipients: current.recipients }
  if (same.some((one) => one.recipientsHash === current.recipientsHash)) return { messages: 0, recipients: 0 }
  const counted = Math.max(...same.map(({ recipients }) => recipients))
  return { messages: 0, recipients: Math.max(0, current.recipients - counted) }
}

function isSameMessage(current: Attempt, earlier: CountedAttempt): boolean {
  if (current.queueId !== null && current.queueId === earlier.queueId) return true
  if (earlier.wasAccepted) return false
  if (current.messageId !== null || earlier.messageId !== null) return current.messageId === earlier.messageId
  return current.recipientsHash === earlier.recipientsHash
}
