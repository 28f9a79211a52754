import { z } from 'zod'
import { revisionInput } from '../directory/directory.ts'
import { successEnvelope, wireDate } from '../envelope.ts'
import { pagedList, pageQuery } from '../list.ts'
import { defineRoutes } from '../route.ts'
import { staffHosts } from './staff.ts'
import { lineInput, localisedText, paragraphInput, plainLine } from './tenant-catalogue.ts'

/** Why a public domain isn't verified yet. */
export const publicDomainFailures = ['absent', 'different', 'alias', 'unreachable'] as const

/** A domain in which a tenant's customers can sign up. */
export const publicDomain = z.object({
  /** Lower case, in ASCII (Punycode). */
  name: z.string(),
  /**
   * `waiting`: its DNS record hasn't been found yet. `closed`: users keep their addresses, but no new ones can
   * be created.
   */
  state: z.enum(['waiting', 'open', 'closed']),
  /** Why the last check failed; null if there was none, or if it is verified. */
  reason: z.enum(publicDomainFailures).nullable(),
  checked_at: wireDate.nullable(),
  created_at: wireDate,
  /** The record that verifies it; null if it is verified. */
  record: z.object({ type: z.literal('TXT'), name: z.string(), value: z.string() }).nullable(),
})

export type PublicDomain = z.infer<typeof publicDomain>

export const tokenStates = ['usable', 'used-up', 'expired', 'revoked'] as const

/** A token that opens a plan in token mode. */
export const signupToken = z.object({
  /** Upper case. */
  token: z.string(),
  /** Title and name of its plan. */
  plan: z.object({ title: z.string(), name: z.string() }),
  /** Number of accounts created with it, and the maximum; null if unlimited. */
  used: z.number().int(),
  limit: z.number().int().nullable(),
  /** Expiry date; null if it doesn't expire. */
  expires_at: wireDate.nullable(),
  created_at: wireDate,
  state: z.enum(tokenStates),
})

export type SignupToken = z.infer<typeof signupToken>

/** Maximum tokens created per request. */
export const maxNewTokens = 1000

/** A referral programme as shown to its managers. */
export const managedProgram = z.object({
  id: z.uuid(),
  name: z.string(),
  names: localisedText,
  descriptions: localisedText,
  /** Award for the referrer, and the amount that the new customer must have paid first, in cents. */
  award: z.number().int(),
  threshold: z.number().int(),
  /** Discount for the new customer; null if none. */
  discount: z.object({ id: z.uuid(), percent: z.number().int() }).nullable(),
  /** If false, no one can sign up with it; existing referrals are still awarded. */
  active: z.boolean(),
  /** Number of accounts that signed up through it, and of those that were awarded. */
  accounts: z.number().int(),
  awarded: z.number().int(),
  revision: z.string(),
})

export type ManagedProgram = z.infer<typeof managedProgram>

const amount = z.number().int().min(0).max(100_000_000)

export const programInput = z.object({
  name: lineInput,
  description: paragraphInput,
  award: amount,
  threshold: amount,
  discount: z.string().max(64).nullish(),
  active: z.boolean(),
  revision: revisionInput,
})

const staff = { auth: 'token', openTo: [], hosts: staffHosts, tag: 'Tenants' } as const
const params = z.object({ id: z.string() })
const domainParams = z.object({ id: z.string(), domain: z.string() })
const readErrors = [401, 403, 404] as const
const writeErrors = [401, 403, 404, 409, 422] as const

export const tenantSignUpRoutes = defineRoutes({
  'GET /api/v4/tenants/{id}/public-domains': {
    ...staff,
    summary: 'List domains in which users can sign up with a tenant, including unconfirmed ones',
    params,
    ok: z.object({ list: z.array(publicDomain), canConfirm: z.boolean(), signupUrl: z.string().nullable() }),
    errors: readErrors,
  },
  'POST /api/v4/tenants/{id}/public-domains': {
    ...staff,
    stepUp: true,
    summary: 'Request a public domain, which must be confirmed by a DNS record',
    params,
    body: z.object({ domain: z.string().max(191) }),
    ok: successEnvelope.extend({ domain: publicDomain }),
    errors: writeErrors,
  },
  'POST /api/v4/tenants/{id}/public-domains/{domain}/check': {
    ...staff,
    summary: 'Check the DNS record that proves a public domain',
    params: domainParams,
    body: z.object({}),
    ok: z.object({ status: z.enum(['success', 'error']), message: z.string() }),
    errors: writeErrors,
  },
  'POST /api/v4/tenants/{id}/public-domains/{domain}/confirm': {
    ...staff,
    hosts: ['admin'],
    stepUp: true,
    summary: 'Confirm a public domain without a DNS record',
    params: domainParams,
    body: z.object({ reason: plainLine(255).min(1) }),
    ok: successEnvelope,
    errors: writeErrors,
  },
  'PUT /api/v4/tenants/{id}/public-domains/{domain}': {
    ...staff,
    stepUp: true,
    summary: 'Close or reopen a public domain for sign-up; users keep their addresses',
    params: domainParams,
    body: z.object({ open: z.boolean() }),
    ok: successEnvelope,
    errors: writeErrors,
  },
  'DELETE /api/v4/tenants/{id}/public-domains/{domain}': {
    ...staff,
    stepUp: true,
    summary: 'Delete an unconfirmed public domain',
    params: domainParams,
    ok: successEnvelope,
    errors: writeErrors,
  },
  'GET /api/v4/tenants/{id}/signup-tokens': {
    ...staff,
    summary: 'List sign-up tokens of a tenant, newest first',
    params,
    query: pageQuery.extend({ search: z.string().max(191).nullish(), state: z.enum(tokenStates).nullish() }),
    ok: pagedList(signupToken).extend({ page: z.number().int() }),
    errors: [...readErrors, 422],
  },
  'POST /api/v4/tenants/{id}/signup-tokens': {
    ...staff,
    stepUp: true,
    summary: 'Create sign-up tokens for a plan in token mode: a number of generated ones, or the given ones',
    params,
    body: z.object({
      /** ID of the plan. */
      plan: z.string().max(64),
      count: z.number().int().min(1).max(maxNewTokens).nullish(),
      tokens: z.array(z.string().max(191)).max(maxNewTokens).nullish(),
      /** Maximum accounts per token; unlimited if absent. */
      limit: z.number().int().min(1).max(1_000_000_000).nullish(),
      /** Last day, `YYYY-MM-DD`. */
      lastDay: z.iso.date().nullish(),
    }),
    ok: successEnvelope.extend({ tokens: z.array(z.string()) }),
    errors: writeErrors,
  },
  'DELETE /api/v4/tenants/{id}/signup-tokens/{token}': {
    ...staff,
    stepUp: true,
    summary: 'Revoke a sign-up token; accounts created with it remain',
    params: z.object({ id: z.string(), token: z.string() }),
    ok: successEnvelope,
    errors: writeErrors,
  },
  'GET /api/v4/tenants/{id}/referral-programs': {
    ...staff,
    summary: 'List referral programmes of a tenant, oldest first',
    params,
    ok: z.object({ currency: z.string(), list: z.array(managedProgram) }),
    errors: readErrors,
  },
  'POST /api/v4/tenants/{id}/referral-programs': {
    ...staff,
    stepUp: true,
    summary: 'Create a referral programme',
    params,
    body: programInput.omit({ revision: true }),
    ok: successEnvelope.extend({ id: z.uuid() }),
    errors: writeErrors,
  },
  'PUT /api/v4/tenants/{id}/referral-programs/{program}': {
    ...staff,
    stepUp: true,
    summary: "Change or pause a referral programme; rewards already earned don't change",
    params: z.object({ id: z.string(), program: z.string() }),
    body: programInput,
    ok: successEnvelope,
    errors: writeErrors,
  },
})
