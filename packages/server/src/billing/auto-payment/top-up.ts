import { type PaymentMethodId, pendingStatuses } from '@gatehouse/contract/billing/payments'
import { hasBit, userStatus } from '@gatehouse/contract/status'
import type { Db } from '../../platform/db/database.ts'
import { createTranslator, type MessageKey } from '../../platform/i18n/translator.ts'
import { holdWallet } from '../../subscriptions/entitlement-store.ts'
import { askProvider, preparePayment } from '../payments/begin-payment.ts'
import { holdPayment, type PaymentRow, readPayer } from '../payments/payment-store.ts'
import { PaymentRefused } from '../payments/providers/provider-errors.ts'
import { endPayment, settle } from '../payments/settlement/settle.ts'
import { isLocked, readCharges } from './account-facts.ts'
import { requestRefresh } from './auto-payment-jobs.ts'
import { disableMandate, recordMandate } from './change-mandate.ts'
import { decideTopUp, type TopUpDecision, type TopUpFacts } from './decide-top-up.ts'
import {
  type Amounts,
  type LivingMandate,
  livingMandate,
  type MandateRow,
  type PayingAccount,
  readMandate,
  readPayingAccount,
  unansweredCharge,
} from './mandate-store.ts'
import type { AutoPaymentParts } from './parts.ts'
import { isStale, refreshMandate } from './refresh-mandate.ts'

/** Who requested the top-up. */
type Asker = Pick<TopUpFacts, 'by' | 'askedAt'>

/** A wallet with the input of a top-up decision. */
interface Look {
  readonly account: PayingAccount
  readonly row: MandateRow | undefined
  readonly living: LivingMandate | undefined
  readonly decision: TopUpDecision
}

/**
 * Tops up a wallet if it is due. The payment is stored before the provider is called, and its ID serves as an
 * idempotency key: a wallet is charged once, however often and wherever this is called or killed. An
 * interrupted earlier call is completed first. Returns the decision. Throws ProviderUnavailable; call it again
 * later.
 */
export async function topUp(parts: AutoPaymentParts, walletId: string, asker: Asker): Promise<TopUpDecision> {
  await finishStarted(parts, walletId, asker)
  const before = await look(parts.db, parts, walletId, asker)
  // never charge a mandate whose status is stale
  if (before.decision.act === 'charge' && before.living && isStale(before.living, parts.clock.now())) {
    await refreshMandate(parts, walletId)
  }
  const begun = await parts.db.transaction().execute((trx) => begin(trx, parts, walletId, asker))
  if (begun.paymentId !== undefined) await charge(parts, walletId, begun.paymentId, begun.mandate)
  return begun.decision
}

/** Decides again under the wallet's lock, and stores the result. */
async function begin(
  trx: Db,
  parts: AutoPaymentParts,
  walletId: string,
  asker: Asker,
): Promise<
  | { readonly decision: TopUpDecision; readonly paymentId?: undefined }
  | { readonly decision: TopUpDecision; readonly paymentId: string; readonly mandate: LivingMandate }
> {
  await holdWallet(trx, walletId)
  const { account, row, living, decision } = await look(trx, parts, walletId, asker)
  if (decision.act === 'disable') await disableMandate(trx, parts, walletId, decision.why)
  if (decision.act !== 'charge' || living === undefined || row === undefined) return { decision }
  const paymentId = await preparePayment(trx, parts, {
    walletId,
    type: 'recurring',
    provider: living.provider,
    // rows only contain methods of the contract
    method: (row.methodId ?? 'creditcard') as PaymentMethodId,
    amount: row.amount,
    description: await describe(trx, parts, account),
  })
  await recordMandate(trx, parts, walletId, 'wallet.topped-up', { data: { amount: row.amount } })
  return { decision, paymentId, mandate: living }
}

async function charge(
  parts: AutoPaymentParts,
  walletId: string,
  paymentId: string,
  mandate: LivingMandate,
): Promise<void> {
  try {
    // unused, because the customer isn't involved in this payment
    const returnUrl = `${parts.config.APP_URL}/wallet`
    await askProvider(parts, paymentId, { returnUrl, language: 'en', mandateId: mandate.providerId })
  } catch (error) {
    // the failed payment has already stopped auto-payment and notified the owner
    if (!(error instanceof PaymentRefused)) throw error
    parts.log.info({ payment: paymentId, refusal: error.refusal, reason: error.reason }, 'top-up refused')
    if (error.refusal === 'mandate') await requestRefresh(parts.db, parts.jobs, walletId)
    return
  }
  await settle(parts, paymentId)
}

/** Completes a stored payment without a response from its provider, which may or may not have created it. */
async function finishStarted(parts: AutoPaymentParts, walletId: string, asker: Asker): Promise<void> {
  const { db } = parts
  const started = await unansweredCharge(db, walletId)
  if (started === undefined) return
  // queries the provider first, because idempotency keys expire
  const found = await settle(parts, started.id)
  if (found === undefined || found.providerId !== null || !isPending(found.status)) return
  const { living, decision } = await look(db, parts, walletId, { ...asker, without: started.id })
  if (decision.act === 'charge' && living?.provider === started.provider) {
    await charge(parts, walletId, started.id, living)
    return
  }
  await db.transaction().execute(async (trx) => {
    await holdWallet(trx, walletId)
    const current = await holdPayment(trx, started.id)
    if (current?.providerId === null && isPending(current.status)) {
      await endPayment(trx, parts, current, 'canceled')
    }
  })
}

function isPending(status: PaymentRow['status']): boolean {
  return (pendingStatuses as readonly string[]).includes(status) // a list of some of the statuses
}

/** Whether saving these amounts, which resumes auto-payment, would top up the wallet immediately. */
export async function toppedUpBy(
  parts: Pick<AutoPaymentParts, 'db' | 'clock'>,
  walletId: string,
  amounts: Amounts,
): Promise<boolean> {
  const asker = { by: 'owner', askedAt: parts.clock.now() } as const
  const { decision } = await look(parts.db, parts, walletId, { ...asker, amounts })
  return decision.act === 'charge'
}

/**
 * Reads a wallet and decides. `without` ignores that payment; `amounts` assumes that these had been saved.
 */
async function look(
  db: Db,
  { clock }: Pick<AutoPaymentParts, 'clock'>,
  walletId: string,
  { by, askedAt, without, amounts }: Asker & { readonly without?: string; readonly amounts?: Amounts },
): Promise<Look> {
  const now = clock.now()
  const account = await readPayingAccount(db, walletId)
  const row = await readMandate(db, walletId)
  const living = livingMandate(row)
  const { amount = 0, threshold = 0 } = amounts ?? row ?? {}
  const isDisabled = amounts === undefined && row?.disabledAt != null
  const decision = decideTopUp({
    now,
    by,
    askedAt,
    balance: account.balance,
    threshold,
    amount,
    mandate: living === undefined ? null : { status: living.status, isDisabled },
    account: {
      isDeleted: account.isDeleted,
      isSuspended: hasBit(account.status, userStatus.suspended),
      isLocked: isLocked(account),
      discount: account.discount,
    },
    ...(await readCharges(db, walletId, now, without)),
    monthlyCeiling: account.monthlyCeiling,
  })
  return { account, row, living, decision }
}

const periods: Readonly<Record<number, MessageKey>> = {
  1: 'mandate.payment-monthly',
  3: 'mandate.payment-quarterly',
  12: 'mandate.payment-annual',
}

/** Text on the customer's card statement. */
async function describe(db: Db, { config }: AutoPaymentParts, account: PayingAccount): Promise<string> {
  const { language, site = config.APP_NAME } = await readPayer(db, account.walletId)
  const key = account.plan === null ? undefined : periods[account.plan.months]
  return createTranslator(language)(key ?? 'mandate.payment-recurring', { site })
}
