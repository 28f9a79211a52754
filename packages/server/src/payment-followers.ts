import type { BookParts } from './billing/book.ts'
import type { PaymentFollower } from './billing/payments/payment-parts.ts'
import { followReferrals } from './billing/referrals/award.ts'

/** What else happens with payments, in this order, whoever brings them to what their provider says. */
export function paymentFollowers(parts: BookParts): PaymentFollower[] {
  return [followReferrals(parts)]
}
