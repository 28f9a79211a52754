import { z } from 'zod'
import type { Db } from '../../platform/db/database.ts'
import { defineJob } from '../../platform/jobs/job.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import { type LivingMandate, walletsToTopUp } from './mandate-store.ts'

const wallet = z.object({ walletId: z.uuid() })

/**
 * Tops up a wallet if it is due. Retries end after a day, when the next periodic check decides again.
 * `askedAt` is when its owner requested it.
 */
export const topUpJob = defineJob(
  'wallet:top-up',
  wallet.extend({ by: z.enum(['owner', 'portal']), askedAt: z.coerce.date().optional() }),
  12,
)

/** Refreshes a mandate's status from the provider. */
export const refreshMandateJob = defineJob('mandate:refresh', wallet, 5)

/** Enqueues a refresh of many mandates; every night. */
export const refreshStaleJob = defineJob('mandates:refresh', z.unknown())

/** Revokes an unused mandate at its provider. */
export const revokeMandateJob = defineJob(
  'mandate:revoke',
  z.object({ provider: z.string(), mandateId: z.string(), customerId: z.string().nullable() }),
)

/** Enqueues a top-up check by the portal. */
export function requestTopUp(db: Db, jobs: Jobs, walletId: string): Promise<void> {
  const key = `wallet:top-up:portal:${walletId}`
  return jobs.enqueue(db, topUpJob, { walletId, by: 'portal' }, { key, queue: queueOf(walletId) })
}

/** The same for an owner who has explicitly requested it. */
export function requestOwnTopUp(db: Db, jobs: Jobs, walletId: string, askedAt: Date): Promise<void> {
  const key = `wallet:top-up:owner:${walletId}`
  return jobs.enqueue(db, topUpJob, { walletId, by: 'owner', askedAt }, { key, queue: queueOf(walletId) })
}

function queueOf(walletId: string): string {
  return `wallet:top-up:${walletId}`
}

/** Enqueues checks of all wallets, or one, that may be due. */
export async function requestDueTopUps(db: Db, jobs: Jobs, walletId?: string): Promise<void> {
  for (const due of await walletsToTopUp(db, walletId)) await requestTopUp(db, jobs, due)
}

export function requestRefresh(db: Db, jobs: Jobs, walletId: string): Promise<void> {
  return jobs.enqueue(db, refreshMandateJob, { walletId }, { key: `mandate:refresh:${walletId}` })
}

/** Runs in the transaction that removes the mandate. */
export function requestRevocation(
  trx: Db,
  jobs: Jobs,
  mandate: Pick<LivingMandate, 'provider' | 'providerId' | 'customerId'>,
): Promise<void> {
  const { provider, providerId: mandateId, customerId } = mandate
  const key = `mandate:revoke:${provider}:${mandateId}`
  return jobs.enqueue(trx, revokeMandateJob, { provider, mandateId, customerId }, { key })
}
