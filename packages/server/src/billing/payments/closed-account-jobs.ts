import { z } from 'zod'
import type { Db } from '../../platform/db/database.ts'
import { defineJob } from '../../platform/jobs/job.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import { undecidedPayments } from './payment-store.ts'

/** Cancels what is still to be decided of the payments into the wallet of a closed account. */
export const cancelOpenPaymentsJob = defineJob('payment:cancel-open', z.object({ walletId: z.uuid() }))

/** Gives back what was paid into the wallet of a closed account all the same. */
export const giveBackJob = defineJob('payment:give-back', z.object({ paymentId: z.string() }))

/** In the transaction that closes the account. */
export async function requestCancellations(trx: Db, jobs: Jobs, walletId: string): Promise<void> {
  if ((await undecidedPayments(trx, walletId)).length === 0) return
  await jobs.enqueue(trx, cancelOpenPaymentsJob, { walletId }, { key: `payment:cancel-open:${walletId}` })
}

/** In the transaction that credits the payment. */
export function requestReturn(trx: Db, jobs: Jobs, paymentId: string): Promise<void> {
  return jobs.enqueue(trx, giveBackJob, { paymentId }, { key: `payment:give-back:${paymentId}` })
}
