import type { HandOff, PaymentMethodId } from '@gatehouse/contract/billing/payments'
import type { Actor } from '../../platform/audit.ts'
import type { Db } from '../../platform/db/database.ts'
import { NotFound } from '../../platform/http/errors.ts'
import { createTranslator } from '../../platform/i18n/translator.ts'
import { holdWallet } from '../../subscriptions/entitlement-store.ts'
import { askProvider, type Conversation, preparePayment } from '../payments/begin-payment.ts'
import { readPayer } from '../payments/payment-store.ts'
import { readCharges } from './account-facts.ts'
import { recordMandate } from './change-mandate.ts'
import {
  type Amounts,
  insertSetup,
  livingMandate,
  openSetups,
  type PayingAccount,
  readMandate,
  readPayingAccount,
  writeAmounts,
} from './mandate-store.ts'
import type { NewAccountMandate, NewAccountMandates } from './new-account-mandate.ts'
import type { AutoPaymentParts } from './parts.ts'

/** A requested set-up. */
export interface WantedSetup {
  /** ID of its payment; absent for a new one. */
  readonly id?: string
  readonly walletId: string
  /** Provider name, as selected by `PaymentProviders.of`. */
  readonly provider: string
  readonly method: PaymentMethodId
  readonly amounts: Amounts
  /** Makes a first payment with the set-up if the balance is below the threshold. */
  readonly paysAtOnce: boolean
  readonly actor: Actor
}

/**
 * Stores a requested set-up. The wallet's mandate and amounts stay unchanged until it succeeds; amounts
 * without an active mandate change at once. Returns the ID of the payment that sets it up.
 */
export async function prepareSetup(trx: Db, parts: AutoPaymentParts, wanted: WantedSetup): Promise<string> {
  const { walletId, amounts } = wanted
  await holdWallet(trx, walletId)
  const account = await readPayingAccount(trx, walletId)
  if (account.isDeleted) throw new NotFound()
  const { language, site = parts.config.APP_NAME } = await readPayer(trx, walletId)
  const first = wanted.paysAtOnce ? await firstPayment(trx, parts, account, amounts) : 0
  const paymentId = await preparePayment(trx, parts, {
    ...(wanted.id !== undefined && { id: wanted.id }),
    walletId,
    type: 'mandate',
    provider: wanted.provider,
    method: wanted.method,
    amount: first,
    description: createTranslator(language)('mandate.payment-setup', { site }),
  })
  await insertSetup(trx, { paymentId, walletId, ...amounts })
  if (livingMandate(await readMandate(trx, walletId)) === undefined) {
    await writeAmounts(trx, walletId, amounts, parts.clock.now())
  }
  await recordMandate(trx, parts, walletId, 'wallet.mandate-started', {
    actor: wanted.actor,
    data: { ...amounts, first, method: wanted.method },
  })
  return paymentId
}

/** Cents paid with the set-up, less pending payments. */
export async function firstPayment(
  trx: Db,
  { clock }: Pick<AutoPaymentParts, 'clock'>,
  account: PayingAccount,
  { amount, threshold }: Amounts,
): Promise<number> {
  if (account.balance >= threshold || account.discount >= 100) return 0
  const { hasPending } = await readCharges(trx, account.walletId, clock.now())
  return hasPending ? 0 : amount
}

/**
 * Retries the set-up with the wallet's amounts, without a first payment. Continues a stored one that was never
 * sent to the provider; reference api-billing-admin §5.
 */
export async function beginAgain(
  parts: AutoPaymentParts,
  wanted: Omit<WantedSetup, 'paysAtOnce'>,
  conversation: Conversation,
): Promise<HandOff> {
  const waiting = await waitingSetup(parts.db, wanted.walletId)
  const isSame = waiting?.methodId === wanted.method
  const paymentId = isSame
    ? waiting.paymentId
    : await parts.db
        .transaction()
        .execute((trx) => prepareSetup(trx, parts, { ...wanted, paysAtOnce: false }))
  return askProvider(parts, paymentId, conversation)
}

/** The latest stored set-up without a successful request to a provider. */
async function waitingSetup(db: Db, walletId: string) {
  const [newest] = await openSetups(db, walletId)
  return newest?.providerId === null ? newest : undefined
}

/** Auto-payment for new accounts in mandate mode. */
export function newAccountMandates(parts: AutoPaymentParts): NewAccountMandates {
  return {
    get isOffered() {
      return parts.providers.ofNewCustomers !== undefined
    },

    async prepareMandate(trx: Db, { walletId, amount, balance }: NewAccountMandate) {
      const provider = await parts.providers.require(trx, walletId)
      await prepareSetup(trx, parts, {
        walletId,
        provider: provider.name,
        method: 'creditcard',
        amounts: { amount, threshold: balance },
        paysAtOnce: false,
        actor: {},
      })
    },

    async beginMandate(walletId, { language }) {
      // a repeated sign-up sends the request again: the provider returns the same payment
      const [waiting] = await openSetups(parts.db, walletId)
      if (waiting === undefined) throw new NotFound()
      const returnUrl = `${parts.config.APP_URL}/payment/status`
      return askProvider(parts, waiting.paymentId, { returnUrl, language })
    },
  }
}
