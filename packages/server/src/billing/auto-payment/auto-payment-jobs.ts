import { z } from 'zod'
import type { Db } from '../../platform/db/database.ts'
import { defineJob } from '../../platform/jobs/job.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import { type LivingMandate, walletsToTopUp } from './mandate-store.ts'

const wallet = z.object({ walletId: z.uuid() })

/**
 * Tops a wallet up if it is due. Tries end after a day: the next look at the wallet asks again. `askedAt` is when its owner
 * asked for it.
 */
export const topUpJob = defineJob(
  'wallet:top-up',
  wallet.extend({ by: z.enum(['owner', 'portal']), askedAt: z.coerce.date().optional() }),
  12,
)

/** Asks the provider what a mandate is worth. */
export const refreshMandateJob = defineJob('mandate:refresh', wallet, 5)

/** Has many of them looked at; every night. */
export const refreshStaleJob = defineJob('mandates:refresh', z.unknown())

/** Ends a mandate at its provider, which nobody here uses any more. */
export const revokeMandateJob = defineJob(
  'mandate:revoke',
  z.object({ provider: z.string(), mandateId: z.string(), customerId: z.string().nullable() }),
)

/** Has a wallet looked at by the portal itself. */
export function requestTopUp(db: Db, jobs: Jobs, walletId: string): Promise<void> {
  const key = `wallet:top-up:portal:${walletId}`
  return jobs.enqueue(db, topUpJob, { walletId, by: 'portal' }, { key, queue: queueOf(walletId) })
}

/** The same for somebody who has just asked for it, knowing what it does. */
export function requestOwnTopUp(db: Db, jobs: Jobs, walletId: string, askedAt: Date): Promise<void> {
  const key = `wallet:top-up:owner:${walletId}`
  return jobs.enqueue(db, topUpJob, { walletId, by: 'owner', askedAt }, { key, queue: queueOf(walletId) })
}

function queueOf(walletId: string): string {
  return `wallet:top-up:${walletId}`
}

/** Has those looked at, all or one, that may be due. */
export async function requestDueTopUps(db: Db, jobs: Jobs, walletId?: string): Promise<void> {
  for (const due of await walletsToTopUp(db, walletId)) await requestTopUp(db, jobs, due)
}

export function requestRefresh(db: Db, jobs: Jobs, walletId: string): Promise<void> {
  return jobs.enqueue(db, refreshMandateJob, { walletId }, { key: `mandate:refresh:${walletId}` })
}

/** In the transaction in which the mandate is forgotten here. */
export function requestRevocation(
  trx: Db,
  jobs: Jobs,
  mandate: Pick<LivingMandate, 'provider' | 'providerId' | 'customerId'>,
): Promise<void> {
  const { provider, providerId: mandateId, customerId } = mandate
  const key = `mandate:revoke:${provider}:${mandateId}`
  return jobs.enqueue(trx, revokeMandateJob, { provider, mandateId, customerId }, { key })
}
