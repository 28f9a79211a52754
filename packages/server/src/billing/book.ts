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
 * Books money of a wallet and lets follow what it means for the account: money that comes in ends restrictions, and a
 * debt that is paid gives services back, at once and in the same transaction; reference api-billing-admin §6, §13.
 * Payments, refunds, awards and penalties are booked with this. Undefined for an amount of 0; `isNew: false` for a key
 * that was booked before, and nothing happens then. Throws IllegalPosting, and NotFound when there is no such wallet.
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
    // an alert or a first notice need not wait for the next run
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
