import {
  findReferralOffer,
  isAddressOfAccount,
  type ReferralOffer,
} from '../../billing/referrals/referral-store.ts'
import { ValidationError } from '../../platform/http/errors.ts'
import type { SignupParts } from '../parts.ts'
import type { Grant } from './grant.ts'

/** The code belongs to no active referral programme of the tenant. */
export class ReferralCodeInvalid extends ValidationError {
  constructor() {
    super({ referral: { key: 'validation.referralcodeinvalid' } })
  }
}

/** Validates the code that was typed or came with the URL. Throws ReferralCodeInvalid; throttles guesses. */
export async function usableReferral(
  { db, tenantId, throttle, clock }: SignupParts,
  code: string,
  ip: string,
): Promise<ReferralOffer> {
  return throttle.guard(
    { kind: 'referral', ip },
    (error) => error instanceof ReferralCodeInvalid,
    async () => {
      const offer = await findReferralOffer(db, tenantId, code, clock.now())
      if (offer === undefined) throw new ReferralCodeInvalid()
      return offer
    },
  )
}

/**
 * Returns the referral of a sign-up, in every mode. Ignores a code from the first step whose programme has
 * since ended, and silently the user's own code: the response must not reveal whose code it is.
 */
export async function referralOf(
  parts: SignupParts,
  grant: Grant,
  typed: string | null | undefined,
  ip: string,
): Promise<ReferralOffer | undefined> {
  const { db, tenantId, clock } = parts
  const offer =
    grant.referral !== null
      ? await findReferralOffer(db, tenantId, grant.referral, clock.now())
      : typed == null
        ? undefined
        : await usableReferral(parts, typed, ip)
  if (offer === undefined || grant.externalEmail === null) return offer
  return (await isAddressOfAccount(db, offer.userId, grant.externalEmail)) ? undefined : offer
}
