import type { PaymentAction, PaymentPreview } from '@gatehouse/contract/billing/payments'
import { ValidationError } from '../../platform/http/errors.ts'
import { leastAmountOf } from '../auto-payment/account-facts.ts'
import { readPayingAccount } from '../auto-payment/mandate-store.ts'
import type { AutoPaymentParts } from '../auto-payment/parts.ts'
import { firstPayment } from '../auto-payment/set-up.ts'
import { toppedUpBy } from '../auto-payment/top-up.ts'
import { readAmount } from '../payments/amount.ts'
import { vatOfWallet } from '../payments/begin-payment.ts'
import type { PaymentMethods } from '../payments/methods.ts'
import { type ChargeTerms, chargeOf, exchangeOf, leastPayable } from '../payments/payment-charge.ts'
import { outlookOf } from '../wallet/wallet-page.ts'
import type { WalletRecord } from '../wallet/wallet-store.ts'
import { suggestedAmounts } from './suggested-amounts.ts'

export interface PaymentPreviewParts {
  readonly payments: AutoPaymentParts
  readonly methods: PaymentMethods
}

/** An amount in major units as sent; absent or null if not entered yet. */
type Given = number | string | null | undefined

/**
 * What paying an amount by a method charges. Without a charge for amounts that the payment would reject,
 * because the form shows those errors. Throws ValidationError for an unavailable method.
 */
export async function previewPayment(
  { payments, methods }: PaymentPreviewParts,
  wallet: WalletRecord,
  { amount, methodId }: { readonly amount?: Given; readonly methodId?: string | null | undefined },
): Promise<PaymentPreview> {
  const { db, providers, config } = payments
  const { currency } = wallet
  const provider = await providers.require(db, wallet.id)
  const offered = await methods.onOffer(provider, 'oneoff', currency)
  const method = offered.find(({ id }) => id === (methodId ?? 'creditcard'))
  if (method === undefined) throw ValidationError.at('methodId', 'payment.method-refused')
  const vat = await vatOfWallet(payments, wallet.id)
  const minimum = leastPayable(method, currency)
  const wanted = within(amount, minimum, config.PAYMENT_MAX_AMOUNT)
  const terms = { currency, vat, exchange: exchangeOf(method, currency) }
  const { outlook } = await outlookOf(payments, wallet)
  return {
    ...present(wallet, minimum, wanted, terms),
    isAtOnce: true,
    suggestions: suggestedAmounts(outlook, minimum),
  }
}

/** What each top-up would charge with these amounts, and whether the first one follows immediately. */
export async function previewTopUp(
  { payments }: PaymentPreviewParts,
  wallet: WalletRecord,
  wish: {
    readonly action: Exclude<PaymentAction, 'pay'>
    readonly amount?: Given
    readonly balance?: Given
  },
): Promise<PaymentPreview> {
  const { db, config } = payments
  const account = await readPayingAccount(db, wallet.id)
  const { amount: minimum } = await leastAmountOf(db, account)
  const most = config.PAYMENT_MAX_AMOUNT
  const amount = within(wish.amount, minimum, Math.max(most, minimum))
  const threshold = within(wish.balance, 0, most)
  const vat = await vatOfWallet(payments, wallet.id)
  const isAtOnce =
    amount !== undefined &&
    threshold !== undefined &&
    (wish.action === 'set-up'
      ? (await firstPayment(db, payments, account, { amount, threshold })) > 0
      : await toppedUpBy(payments, wallet.id, { amount, threshold }))
  return {
    ...present(wallet, minimum, amount, { currency: wallet.currency, vat }),
    isAtOnce,
    suggestions: [],
  }
}

/** The amount in cents; undefined if it is out of range. */
function within(given: Given, least: number, most: number): number | undefined {
  const cents = given == null ? undefined : readAmount(given)
  return cents === undefined || cents < least || cents > most ? undefined : cents
}

function present(
  wallet: WalletRecord,
  minimum: number,
  amount: number | undefined,
  terms: ChargeTerms,
): Pick<PaymentPreview, 'currency' | 'minimum' | 'vat' | 'charge'> {
  const charge = amount === undefined ? undefined : chargeOf(amount, terms)
  return {
    currency: wallet.currency,
    minimum,
    ...(terms.vat !== undefined && { vat: terms.vat }),
    charge: charge === undefined ? null : { ...charge, balance: wallet.balance + charge.credit },
  }
}
