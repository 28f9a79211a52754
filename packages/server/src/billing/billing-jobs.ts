import { z } from 'zod'
import { defineJob } from '../platform/jobs/job.ts'
import type { Jobs } from '../platform/jobs/jobs.ts'
import type { Log } from '../platform/log.ts'
import type { Post } from '../platform/mailer/post.ts'
import { requestDueTopUps } from './auto-payment/auto-payment-jobs.ts'
import { type ChargeRun, chargeDueWallets, chargeWallet } from './charging/charge.ts'
import { type Finding, verifyLedger } from './ledger/verify.ts'
import { takeAlerts } from './life-cycle/alert-store.ts'
import { walletsToDun, walletsToRecover } from './life-cycle/debt-store.ts'
import { type DunParts, dun, recover } from './life-cycle/dun.ts'
import { tellTrialEnds } from './life-cycle/trial-end.ts'
import { handleWalletMails, tellHolders } from './life-cycle/wallet-mail.ts'

/** Checks one wallet: charges it and takes the step that its debt requires. */
export const checkWalletJob = defineJob('wallet:check', z.object({ walletId: z.uuid() }), 5)

/** Charges everything that is due; every four hours. */
export const chargeJob = defineJob('wallets:charge', z.unknown())
/** Notifies owners of the end of their trial; every morning. */
export const trialEndJob = defineJob('wallets:trial-end', z.unknown())
/** Verifies the ledger every night. */
export const nightlyVerifyJob = defineJob('ledger:nightly', z.unknown())

/** Not retried, because a broken ledger doesn't repair itself; the dead job is visible to staff. */
const verifyJob = defineJob('ledger:verify', z.object({}), 1)

/** The ledger failed verification. */
export class LedgerBroken extends Error {
  override name = 'LedgerBroken'
}

export interface BillingParts extends DunParts {
  readonly post: Post
  readonly log: Log
  /** False if the installation has no wallets charged by schedule. */
  readonly isOffered: boolean
}

/** Registers the wallet jobs; reference api-billing-admin §14. All times UTC. */
export function handleBilling(jobs: Jobs, parts: BillingParts): void {
  const { db, log } = parts
  handleWalletMails(jobs, parts)

  jobs.handle(checkWalletJob, ({ walletId }) => checkWallet(parts, walletId))

  jobs.schedule(chargeJob, '0 */4 * * *', async () => {
    if (!parts.isOffered) return
    const run = await chargeAll(parts)
    if (run.wallets > 0) log.info({ ...run }, 'wallets charged')
  })
  jobs.schedule(trialEndJob, '0 7 * * *', async () => {
    if (parts.isOffered) await tellTrialEnds(parts)
  })

  jobs.schedule(nightlyVerifyJob, '30 3 * * *', () =>
    jobs.enqueue(db, verifyJob, {}, { key: 'ledger:verify' }),
  )
  jobs.handle(verifyJob, async () => {
    const findings = await verifyLedger(db)
    if (findings.length === 0) return
    log.error({ findings }, 'ledger verification failed')
    throw new LedgerBroken(findings.map(sentence).join('; '))
  })
}

/** Processes everything due now, in this order: charges, auto-payment, debt steps, alerts. */
export async function chargeAll(parts: DunParts): Promise<ChargeRun> {
  const { db, clock, jobs } = parts
  const run = await chargeDueWallets(db, { now: clock.now() })
  await requestDueTopUps(db, jobs)
  for (const walletId of await walletsToRecover(db)) await recover(parts, walletId)
  for (const walletId of await walletsToDun(db, clock.now())) await dun(parts, walletId)
  await tellAlerts(parts)
  return run
}

/** Charges one wallet and takes the steps that its balance requires. */
export async function checkWallet(parts: DunParts, walletId: string): Promise<void> {
  await parts.db.transaction().execute((trx) => chargeWallet(trx, walletId, { now: parts.clock.now() }))
  await requestDueTopUps(parts.db, parts.jobs, walletId)
  await dun(parts, walletId)
  await tellAlerts(parts, walletId)
}

async function tellAlerts(parts: DunParts, walletId?: string): Promise<void> {
  await parts.db.transaction().execute(async (trx) => {
    for (const { walletId: id, threshold } of await takeAlerts(trx, parts.clock.now(), walletId)) {
      await tellHolders(trx, parts.jobs, id, { mail: 'LowBalance', threshold }, parts.withLdap)
    }
  })
}

/** Formats a finding. */
export function sentence({ check, count, samples }: Finding): string {
  const more = count > samples.length ? ', …' : ''
  return `${check}: ${count} (${samples.join(', ')}${more})`
}
