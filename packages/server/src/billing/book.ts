import type { Clock } from '../platform/clock.ts'
import type { Db } from '../platform/db/database.ts'
import type { Jobs } from '../platform/jobs/jobs.ts'
import { holdWallet } from '../subscriptions/entitlement-store.ts'
import { resumeMandate } from './auto-payment/change-mandate.ts'
import { checkWalletJob } from './billing-jobs.ts'
import type { PostedEntry, Posting } from './ledger/entry.ts'
import { post } from './ledger/post.ts'
import { liftRestrictions, recoverAccount } from './life-cycle/account-state.ts'
import { resetAlerts } from './life-cycle/alert-store.ts'

export interface BookParts {
  readonly clock: Clock
  readonly jobs: Jobs
}

/**
 * Books a wallet's transaction and its effects on the account: incoming money lifts restrictions, and a
 * settled debt restores services, immediately and in the same transaction; reference api-billing-admin §6,
 * §13. Used for payments, refunds, awards and penalties. Returns undefined for an amount of 0, and `isNew:
 * false` without any effect for a key booked before. Throws IllegalPosting, and NotFound if the wallet doesn't
 * exist.
 */
export async function bookMoney(
  trx: Db,
  parts: BookParts,
  posting: Posting,
): Promise<PostedEntry | undefined> {
  await holdWallet(trx, posting.walletId)
  const entry = await post(trx, parts.clock, posting)
  if (entry === undefined || !entry.isNew) return entry
  if (entry.amount < 0) {
    // an alert or a first notice shouldn't wait for the next run
    const { walletId } = entry
    await parts.jobs.enqueue(trx, checkWalletJob, { walletId }, { key: `wallet:check:${walletId}` })
    return entry
  }
  await liftRestrictions(trx, parts.clock, posting.walletId)
  await resetAlerts(trx, posting.walletId, parts.clock.now())
  const before = entry.balance - entry.amount
  if (before < 0 && entry.balance >= 0) {
    await resumeMandate(trx, parts, posting.walletId)
    await recoverAccount(trx, parts.clock, posting.walletId)
  }
  return entry
}
