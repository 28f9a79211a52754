import { followPayments } from './auto-payment/follow-payments.ts'
import type { MandateParts } from './auto-payment/parts.ts'
import type { PaymentFollower } from './payments/payment-parts.ts'
import { followReferrals } from './referrals/award.ts'

/** Payment effects in this order, however the provider's status is learned. */
export function paymentFollowers(parts: MandateParts): PaymentFollower[] {
  return [followPayments(parts), followReferrals(parts)]
}
