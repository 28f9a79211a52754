import { Conflict, message } from '../../platform/http/errors.ts'
import type { PaymentParts } from './payment-parts.ts'
import type { PaymentRow } from './payment-store.ts'
import { PaymentsNotOffered } from './providers/providers.ts'
import { isPending } from './settlement/look-schedule.ts'
import { settle } from './settlement/settle.ts'

/**
 * Asks the provider to cancel a payment and reads what came of that; gives the payment as it is then. Throws Conflict for
 * one that is decided, PaymentRefused and ProviderUnavailable as the provider says.
 */
export async function cancelPayment(parts: PaymentParts, payment: PaymentRow): Promise<PaymentRow> {
  // whose answer was lost is found first
  const known = payment.providerId === null ? await settle(parts, payment.id) : payment
  if (known?.providerId == null || known.refundOf !== null || !isPending(known.status)) {
    throw new Conflict(message('payment.too-late'))
  }
  const provider = parts.providers.named(known.provider)
  if (provider === undefined) throw new PaymentsNotOffered()
  await provider.cancelPayment(known.providerId)
  const after = (await settle(parts, known.id)) ?? known
  // somebody paid in the same moment
  if (after.status === 'paid') throw new Conflict(message('payment.too-late'))
  return after
}
