import { hasBit, userStatus } from '@gatehouse/contract/status'
import { after, type Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import { holdWallet } from '../../subscriptions/entitlement-store.ts'
import { degradeForDebt, recoverAccount } from './account-state.ts'
import { type DebtAccount, markDegradedReminder, markStep, readDebt } from './debt-store.ts'
import { type DebtStep, degradedReminderEvery, degradesAt, dueStep } from './steps.ts'
import { tellHolders, type WalletMail } from './wallet-mail.ts'

export interface DunParts {
  readonly db: Db
  readonly clock: Clock
  readonly jobs: Jobs
  readonly withLdap: boolean
}

/**
 * Takes the due step for a wallet with a debt and sends its mails; reference api-billing-admin §13. Runs in
 * one transaction, so that the step and its effects happen exactly once.
 */
export async function dun(parts: DunParts, walletId: string): Promise<void> {
  await parts.db.transaction().execute(async (trx) => {
    await holdWallet(trx, walletId)
    const debt = await readDebt(trx, walletId)
    if (debt === undefined || debt.isOwnerDeleted) return
    if (hasBit(debt.ownerStatus, userStatus.degraded)) return remindDegraded(trx, parts, debt)
    const step = dueStep(debt, parts.clock.now())
    if (step !== undefined) await takeStep(trx, parts, debt, step)
  })
}

/** Restores an account whose debt was settled other than by a booking. */
export async function recover(parts: DunParts, walletId: string): Promise<void> {
  await parts.db.transaction().execute(async (trx) => {
    await holdWallet(trx, walletId)
    if ((await readDebt(trx, walletId)) === undefined) await recoverAccount(trx, parts.clock, walletId)
  })
}

async function takeStep(trx: Db, parts: DunParts, debt: DebtAccount, step: DebtStep): Promise<void> {
  const { walletId } = debt
  const now = parts.clock.now()
  if (step === 'degrade') {
    await degradeForDebt(trx, parts.clock, walletId)
    await markDegradedReminder(trx, walletId, now)
  }
  await markStep(trx, walletId, step, now)
  // after a long delay the warning's date must still be in the future
  const date = new Date(Math.max(degradesAt(debt.negativeSince).getTime(), now.getTime()))
  await tell(trx, parts, walletId, { ...mails[step], date })
}

const mails: Readonly<Record<DebtStep, WalletMail>> = {
  initial: { mail: 'NegativeBalance' },
  reminder: { mail: 'NegativeBalanceReminder', alsoExternal: true },
  warning: { mail: 'NegativeBalanceWarning', alsoExternal: true },
  degrade: { mail: 'NegativeBalanceDegraded', alsoExternal: true },
}

/** Every two weeks; the first check of an account degraded for other reasons only starts the interval. */
async function remindDegraded(trx: Db, parts: DunParts, debt: DebtAccount): Promise<void> {
  const { walletId, degradedReminderAt: last } = debt
  const now = parts.clock.now()
  if (last !== null && after(last, degradedReminderEvery) > now) return
  await markDegradedReminder(trx, walletId, now)
  if (last !== null) await tell(trx, parts, walletId, { mail: 'DegradedReminder' })
}

function tell(trx: Db, parts: DunParts, walletId: string, letter: WalletMail): Promise<void> {
  return tellHolders(trx, parts.jobs, walletId, letter, parts.withLdap)
}
