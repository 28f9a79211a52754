import { pendingStatuses } from '@gatehouse/contract/billing/payments'
import { after, day, hour, minute } from '../../../platform/clock.ts'
import type { PaymentRow } from '../payment-store.ts'

/** Seconds between checks of a pending payment, in case its webhook is late or lost. */
const waits = [2, 5, 10, 20, 40, 60, 120, 240].map((minutes) => minutes * minute)
/** Maximum interval in seconds, also between retries during an outage. */
export const longestWait = 6 * hour

/** How long a payment's reversals are checked: banks accept disputes for half a year. */
const reversible = 180 * day
/** How long a failed payment may still be paid, e.g. by a slow transfer. */
const revivable = 14 * day

/** When a payment in this state is checked next; null if never. */
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
