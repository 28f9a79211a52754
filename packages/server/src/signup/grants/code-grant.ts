import { type Plan, readPlans } from '../../subscriptions/plan-store.ts'
import type { SignupParts } from '../parts.ts'
import { SignupCodeInvalid } from '../signup-code.ts'
import type { SignupCode } from '../signup-code-store.ts'
import type { Grant } from './grant.ts'
import { countToken } from './token-store.ts'

/** Verifies the pair of codes from the first step. Throws SignupCodeInvalid; throttles wrong guesses. */
export async function verifiedCode(
  { throttle, codes, tenantId }: SignupParts,
  pair: { readonly code: string; readonly shortCode: string },
  ip: string,
): Promise<SignupCode> {
  return throttle.guard(
    { kind: 'signup-code', account: pair.code, ip },
    (error) => error instanceof SignupCodeInvalid,
    () => codes.verify(tenantId, pair.code, pair.shortCode, ip),
  )
}

/** Returns the plan the code was created for. Plans in later requests are ignored. */
export async function planOfCode(parts: SignupParts, code: SignupCode): Promise<Plan> {
  const plan = (await readPlans(parts.db, parts.tenantId)).find((item) => item.id === code.planId)
  if (plan === undefined) throw new SignupCodeInvalid()
  return plan
}

/** Grant by code: the data of the first step, and a token if it had one. */
export async function grantByCode(
  parts: SignupParts,
  pair: { readonly code: string; readonly shortCode: string },
  ip: string,
): Promise<Grant> {
  const code = await verifiedCode(parts, pair, ip)
  return {
    plan: await planOfCode(parts, code),
    hasFirstStep: true,
    externalEmail: code.email,
    firstName: code.firstName,
    lastName: code.lastName,
    token: code.token,
    referral: code.referral,
    async consume(trx) {
      await parts.codes.consume(trx, code.id, ip)
      if (code.token !== null) await countToken(trx, parts.tenantId, code.token, parts.clock.now())
    },
    belongsTo: (trx, userId) => parts.codes.belongsTo(trx, code.id, userId),
  }
}
