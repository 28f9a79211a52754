import { z } from 'zod'
import { defineJob } from '../../../platform/jobs/job.ts'
import { handleClosedAccounts } from '../closed-account.ts'
import type { PaymentParts } from '../payment-parts.ts'
import { takeDue } from '../payment-store.ts'
import { longestWait } from './look-schedule.ts'
import { settle } from './settle.ts'
import { settleJob, settleSoon } from './settle-job.ts'
import { handlePaymentMessages } from './webhook.ts'

/** Finds payments whose time has come; every minute. */
export const reconcileJob = defineJob('payments:reconcile', z.unknown())

/** Payments that one round takes on. */
const batch = 200

/**
 * Takes on the work on payments. Lost messages are made up for: whoever is not told of a payment looks at it by himself,
 * soon at first and ever more rarely; also at those whose provider did not answer when it was asked for them.
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
