import type { Plan } from '../../subscriptions/plan-store.ts'
import type { SignupParts } from '../parts.ts'
import type { Grant } from './grant.ts'
import { countToken, findToken, SignupTokenInvalid } from './token-store.ts'

/** Validates a token for a plan. Throws SignupTokenInvalid; throttles guesses. Returns it in upper case. */
export async function usableToken(
  { db, throttle, tenantId, clock }: SignupParts,
  plan: Plan | undefined,
  token: string,
  ip: string,
): Promise<string> {
  return throttle.guard(
    { kind: 'signup-token', ip },
    (error) => error instanceof SignupTokenInvalid,
    async () => {
      const found = await findToken(db, tenantId, token, clock.now())
      if (found === undefined || plan?.mode !== 'token' || found.planId !== plan.id) {
        throw new SignupTokenInvalid()
      }
      return found.token
    },
  )
}

/** Grant by a token alone, without a first step. Nothing else is known about the person. */
export async function grantByToken(
  parts: SignupParts,
  plan: Plan,
  typed: string,
  ip: string,
): Promise<Grant> {
  const token = await usableToken(parts, plan, typed, ip)
  return {
    ...{ plan, token, hasFirstStep: false },
    ...{ externalEmail: null, firstName: null, lastName: null, referral: null },
    consume: (trx) => countToken(trx, parts.tenantId, token, parts.clock.now()),
    belongsTo: async () => {},
  }
}
