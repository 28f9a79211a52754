import type { signupRoutes } from '@gatehouse/contract/signup'
import type { z } from 'zod'
import type { RequestFacts } from '../platform/http/call.ts'
import { message } from '../platform/http/errors.ts'
import { type Checked, type Errors, type Read, together, unless } from '../platform/http/validation.ts'
import { perAccount, perNetwork } from '../platform/throttle/limits.ts'
import { findPlan, type Plan } from '../subscriptions/plan-store.ts'
import { parseEmailAddress } from '../users/addresses/email-address.ts'
import { ReferralCodeInvalid, usableReferral } from './grants/referral.ts'
import { usableToken } from './grants/token-grant.ts'
import { SignupTokenInvalid } from './grants/token-store.ts'
import { requirePayable, type SignupParts } from './parts.ts'
import { signupMailJob } from './signup-mail.ts'

type InitInput = z.output<(typeof signupRoutes)['POST /api/auth/signup/init']['body']>
type Text = string | null | undefined

/** The validated input of the first step. */
export interface Introduction {
  readonly input: InitInput
  readonly plan: Plan
  /** An address to mail the code to, or a token instead. */
  readonly proof: { readonly email: string } | { readonly token: string }
}

/** Validates the first step; reports all invalid fields at once. */
export async function checkFirstStep(
  parts: SignupParts,
  read: Read<InitInput>,
  ip: string,
): Promise<Introduction> {
  const { body: input, found } = await read(async (fields) => {
    const plan = fields.plan === undefined ? undefined : await findPlan(parts.db, parts.tenantId, fields.plan)
    requirePayable(parts, plan)
    const checkedPlan: Checked<Plan> =
      plan === undefined ? { errors: { plan: [message('validation.required')] } } : { value: plan }
    const proof: Checked<Introduction['proof']> =
      plan?.mode === 'token'
        ? await shownToken(parts, plan, fields.token, ip)
        : await usableEmail(parts, fields.email, ip)
    const referral = unless(await referralErrors(parts, fields.referral, ip), undefined)
    return together({}, { plan: checkedPlan, proof, referral })
  })
  return { input, plan: found.plan, proof: found.proof }
}

/** Creates the code of the last step: mailed to the address, or returned directly for a token. */
export async function makeCode(
  parts: SignupParts,
  { input, plan, proof }: Introduction,
  { ip, language, userAgent }: RequestFacts,
): Promise<{ code: string; short_code?: string }> {
  const { throttle, db, codes, tenantId } = parts
  const limits = { account: perAccount, network: { ...perNetwork, free: 100 } }
  await throttle.spend({ kind: 'signup-init', ip, limits, ...('email' in proof && { account: proof.email }) })
  return db.transaction().execute(async (trx) => {
    const made = await codes.make(trx, {
      tenantId,
      planId: plan.id,
      email: 'email' in proof ? proof.email : null,
      token: 'token' in proof ? proof.token : null,
      firstName: input.first_name ?? null,
      lastName: input.last_name ?? null,
      voucher: input.voucher ?? null,
      referral: input.referral ?? null,
      language,
      ip,
      userAgent,
    })
    if ('token' in proof) return { code: made.code, short_code: made.shortCode }
    await parts.jobs.enqueue(trx, signupMailJob, { id: made.id })
    return { code: made.code }
  })
}

async function shownToken(
  parts: SignupParts,
  plan: Plan,
  token: Text,
  ip: string,
): Promise<Checked<{ token: string }>> {
  if (token == null) return { errors: { token: [message('validation.required')] } }
  try {
    return { value: { token: await usableToken(parts, plan, token, ip) } }
  } catch (error) {
    if (error instanceof SignupTokenInvalid) return { errors: error.fields }
    throw error
  }
}

/** Validates an address for the code. All errors look alike on purpose; reference api-auth §13.9. */
async function usableEmail(parts: SignupParts, email: Text, ip: string): Promise<Checked<{ email: string }>> {
  if (email == null) return { errors: { email: [message('validation.required')] } }
  const refused = { errors: { email: [message('validation.emailinvalid')] } }
  const address = parseEmailAddress(email)
  if (address === undefined) return refused
  const { SIGNUP_LIMIT_EMAIL: perEmail, SIGNUP_LIMIT_IP: perIp } = parts.config
  if (perEmail > 0 && (await parts.codes.countOpen('email', address.full)) >= perEmail) return refused
  if (perIp > 0 && (await parts.codes.countOpen('ip', ip)) >= perIp) return refused
  return { value: { email: address.full } }
}

async function referralErrors(parts: SignupParts, code: Text, ip: string): Promise<Errors> {
  if (code == null) return {}
  try {
    await usableReferral(parts, code, ip)
    return {}
  } catch (error) {
    if (error instanceof ReferralCodeInvalid) return error.fields
    throw error
  }
}
