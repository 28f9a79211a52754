import { z } from 'zod'
import type { Db } from '../../platform/db/database.ts'
import { defineJob } from '../../platform/jobs/job.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import { undecidedPayments } from './payment-store.ts'

/** Cancels pending payments into the wallet of a closed account. */
export const cancelOpenPaymentsJob = defineJob('payment:cancel-open', z.object({ walletId: z.uuid() }))

/** Refunds a payment that was made into the wallet of a closed account anyway. */
export const giveBackJob = defineJob('payment:give-back', z.object({ paymentId: z.string() }))

/** Runs in the transaction that closes the account. */
export async function requestCancellations(trx: Db, jobs: Jobs, walletId: string): Promise<void> {
  if ((await undecidedPayments(trx, walletId)).length === 0) return
  await jobs.enqueue(trx, cancelOpenPaymentsJob, { walletId }, { key: `payment:cancel-open:${walletId}` })
}

/** Runs in the transaction that credits the payment. */
export function requestReturn(trx: Db, jobs: Jobs, paymentId: string): Promise<void> {
  return jobs.enqueue(trx, giveBackJob, { paymentId }, { key: `payment:give-back:${paymentId}` })
}
