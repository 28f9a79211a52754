import { Conflict, NotFound } from '../../platform/http/errors.ts'
import { balanceOf, ownerOf } from '../life-cycle/debt-store.ts'
import { cancelPayment } from './cancel-payment.ts'
import { cancelOpenPaymentsJob, giveBackJob } from './closed-account-jobs.ts'
import type { PaymentParts } from './payment-parts.ts'
import { readPayment, undecidedPayments } from './payment-store.ts'
import { proportion } from './proportion.ts'
import { PaymentRefused } from './providers/provider-errors.ts'
import { raiseAlarm } from './settlement/alarms.ts'
import { RefundTooLarge, refundPayment } from './settlement/refund.ts'

/**
 * Registers the jobs for remaining payments of closed accounts. They do nothing if the account was restored
 * meanwhile.
 */
export function handleClosedAccounts(parts: PaymentParts): void {
  const { jobs, db } = parts
  jobs.handle(cancelOpenPaymentsJob, async ({ walletId }) => {
    if (!(await ownerOf(db, walletId)).isDeleted) return
    for (const payment of await undecidedPayments(db, walletId)) {
      try {
        await cancelPayment(parts, payment)
      } catch (error) {
        // payments that can't be cancelled are refunded once paid
        if (!(error instanceof Conflict || error instanceof PaymentRefused)) throw error
      }
    }
  })
  jobs.handle(giveBackJob, ({ paymentId }) => giveBack(parts, paymentId))
}

/** Refunds a payment less what the account still owed; if that fails, an operator has to. */
async function giveBack(parts: PaymentParts, paymentId: string): Promise<void> {
  const { db } = parts
  const payment = await readPayment(db, paymentId)
  if (payment === undefined || !(await ownerOf(db, payment.walletId)).isDeleted) return
  const { amount, creditAmount: credited, provider } = payment
  const left = await balanceOf(db, payment.walletId)
  if (left <= 0) return
  try {
    await refundPayment(parts, paymentId, left < credited ? proportion(amount, left, credited) : undefined)
  } catch (error) {
    // already refunded
    if (error instanceof RefundTooLarge) return
    if (!(error instanceof PaymentRefused || error instanceof NotFound)) throw error
    await raiseAlarm(db, parts, {
      provider,
      providerId: payment.providerId ?? paymentId,
      kind: 'closed-account',
      paymentId,
      facts: { wallet: payment.walletId, balance: left, reason: error.message },
    })
  }
}
