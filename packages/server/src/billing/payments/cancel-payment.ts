import { Conflict, message } from '../../platform/http/errors.ts'
import type { PaymentParts } from './payment-parts.ts'
import type { PaymentRow } from './payment-store.ts'
import { PaymentsNotOffered } from './providers/providers.ts'
import { isPending } from './settlement/look-schedule.ts'
import { settle } from './settlement/settle.ts'

/**
 * Cancels a payment at the provider and returns its resulting state. Throws Conflict if it is already decided,
 * and the provider's PaymentRefused and ProviderUnavailable.
 */
export async function cancelPayment(parts: PaymentParts, payment: PaymentRow): Promise<PaymentRow> {
  // find a payment whose response was lost first
  const known = payment.providerId === null ? await settle(parts, payment.id) : payment
  if (known?.providerId == null || known.refundOf !== null || !isPending(known.status)) {
    throw new Conflict(message('payment.too-late'))
  }
  const provider = parts.providers.named(known.provider)
  if (provider === undefined) throw new PaymentsNotOffered()
  await provider.cancelPayment(known.providerId)
  const after = (await settle(parts, known.id)) ?? known
  // it was paid at the same moment
  if (after.status === 'paid') throw new Conflict(message('payment.too-late'))
  return after
}
