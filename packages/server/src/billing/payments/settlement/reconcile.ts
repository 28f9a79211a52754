import { sql } from 'kysely'
import { z } from 'zod'
import type { Db } from '../../../platform/db/database.ts'
import { defineJob } from '../../../platform/jobs/job.ts'
import { handleClosedAccounts } from '../closed-account.ts'
import type { PaymentParts } from '../payment-parts.ts'
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
      for (const id of await takeDue(trx, parts.clock.now())) await settleSoon(trx, jobs, id)
    })
  })
}

/**
 * Takes payments that are due, the longest due first. Until a look succeeds they are due again after a while that doubles
 * with each one that does not.
 */
async function takeDue(trx: Db, now: Date): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update payments set looks = looks + 1,
      next_look_at = ${now}::timestamptz
        + least(${longestWait}::float, 120 * power(2, least(looks, 20))) * interval '1 second'
    where id in (select id from payments where next_look_at <= ${now}::timestamptz
      order by next_look_at limit ${batch} for no key update skip locked)
    returning id`.execute(trx)
  return rows.map(({ id }) => id)
}
