import type { Api } from '../platform/http/api.ts'
import { HttpError } from '../platform/http/errors.ts'
import { readPlans } from '../subscriptions/plan-store.ts'
import { isDomainPlan } from '../subscriptions/plans.ts'
import { publicDomains } from '../users/addresses/domain-store.ts'
import { presentCheckout } from './checkout.ts'
import { checkLastStep, finish, finishMade, offerOf } from './final-step.ts'
import { checkFirstStep, makeCode } from './first-step.ts'
import { planOfCode, verifiedCode } from './grants/code-grant.ts'
import { openInvitation, partsAt, partsOfInvited } from './grants/invitation-grant.ts'
import { usableVoucher } from './grants/voucher.ts'
import { isPayable, type SignupParts } from './parts.ts'
import { presentPlan } from './present.ts'
import { SignupNumbers } from './signup-numbers.ts'

/** Sign-up in steps, in every mode; reference api-auth §13. */
export function serveSignup(api: Api, installation: SignupParts): void {
  const { db, config } = installation
  const numbers = new SignupNumbers(installation.metrics)
  const isOffered = config.APP_WITH_SIGNUP

  const domainsOnOffer = async ({ tenantId }: SignupParts) => {
    const domains = await publicDomains(db, tenantId)
    const own = domains.find((name) => name === config.domain)
    return { domains, domain: own ?? domains[0] ?? null }
  }

  api.serve(
    'GET /api/auth/signup/plans',
    async ({ query, language, t, ...request }) => {
      const { ip } = request
      const local = await partsOfInvited(await partsAt(installation, request), query.invitation)
      const plans = (await readPlans(db, local.tenantId)).filter(
        (plan) => !plan.hidden && isPayable(local, plan),
      )
      const voucher = await usableVoucher(local, query.voucher, ip).catch((error: unknown) => {
        // plans are still shown; the last step reports what is wrong with the voucher
        if (error instanceof HttpError) return undefined
        throw error
      })
      const offer = { currency: local.currency, discount: voucher?.discount ?? 0 }
      const shown = plans.map((plan) => presentPlan(plan, offer, { language, t }))
      return { status: 'success', plans: shown, discount: voucher?.discount ?? null }
    },
    { isOffered },
  )

  api.serve(
    'GET /api/auth/signup/domains',
    async ({ query, ...request }) => ({
      status: 'success',
      ...(await domainsOnOffer(await partsOfInvited(await partsAt(installation, request), query.invitation))),
    }),
    { isOffered },
  )

  api.serve(
    'GET /api/auth/signup/invitations/{id}',
    async ({ params, ...request }) => {
      const parts = await partsAt(installation, request)
      const { id, firstName, lastName } = await openInvitation(parts, params.id)
      return { id, first_name: firstName, last_name: lastName }
    },
    { isOffered },
  )

  api.serveLate(
    'POST /api/auth/signup/init',
    ({ read, ...request }) =>
      numbers.follow('init', async () => {
        const parts = await partsAt(installation, request)
        const introduction = await checkFirstStep(parts, read, request.ip)
        const { plan } = introduction
        return {
          status: 'success',
          ...(await makeCode(parts, introduction, request)),
          mode: plan.mode,
          is_domain: isDomainPlan(plan),
          ...(await domainsOnOffer(parts)),
        }
      }),
    { isOffered },
  )

  api.serve(
    'POST /api/auth/signup/verify',
    ({ body, ...request }) =>
      numbers.follow('verify', async () => {
        const { ip } = request
        const parts = await partsAt(installation, request)
        const code = await verifiedCode(parts, { code: body.code, shortCode: body.short_code }, ip)
        const plan = await planOfCode(parts, code)
        return {
          status: 'success',
          email: code.email ?? code.token,
          first_name: code.firstName,
          last_name: code.lastName,
          voucher: code.voucher,
          is_domain: isDomainPlan(plan),
          plan: plan.title,
          ...(await domainsOnOffer(parts)),
        }
      }),
    { isOffered },
  )

  api.serveLate(
    'POST /api/auth/signup/validate',
    ({ read, ...request }) =>
      numbers.follow('validate', async () => {
        const parts = await partsAt(installation, request)
        const order = await checkLastStep(parts, read, request.ip)
        const offer = await offerOf(order)
        return { status: 'success', ...(offer && presentCheckout(offer, request)) }
      }),
    { isOffered },
  )

  api.serveLate(
    'POST /api/auth/signup',
    ({ read, ...request }) =>
      numbers.follow(
        'finish',
        async () =>
          (await finishMade(installation, read, request)) ??
          finish(await checkLastStep(await partsAt(installation, request), read, request.ip), request),
      ),
    { isOffered, isResumable: true },
  )
}
