import {
  findReferralOffer,
  isAddressOfAccount,
  type ReferralOffer,
} from '../../billing/referrals/referral-store.ts'
import { ValidationError } from '../../platform/http/errors.ts'
import type { SignupParts } from '../parts.ts'
import type { Grant } from './grant.ts'

/** The code belongs to no active programme of the tenant. */
export class ReferralCodeInvalid extends ValidationError {
  constructor() {
    super({ referral: { key: 'validation.referralcodeinvalid' } })
  }
}

/** The code that was typed in or came with the address. Throws ReferralCodeInvalid; guesses are slowed down. */
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
 * By whom somebody comes, in every mode. A code of the first step that is no longer good, as the programme has ended
 * since, is left out; so is one's own, which the answer does not tell: whose code it is must not be found out so.
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
