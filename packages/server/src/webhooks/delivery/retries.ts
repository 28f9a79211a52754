import { after, day, hour, minute } from '../../platform/clock.ts'
import type { DeliveryState } from './delivery-store.ts'
import type { Outcome } from './send-message.ts'

/** Seconds between the attempts of a delivery. */
const delays = [
  5,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
] as const

/** A receiver can ask for a longer delay than the usual one, up to this. */
const longestDelay = 24 * hour

/** Seconds after which a webhook is paused if nothing was delivered. */
export const longestFailure = 3 * day

export function isDelivered({ status }: Pick<Outcome, 'status'>): boolean {
  return status !== null && status >= 200 && status <= 299
}

/** Returns the state after an attempt, and when the next one is. `attempts` includes it. */
export function afterAttempt(
  outcome: Pick<Outcome, 'status' | 'retryAfter'>,
  attempts: number,
  now: Date,
): { readonly state: DeliveryState; readonly nextAt: Date } {
  if (isDelivered(outcome)) return { state: 'delivered', nextAt: now }
  const delay = delays[attempts - 1]
  if (delay === undefined) return { state: 'failed', nextAt: now }
  const wanted = Math.min(outcome.retryAfter ?? 0, longestDelay)
  return { state: 'pending', nextAt: after(now, Math.max(delay, wanted)) }
}
