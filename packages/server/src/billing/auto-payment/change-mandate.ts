import { type Actor, audit } from '../../platform/audit.ts'
import type { Db } from '../../platform/db/database.ts'
import { NotFound } from '../../platform/http/errors.ts'
import { holdWallet } from '../../subscriptions/entitlement-store.ts'
import { ownerOf } from '../life-cycle/debt-store.ts'
import { tellHolders, type WalletMail } from '../life-cycle/wallet-mail.ts'
import { requestOwnTopUp, requestRevocation } from './auto-payment-jobs.ts'
import {
  type Amounts,
  changeOpenSetups,
  type DisabledReason,
  livingMandate,
  type MandateRow,
  noMandate,
  openSetups,
  type PayingAccount,
  readMandate,
  readPayingAccount,
  updateMandate,
  withdrawSetups,
  writeAmounts,
} from './mandate-store.ts'
import type { MandateParts } from './parts.ts'

type Event = `wallet.mandate-${'started' | 'created' | 'changed' | 'removed' | 'disabled' | 'enabled'}`

/** Writes an auto-payment event to an account's audit log. */
export async function recordMandate(
  trx: Db,
  { clock }: Pick<MandateParts, 'clock'>,
  walletId: string,
  event: Event | 'wallet.topped-up',
  { actor, ...rest }: { actor?: Actor; comment?: string; data?: Record<string, unknown> } = {},
): Promise<void> {
  const owner = await ownerOf(trx, walletId)
  await audit(trx, clock, {
    tenantId: owner.tenantId,
    objectType: 'user',
    objectId: owner.id,
    event,
    actor: actor ?? {},
    ...rest,
  })
}

/**
 * Stops charging a mandate until its owner or staff act. Returns false if there is none or it was already
 * stopped, so that no one is notified again. The caller holds the wallet's lock.
 */
export async function disableMandate(
  trx: Db,
  parts: MandateParts,
  walletId: string,
  reason: DisabledReason,
  by: { readonly actor?: Actor; readonly comment?: string } = {},
): Promise<boolean> {
  const row = await readMandate(trx, walletId)
  if (row === undefined || row.providerId === null || row.disabledAt !== null) return false
  const now = parts.clock.now()
  await updateMandate(trx, walletId, { disabledAt: now, disabledReason: reason, updatedAt: now })
  await recordMandate(trx, parts, walletId, 'wallet.mandate-disabled', { ...by, data: { reason } })
  const letter = letterFor(reason, row)
  if (letter !== undefined) {
    await tellHolders(trx, parts.jobs, walletId, letter, parts.config.APP_LDAP)
  }
  return true
}

/** A failed payment has already sent a mail, and staff explain their reasons themselves. */
function letterFor(reason: DisabledReason, row: MandateRow): WalletMail | undefined {
  if (reason === 'too-small') return { mail: 'MandateTooSmall', amount: row.amount }
  if (reason === 'invalid' || reason === 'revoked') return { mail: 'MandateGone' }
  return undefined
}

/** Enables a mandate again; returns false if it isn't stopped. The caller holds the wallet's lock. */
export async function enableMandate(
  trx: Db,
  parts: Pick<MandateParts, 'clock'>,
  walletId: string,
  by: { readonly actor?: Actor; readonly comment?: string } = {},
): Promise<boolean> {
  const row = await readMandate(trx, walletId)
  if (row === undefined || row.disabledAt === null) return false
  const now = parts.clock.now()
  await updateMandate(trx, walletId, { disabledAt: null, disabledReason: null, updatedAt: now })
  await recordMandate(trx, parts, walletId, 'wallet.mandate-enabled', by)
  return true
}

/** Reasons for a stop that an incoming payment resolves. */
const answered: readonly MandateRow['disabledReason'][] = ['failed', 'too-small']

/**
 * Resumes auto-payment after money of any kind has settled the debt. An invalid mandate stays stopped, so that its
 * owner keeps seeing the notice. The caller holds the wallet's row lock.
 */
export async function resumeMandate(
  trx: Db,
  parts: Pick<MandateParts, 'clock'>,
  walletId: string,
): Promise<void> {
  const row = await readMandate(trx, walletId)
  if (row === undefined || !answered.includes(row.disabledReason)) return
  if (livingMandate(row)?.status === 'invalid') return
  await enableMandate(trx, parts, walletId, { comment: 'balance no longer below zero' })
}

/**
 * Changes the amounts of auto-payment and of attempts to set it up, and enables it again, because its owner
 * wants it to work. A mandate that the provider considers invalid stays stopped. Returns false if there is
 * neither. The caller holds the wallet's lock.
 */
export async function changeMandate(
  trx: Db,
  parts: Pick<MandateParts, 'clock'>,
  walletId: string,
  amounts: Amounts,
  actor: Actor,
): Promise<boolean> {
  const row = await readMandate(trx, walletId)
  const living = livingMandate(row)
  if (living === undefined && (await openSetups(trx, walletId)).length === 0) return false
  await writeAmounts(trx, walletId, amounts, parts.clock.now())
  await changeOpenSetups(trx, walletId, amounts)
  const before = row && { amount: row.amount, threshold: row.threshold }
  if (before?.amount !== amounts.amount || before.threshold !== amounts.threshold) {
    const data = { before: before ?? {}, after: { ...amounts } }
    await recordMandate(trx, parts, walletId, 'wallet.mandate-changed', { actor, data })
  }
  if (living?.status !== 'invalid') await enableMandate(trx, parts, walletId, { actor })
  return true
}

/**
 * Ends auto-payment: locally at once, and at the provider in a job, so that an outage there doesn't block.
 * Amounts are kept for next time; an attempt that succeeds later is revoked. Returns false if there was
 * nothing to end. The caller holds the wallet's lock.
 */
export async function removeMandate(
  trx: Db,
  parts: Pick<MandateParts, 'clock' | 'jobs'>,
  walletId: string,
  by: { readonly actor?: Actor; readonly comment?: string } = {},
): Promise<boolean> {
  const living = livingMandate(await readMandate(trx, walletId))
  const attempts = await openSetups(trx, walletId)
  if (living === undefined && attempts.length === 0) return false
  await withdrawSetups(trx, walletId)
  if (living !== undefined) {
    await updateMandate(trx, walletId, { ...noMandate, updatedAt: parts.clock.now() })
    await requestRevocation(trx, parts.jobs, living)
  }
  await recordMandate(trx, parts, walletId, 'wallet.mandate-removed', by)
  return true
}

/**
 * Changes the amounts for the owner, and tops up soon if the balance is below the new threshold. `amountsFor`
 * validates the input against the account, whose wallet is locked by then. Throws NotFound if there is nothing
 * to change.
 */
export async function changeOwnMandate(
  { db, clock, jobs }: MandateParts & { readonly db: Db },
  walletId: string,
  amountsFor: (account: PayingAccount) => Promise<Amounts>,
  actor: Actor,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await holdWallet(trx, walletId)
    const account = await readPayingAccount(trx, walletId)
    const amounts = await amountsFor(account)
    if (!(await changeMandate(trx, { clock }, walletId, amounts, actor))) throw new NotFound()
    if (account.balance < amounts.threshold) await requestOwnTopUp(trx, jobs, walletId, clock.now())
  })
}

/** Ends auto-payment for the owner. Throws NotFound if there is nothing to end. */
export async function removeOwnMandate(
  parts: MandateParts & { readonly db: Db },
  walletId: string,
  actor: Actor,
): Promise<void> {
  await parts.db.transaction().execute(async (trx) => {
    await holdWallet(trx, walletId)
    if (!(await removeMandate(trx, parts, walletId, { actor }))) throw new NotFound()
  })
}
