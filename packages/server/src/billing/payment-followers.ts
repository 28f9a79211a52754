import { followPayments } from './auto-payment/follow-payments.ts'
import type { MandateParts } from './auto-payment/parts.ts'
import type { PaymentFollower } from './payments/payment-parts.ts'
import { followReferrals } from './referrals/award.ts'

/** What else happens with payments, in this order, whoever brings them to what their provider says. */
export function paymentFollowers(parts: MandateParts): PaymentFollower[] {
  return [followPayments(parts), followReferrals(parts)]
}
