import { audit } from '../../../platform/audit.ts'
import { HttpError, message, NotFound } from '../../../platform/http/errors.ts'
import { holdWallet } from '../../../subscriptions/entitlement-store.ts'
import type { PaymentParts } from '../payment-parts.ts'
import { holdPayment, readPayer, readReversals } from '../payment-store.ts'
import { proportion } from '../proportion.ts'
import { settle } from './settle.ts'

/** Nothing was received, or the rest is less than the refund (422). */
export class RefundTooLarge extends HttpError {
  constructor() {
    super(422, message('payment.refund-refused'))
  }
}

/**
 * Refunds a payment or a part of it, in cents of the wallet's currency; defaults to the rest. The wallet is
 * debited by what the provider then reports. Returns the refund in minor units of the payment's currency. A
 * repeated call before the first one is booked is the same refund. Throws NotFound, RefundTooLarge,
 * PaymentRefused, ProviderUnavailable.
 */
export async function refundPayment(
  parts: PaymentParts,
  paymentId: string,
  cents?: number,
): Promise<{ readonly amount: number; readonly currency: string }> {
  // includes reversals made meanwhile
  const current = await settle(parts, paymentId)
  if (current === undefined) throw new NotFound()
  const refund = await parts.db.transaction().execute(async (trx) => {
    await holdWallet(trx, current.walletId)
    const payment = await holdPayment(trx, current.id)
    if (payment?.status !== 'paid' || payment.providerId === null) throw new RefundTooLarge()
    const gone = (await readReversals(trx, payment.id)).reduce((sum, row) => sum - row.currencyAmount, 0)
    const left = payment.currencyAmount - gone
    const amount = cents === undefined ? left : proportion(payment.currencyAmount, cents, payment.amount)
    if (amount <= 0 || amount > left || (cents ?? 0) > payment.amount) throw new RefundTooLarge()
    const { provider, currency } = payment
    return { amount, currency, provider, providerId: payment.providerId, key: `${payment.id}-${gone}` }
  })
  const provider = parts.providers.named(refund.provider)
  if (provider === undefined) throw new NotFound()
  await provider.refund(refund.providerId, refund.amount, refund.key)
  const payer = await readPayer(parts.db, current.walletId)
  await audit(parts.db, parts.clock, {
    tenantId: payer.tenantId,
    objectType: 'user',
    objectId: payer.ownerId,
    event: 'payment.refunded',
    actor: {},
    data: { payment: current.id, amount: refund.amount, currency: refund.currency },
  })
  await settle(parts, current.id)
  return refund
}
