import { after, day } from '../../platform/clock.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import { PaymentRefused } from '../payments/providers/provider-errors.ts'
import {
  refreshMandateJob,
  refreshStaleJob,
  requestRefresh,
  revokeMandateJob,
  topUpJob,
} from './auto-payment-jobs.ts'
import { staleMandates } from './mandate-store.ts'
import type { AutoPaymentParts } from './parts.ts'
import { refreshMandate } from './refresh-mandate.ts'
import { topUp } from './top-up.ts'

/** Mandates not refreshed for this long are refreshed at night, up to a maximum. */
const longUnread = 7 * day
const perNight = 5000

/** Registers the auto-payment jobs; reference api-billing-admin §5, §14. All times UTC. */
export function handleAutoPayment(jobs: Jobs, parts: AutoPaymentParts): void {
  const { db, clock, log } = parts

  jobs.handle(topUpJob, async ({ walletId, by, askedAt }) => {
    const decision = await topUp(parts, walletId, { by, askedAt: askedAt ?? null })
    if (decision.act !== 'nothing') log.info({ wallet: walletId, decision }, 'wallet checked for a top-up')
  })

  jobs.handle(refreshMandateJob, ({ walletId }) => refreshMandate(parts, walletId))

  jobs.schedule(refreshStaleJob, '15 2 * * *', async () => {
    for (const walletId of await staleMandates(db, after(clock.now(), -longUnread), perNight)) {
      await requestRefresh(db, jobs, walletId)
    }
  })

  jobs.handle(revokeMandateJob, async ({ provider: name, mandateId, customerId }) => {
    const provider = parts.providers.named(name)
    if (provider === undefined) {
      log.warn({ provider: name, mandate: mandateId }, 'mandate not revoked: unknown provider')
      return
    }
    try {
      await provider.revokeMandate(mandateId, customerId)
    } catch (error) {
      // already removed there, as desired
      if (!(error instanceof PaymentRefused)) throw error
    }
  })
}
