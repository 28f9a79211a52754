import type { SessionResponse } from '@gatehouse/contract/sessions'
import type { signupRoutes } from '@gatehouse/contract/signup'
import type { z } from 'zod'
import { parseEmailAddress } from '../accounts/email-address.ts'
import type { Config } from '../config.ts'
import { publicDomains } from '../directory/domain-store.ts'
import type { Hasher } from '../passwords/hasher.ts'
import { newPasswordErrors } from '../passwords/new-password.ts'
import type { PasswordPolicy } from '../passwords/password-policy.ts'
import type { Clock } from '../platform/clock.ts'
import type { Db } from '../platform/db/database.ts'
import type { Api, RequestFacts } from '../platform/http/api.ts'
import { type FieldMessages, message, NotFound, ValidationError } from '../platform/http/errors.ts'
import type { Jobs } from '../platform/jobs/jobs.ts'
import { perAddress, perSubject, type Throttle } from '../platform/throttle/throttle.ts'
import type { Locator } from '../sessions/location.ts'
import type { TokenPair, Tokens } from '../sessions/tokens.ts'
import { findPlan, isDomainPlan, type Plan, readPlans } from '../subscriptions/plans.ts'
import { checkAccountName } from './account-name.ts'
import { createAccount } from './create-account.ts'
import { presentPlan } from './present.ts'
import { type SignupCode, SignupCodeInvalid, type SignupCodes } from './signup-code.ts'
import { signupMailJob } from './signup-mail.ts'
import { findVoucher, type Voucher } from './voucher.ts'

export interface SignupParts {
  readonly config: Config
  readonly db: Db
  readonly clock: Clock
  readonly jobs: Jobs
  readonly hasher: Hasher
  readonly throttle: Throttle
  readonly tokens: Tokens
  readonly locator: Locator
  readonly codes: SignupCodes
  readonly systemPolicy: PasswordPolicy
  /** The tenant that this installation signs people up for. */
  readonly tenantId: number
  readonly answer: (userId: number, tokens: TokenPair, request: RequestFacts) => Promise<SessionResponse>
}

type AccountInput = z.output<(typeof signupRoutes)['POST /api/auth/signup']['body']>

/** Sign-up with an e-mail address that is proved by a code; reference api-auth §13. */
export function serveSignup(api: Api, parts: SignupParts): void {
  const { db, tenantId, codes, throttle } = parts

  const domainsOnOffer = async () => {
    const domains = await publicDomains(db, tenantId)
    const own = domains.find((name) => name === parts.config.domain)
    return { domains, domain: own ?? domains[0] ?? null }
  }

  const verified = (code: string, shortCode: string, ip: string) =>
    throttle.guard(
      [
        { rule: perSubject('signup-code'), subject: code },
        { rule: perAddress('signup-code'), subject: ip },
      ],
      (error) => error instanceof SignupCodeInvalid,
      () => codes.verify(tenantId, code, shortCode, ip),
    )

  const isOffered = parts.config.APP_WITH_SIGNUP

  api.serve(
    'GET /api/auth/signup/plans',
    async ({ language, t }) => {
      const plans = (await readPlans(db, tenantId)).filter((plan) => !plan.hidden && plan.mode === 'email')
      const shown = plans.map((plan) => presentPlan(plan, parts.config.APP_CURRENCY, language, t))
      return { status: 'success', plans: shown }
    },
    { isOffered },
  )

  api.serve(
    'GET /api/auth/signup/domains',
    async () => ({ status: 'success', ...(await domainsOnOffer()) }),
    { isOffered },
  )

  api.serve(
    'POST /api/auth/signup/init',
    async ({ body, ip, language, userAgent }) => {
      const plan = await knownPlan(parts, body.plan)
      const email = await usableEmail(parts, body.email, ip)
      const errors = {
        ...(plan === undefined && { plan: [message('validation.required')] }),
        ...(email === undefined && { email: [message('validation.emailinvalid')] }),
        // programmes of referral do not exist yet, so no code can be one of theirs
        ...(body.referral != null && { referral: message('validation.referralcodeinvalid') }),
      }
      if (plan === undefined || email === undefined || body.referral != null)
        throw new ValidationError(errors)
      await throttle.spend([
        { rule: perSubject('signup-init'), subject: email },
        { rule: { ...perAddress('signup-init'), free: 100 }, subject: ip },
      ])
      const code = await db.transaction().execute(async (trx) => {
        const made = await codes.make(trx, {
          tenantId,
          planId: plan.id,
          email,
          firstName: body.first_name ?? null,
          lastName: body.last_name ?? null,
          voucher: body.voucher ?? null,
          referral: null,
          language,
          ip,
          userAgent,
        })
        await parts.jobs.enqueue(trx, signupMailJob, { id: made.id })
        return made.code
      })
      return {
        status: 'success',
        code,
        mode: plan.mode,
        is_domain: isDomainPlan(plan),
        ...(await domainsOnOffer()),
      }
    },
    { isOffered, alsoCheck: missingEmail },
  )

  api.serve(
    'POST /api/auth/signup/verify',
    async ({ body, ip }) => {
      const code = await verified(body.code, body.short_code, ip)
      const plan = await planOfCode(parts, code)
      return {
        status: 'success',
        email: code.email,
        first_name: code.firstName,
        last_name: code.lastName,
        voucher: code.voucher,
        is_domain: isDomainPlan(plan),
        plan: plan.title,
        ...(await domainsOnOffer()),
      }
    },
    { isOffered },
  )

  const alsoCheck = (input: Record<string, unknown>) => {
    // invitations come with a mode of sign-up of their own; as long as there is none, none is known
    if (typeof input.invitation === 'string') throw new NotFound()
    return {
      ...newPasswordErrors(parts.systemPolicy, asText(input.password), asText(input.password_confirmation)),
      ...(input.token == null && missingCodes(input)),
    }
  }

  /** Everything that the last step checks, in the order of the reference. */
  const check = async (input: AccountInput, ip: string) => {
    // tokens come with a mode of their own too
    if (input.token != null) throw ValidationError.at('token', 'validation.signuptokeninvalid')
    const code = await verified(input.code ?? '', input.short_code ?? '', ip)
    const plan = await planOfCode(parts, code)
    const voucher = await usableVoucher(parts, input.voucher, ip)
    const name = await checkAccountName(db, tenantId, input, isDomainPlan(plan), parts.config)
    return { code, plan, voucher, name }
  }

  api.serve(
    'POST /api/auth/signup/validate',
    async ({ body, ip }) => {
      await check(body, ip)
      return { status: 'success' }
    },
    { isOffered, alsoCheck },
  )

  api.serve(
    'POST /api/auth/signup',
    async ({ body, ...request }) => {
      const { code, plan, voucher, name } = await check(body, request.ip)
      const passwordHash = await parts.hasher.hash(body.password)
      const { userId, tokens } = await db.transaction().execute(async (trx) => {
        await codes.consume(trx, code.id, request.ip)
        const id = await createAccount(trx, parts.clock, {
          tenantId,
          name,
          passwordHash,
          plan,
          voucher,
          externalEmail: code.email,
          firstName: code.firstName,
          lastName: code.lastName,
          country: parts.locator.country(request.ip) ?? 'CH',
          currency: parts.config.APP_CURRENCY,
          language: request.language,
          ip: request.ip,
        })
        await codes.belongsTo(trx, code.id, id)
        return { userId: id, tokens: await parts.tokens.begin(trx, id, request) }
      })
      return parts.answer(userId, tokens, request)
    },
    { isOffered, alsoCheck },
  )
}

function asText(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

function missingEmail(input: Record<string, unknown>): Record<string, FieldMessages> {
  return input.email == null ? { email: [message('validation.required')] } : {}
}

function missingCodes(input: Record<string, unknown>) {
  const missing = ['code', 'short_code'].filter((name) => input[name] == null)
  return Object.fromEntries(missing.map((name) => [name, [message('validation.required')]]))
}

/** The plan of that title in the mode that this sign-up has. */
async function knownPlan(parts: SignupParts, title: string): Promise<Plan | undefined> {
  const plan = await findPlan(parts.db, parts.tenantId, title)
  return plan?.mode === 'email' ? plan : undefined
}

/** The plan that the code was made for. What a later request says about plans is not asked. */
async function planOfCode(parts: SignupParts, code: SignupCode): Promise<Plan> {
  const plan = (await readPlans(parts.db, parts.tenantId)).find((item) => item.id === code.planId)
  if (plan === undefined) throw new SignupCodeInvalid()
  return plan
}

/** An address that a code can be mailed to. All refusals look alike on purpose; reference api-auth §13.9. */
async function usableEmail(
  parts: SignupParts,
  email: string | null | undefined,
  ip: string,
): Promise<string | undefined> {
  const address = parseEmailAddress(email ?? '')
  if (address === undefined) return undefined
  const { SIGNUP_LIMIT_EMAIL: perEmail, SIGNUP_LIMIT_IP: perIp } = parts.config
  if (perEmail > 0 && (await parts.codes.countOpen('email', address.full)) >= perEmail) return undefined
  if (perIp > 0 && (await parts.codes.countOpen('ip', ip)) >= perIp) return undefined
  return address.full
}

/** The voucher that was typed in; guesses are throttled. */
async function usableVoucher(
  parts: SignupParts,
  code: string | null | undefined,
  ip: string,
): Promise<Voucher | undefined> {
  if (code == null) return undefined
  return parts.throttle.guard(
    [{ rule: perAddress('voucher'), subject: ip }],
    (error) => error instanceof ValidationError,
    async () => {
      const voucher = await findVoucher(parts.db, parts.tenantId, code)
      if (voucher === undefined) throw ValidationError.at('voucher', 'validation.voucherinvalid')
      return voucher
    },
  )
}
