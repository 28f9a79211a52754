import { z } from 'zod'
import { successStatus } from './envelope.ts'
import { defineRoutes } from './route.ts'
import { longCode, newPassword, shortCode } from './sessions/passwords.ts'
import { checkout, sessionResponse } from './sessions/sessions.ts'

export const planMode = z.enum(['email', 'token', 'mandate'])

export type PlanMode = z.infer<typeof planMode>

export const signupPlan = z.object({
  id: z.uuid(),
  title: z.string(),
  name: z.string(),
  /** Sanitised HTML. */
  button: z.string(),
  /** Sanitised HTML. */
  description: z.string(),
  mode: planMode,
  isDomain: z.boolean(),
  /** Cents per period of `months`, before discounts. */
  cost: z.number().int(),
  /** The same after the voucher's discount. */
  price: z.number().int(),
  currency: z.string(),
  /** Billing period in months: usually 1, 3 or 12. */
  months: z.number().int(),
  /** Free months after sign-up. */
  freeMonths: z.number().int(),
  /** Number of users included in `cost`; more can be added if the plan has a domain. */
  users: z.number().int(),
  /** Subscriptions of each user. */
  includes: z.array(
    z.object({
      title: z.string(),
      name: z.string(),
      quantity: z.number().int(),
      /** Unit of the quantity; null for the subscription itself. */
      unit: z.string().nullable(),
    }),
  ),
})

export type SignupPlan = z.infer<typeof signupPlan>

/** Names in a sign-up: at most 50 characters and no "/", so they can't contain URLs. */
export const signupName = z
  .string()
  .max(50)
  .regex(/^[^/]*$/)
  .nullish()

const accountInput = z.object({
  login: z.string().min(2).max(191),
  domain: z.string().max(191),
  ...newPassword,
  voucher: z.string().max(32).nullish(),
  plan: z.string().max(191).nullish(),
  code: longCode.nullish(),
  short_code: shortCode.nullish(),
  invitation: z.string().max(64).nullish(),
  token: z.string().max(191).nullish(),
  referral: z.string().max(16).nullish(),
  first_name: z.string().max(128).nullish(),
  last_name: z.string().max(128).nullish(),
})

export const signupRoutes = defineRoutes({
  'GET /api/auth/signup/plans': {
    summary: 'List plans on offer, with the discount of a voucher',
    tag: 'Sign-up',
    auth: 'public',
    query: z.object({
      voucher: z.string().max(32).nullish(),
      /** Invited users get the plans of the inviting tenant. */
      invitation: z.string().max(64).nullish(),
    }),
    ok: successStatus.extend({
      plans: z.array(signupPlan),
      /** Percent; null if there is no voucher, or it can't be used. */
      discount: z.number().int().nullable(),
    }),
    errors: [404, 422],
  },
  'GET /api/auth/signup/domains': {
    summary: 'List public domains and the default one',
    tag: 'Sign-up',
    auth: 'public',
    query: z.object({ invitation: z.string().max(64).nullish() }),
    ok: successStatus.extend({ domains: z.array(z.string()), domain: z.string().nullable() }),
    errors: [404, 422],
  },
  'GET /api/auth/signup/invitations/{id}': {
    summary: 'Check whether an invitation can still be used',
    tag: 'Sign-up',
    auth: 'public',
    params: z.object({ id: z.string().max(64) }),
    /** The names are those in the invitation. */
    ok: z.object({ id: z.uuid(), first_name: z.string().nullable(), last_name: z.string().nullable() }),
    errors: [404],
  },
  'POST /api/auth/signup/init': {
    summary: 'Sign-up step 1: submit name and address, and receive a code by e-mail',
    tag: 'Sign-up',
    auth: 'public',
    body: z.object({
      plan: z.string().max(191),
      email: z.string().max(1024).nullish(),
      first_name: signupName,
      last_name: signupName,
      voucher: z.string().max(32).nullish(),
      token: z.string().max(191).nullish(),
      referral: z.string().max(16).nullish(),
    }),
    ok: successStatus.extend({
      code: z.string(),
      short_code: z.string().optional(),
      mode: planMode,
      is_domain: z.boolean(),
      domains: z.array(z.string()),
      domain: z.string().nullable(),
    }),
    /** 403: the plan is paid upfront, but no payment provider is configured. */
    errors: [403, 404, 422, 429],
  },
  'POST /api/auth/signup/verify': {
    summary: 'Sign-up step 2: verify the code',
    tag: 'Sign-up',
    auth: 'public',
    body: z.object({ code: longCode, short_code: shortCode }),
    ok: successStatus.extend({
      email: z.string().nullable(),
      first_name: z.string().nullable(),
      last_name: z.string().nullable(),
      voucher: z.string().nullable(),
      is_domain: z.boolean(),
      plan: z.string(),
      domains: z.array(z.string()),
      domain: z.string().nullable(),
    }),
    errors: [404, 422, 429],
  },
  'POST /api/auth/signup/validate': {
    summary: 'Validate the last sign-up step without creating anything',
    tag: 'Sign-up',
    auth: 'public',
    body: accountInput,
    ok: successStatus.extend(checkout.shape),
    /** 403: as in the last step. */
    errors: [403, 404, 422, 429],
  },
  'POST /api/auth/signup': {
    summary: 'Sign-up step 3: create the account and sign in',
    tag: 'Sign-up',
    auth: 'public',
    body: accountInput,
    ok: sessionResponse,
    /** 403: the plan is paid upfront, but no payment provider is configured. */
    errors: [403, 404, 422, 429],
  },
})
