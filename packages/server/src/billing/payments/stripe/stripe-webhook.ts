import type Stripe from 'stripe'
import { z } from 'zod'
import type { Clock } from '../../../platform/clock.ts'
import type { WebhookMessage } from '../providers/provider.ts'
import { WebhookRefused } from '../providers/provider-errors.ts'
import { idOf } from './stripe-payment.ts'

/**
 * Maximum age of a webhook in seconds; older ones are replays. Stripe creates a new signature for every retry.
 */
const tolerance = 300

const reference = z.union([z.string(), z.object({ id: z.string() })]).nullish()

const subject = z.object({
  id: z.string(),
  object: z.string(),
  payment_intent: reference,
  customer: reference,
})

/** The object that a webhook refers to. */
export type Subject =
  | { readonly kind: 'session' | 'payment intent'; readonly id: string }
  | { readonly kind: 'setup intent'; readonly id: string; readonly customerId: string | null }

const topics = [
  /^checkout\.session\./,
  /^payment_intent\./,
  /^setup_intent\./,
  /^charge\.(refunded|refund\.updated|dispute\.)/,
  /^refund\./,
]

/**
 * Returns what a Stripe webhook refers to; undefined if it is unrelated. Requires a valid signature, and only
 * uses IDs. Throws WebhookRefused (docs.stripe.com/webhooks#verify-events).
 */
export function webhookSubject(
  stripe: Stripe,
  message: WebhookMessage,
  secret: string,
  clock: Clock,
): Subject | undefined {
  const signature = message.headers['stripe-signature']
  if (typeof signature !== 'string') throw new WebhookRefused('stripe: no signature')
  const event = verified(stripe, message.body, signature, secret, clock)
  if (!topics.some((topic) => topic.test(event.type))) return undefined
  const parsed = subject.safeParse(event.data.object)
  return parsed.success ? subjectOf(parsed.data) : undefined
}

function verified(
  stripe: Stripe,
  body: Buffer,
  signature: string,
  secret: string,
  clock: Clock,
): Stripe.Event {
  try {
    return stripe.webhooks.constructEvent(
      body,
      signature,
      secret,
      tolerance,
      undefined,
      clock.now().getTime(),
    )
  } catch (error) {
    // a signed body that isn't JSON is rejected too
    throw new WebhookRefused(`stripe: ${error instanceof Error ? error.name : 'message'} refused`)
  }
}

function subjectOf(object: z.infer<typeof subject>): Subject | undefined {
  switch (object.object) {
    case 'checkout.session':
      return { kind: 'session', id: object.id }
    case 'payment_intent':
      return { kind: 'payment intent', id: object.id }
    case 'setup_intent':
      return { kind: 'setup intent', id: object.id, customerId: idOf(object.customer) }
    default: {
      // charges, refunds and disputes name their intent
      const intentId = idOf(object.payment_intent)
      return intentId === null ? undefined : { kind: 'payment intent', id: intentId }
    }
  }
}
