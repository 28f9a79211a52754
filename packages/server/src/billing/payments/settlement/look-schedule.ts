import { pendingStatuses } from '@gatehouse/contract/billing/payments'
import { after, day, hour, minute } from '../../../platform/clock.ts'
import type { PaymentRow } from '../payment-store.ts'

/** Seconds between looks at a payment that is still to be decided: messages are lost early or never come. */
const waits = [2, 5, 10, 20, 40, 60, 120, 240].map((minutes) => minutes * minute)
/** Seconds, also between tries at a provider that does not answer. */
export const longestWait = 6 * hour

/** How long after a payment its reversals are looked for: banks take disputes for half a year. */
const reversible = 180 * day
/** Days on which a payment that came to nothing may still be paid, as a transfer that was slow. */
const revivable = 14 * day

/** When a payment of this state is looked at next by itself; null: never again. */
export function nextLook(
  payment: Pick<PaymentRow, 'status' | 'type' | 'looks' | 'updatedAt' | 'paidAt' | 'refundOf'>,
  now: Date,
): Date | null {
  if (payment.refundOf !== null) return null
  if (isPending(payment.status)) return after(now, waits[payment.looks] ?? longestWait)
  const since = (payment.paidAt ?? payment.updatedAt).getTime()
  const age = (now.getTime() - since) / 1000
  if (payment.status !== 'paid') return age < revivable ? after(now, day) : null
  if (age >= reversible) return null
  return after(now, age < 14 * day ? day : 7 * day)
}

export function isPending(status: PaymentRow['status']): boolean {
  return (pendingStatuses as readonly string[]).includes(status) // a list of some of the statuses
}
