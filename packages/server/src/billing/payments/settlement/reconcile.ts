import { z } from 'zod'
import { defineJob } from '../../../platform/jobs/job.ts'
import { handleClosedAccounts } from '../closed-account.ts'
import type { PaymentParts } from '../payment-parts.ts'
import { takeDue } from '../payment-store.ts'
import { longestWait } from './look-schedule.ts'
import { settle } from './settle.ts'
import { settleJob, settleSoon } from './settle-job.ts'
import { handlePaymentMessages } from './webhook.ts'

/** Checks payments that are due; every minute. */
export const reconcileJob = defineJob('payments:reconcile', z.unknown())

/** Payments per round. */
const batch = 200

/**
 * Registers the payment jobs. Missing webhooks are compensated: pending payments are checked, with increasing
 * intervals, as are those whose provider didn't respond when they were created.
 */
export function handlePayments(parts: PaymentParts): void {
  const { jobs, db } = parts
  handlePaymentMessages(parts)
  handleClosedAccounts(parts)
  jobs.handle(settleJob, async ({ paymentId }) => {
    await settle(parts, paymentId)
  })
  jobs.schedule(reconcileJob, '* * * * *', async () => {
    await db.transaction().execute(async (trx) => {
      for (const id of await takeDue(trx, parts.clock.now(), { longestWait, limit: batch }))
        await settleSoon(trx, jobs, id)
    })
  })
}
