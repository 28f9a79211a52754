import { z } from 'zod'
import { emailAddress } from '../email-address.ts'
import { successEnvelope, wireDate } from '../envelope.ts'
import { pagedList, pageQuery } from '../list.ts'
import { defineRoutes } from '../route.ts'
import { planMode } from '../signup.ts'
import { staffHosts } from './staff.ts'
import { discountItem } from './staff-views.ts'
import { catalogueContent, offerLimits } from './tenant-catalogue.ts'

/**
 * Tenants: the service itself, tenant 0, and resellers with their own customers; reference api-billing-admin
 * §17. Resellers see only their own; others are a 404.
 */

/** Settings of a tenant. Null inherits the installation's. */
export const tenantSettings = z.object({
  /** The name shown to customers. */
  'app.name': z.string().nullable(),
  'app.url': z.string().nullable(),
  'app.public_url': z.string().nullable(),
  'app.support_url': z.string().nullable(),
  'app.support_email': z.string().nullable(),
  'app.theme': z.string().nullable(),
  'mail.sender.address': z.string().nullable(),
  'mail.sender.name': z.string().nullable(),
  'mail.replyto.address': z.string().nullable(),
  'mail.replyto.name': z.string().nullable(),
})

export type TenantSettings = z.infer<typeof tenantSettings>

/** Limits for all the tenant's customers together; null if unlimited. */
export const tenantLimits = z.object({
  users: z.number().int().nullable(),
  /** Gigabytes of subscribed storage. */
  storage: z.number().int().nullable(),
  /** Fees in cents per month. */
  spend: z.number().int().nullable(),
})

export type TenantLimits = z.infer<typeof tenantLimits>

/** Why a host or domain isn't verified yet. */
export const nameFailures = [
  /** The name has no TXT record yet. */
  'absent',
  /** The name has TXT records, but none with the value. */
  'different',
  /** The name is an alias (CNAME), whose target belongs to someone else. */
  'alias',
  /** No name server responded. */
  'unreachable',
  /** Another tenant uses the host. */
  'taken',
  /** The name is reserved by the installation. */
  'reserved',
] as const

/**
 * A host or domain in a tenant's settings. It takes effect once a DNS TXT record proves that the tenant owns
 * it.
 */
export const tenantName = z.object({
  /** Lower case, in ASCII (Punycode), without a trailing dot. */
  name: z.string(),
  /** The host of `app.url` or `app.public_url`. */
  isHost: z.boolean(),
  /** The domain of `mail.sender.address`. */
  isSender: z.boolean(),
  /** `waiting`: the record wasn't found in the last check. */
  state: z.enum(['unchecked', 'waiting', 'confirmed', 'failed']),
  reason: z.enum(nameFailures).nullable(),
  /** `directory`: a verified domain of the tenant; `parent`: below another verified name. */
  confirmedBy: z.enum(['dns', 'staff', 'directory', 'parent']).nullable(),
  checked_at: wireDate.nullable(),
  confirmed_at: wireDate.nullable(),
  /** The record that verifies it. */
  record: z.object({ type: z.literal('TXT'), name: z.string(), value: z.string() }),
})

export type TenantName = z.infer<typeof tenantName>

export const tenant = z.object({
  id: z.number().int(),
  title: z.string(),
  created_at: wireDate,
  settings: tenantSettings,
  names: z.array(tenantName),
  /** Current sender and reply address of mail to the tenant's customers. */
  sender: z.object({ address: z.string(), isOwn: z.boolean(), replyTo: z.string().nullable() }),
  limits: tenantLimits,
  /** Limits of the tenant's offer; null for the service itself, which has none. */
  offerLimits: offerLimits.nullable(),
  usage: z.object({ users: z.number().int(), storage: z.number().int(), spend: z.number().int() }),
  wallet: z.object({ id: z.uuid(), currency: z.string(), balance: z.number().int() }).nullable(),
  /** Available themes. */
  themes: z.array(z.string()),
  canChangeSettings: z.boolean(),
  canChangeLimits: z.boolean(),
  /** May confirm a host or domain without DNS. */
  canConfirmNames: z.boolean(),
})

export type Tenant = z.infer<typeof tenant>

/** One customer's share of a settlement. */
export const settlementLine = z.object({
  userId: z.number().int(),
  email: z.string(),
  /** Cents charged to the customer, owed to the service, and kept by the tenant. */
  charged: z.number().int(),
  fees: z.number().int(),
  profit: z.number().int(),
})

/** A tenant's earnings in a month. `profit` is the sum of its wallet's commissions. */
export const settlement = z.object({
  /** `YYYY-MM`. */
  period: z.string(),
  currency: z.string(),
  charged: z.number().int(),
  fees: z.number().int(),
  profit: z.number().int(),
  lines: z.array(settlementLine),
})

export type Settlement = z.infer<typeof settlement>

const url = z
  .url({ protocol: /^https?$/ })
  .max(255)
  .nullish()
const line = z
  .string()
  .max(191)
  .regex(/^[^\p{Cc}\p{Cs}]*$/u)
  .nullish()
const address = emailAddress.nullish()
const limit = z.number().int().min(0).max(1_000_000_000).nullish()

const offerLimitsInput = {
  planModes: z.array(planMode).min(1).max(planMode.options.length).nullish(),
  freeMonths: z.number().int().min(0).max(36).nullish(),
  packageDiscount: z.number().int().min(0).max(100).nullish(),
  belowFee: z.boolean().nullish(),
  publicDomains: z.number().int().min(0).max(10_000).nullish(),
  signupTokens: z.number().int().min(0).max(1_000_000).nullish(),
  referralAward: z.number().int().min(0).max(100_000_000).nullish(),
}

const staff = { auth: 'token', hosts: staffHosts, tag: 'Tenants' } as const
const params = z.object({ id: z.string() })
const nameParams = z.object({ id: z.string(), name: z.string() })
const readErrors = [401, 403, 404] as const
const writeErrors = [401, 403, 404, 422] as const

export const tenantRoutes = defineRoutes({
  'GET /api/v4/tenants': {
    ...staff,
    openTo: [],
    summary: 'List tenants by title; resellers see their own',
    query: pageQuery.extend({ search: z.string().max(64).nullish() }),
    ok: pagedList(tenant).extend({ page: z.number().int() }),
    errors: writeErrors,
  },
  'GET /api/v4/tenants/{id}': {
    ...staff,
    openTo: [],
    summary: 'Get a tenant',
    params,
    ok: tenant,
    errors: readErrors,
  },
  'PUT /api/v4/tenants/{id}': {
    ...staff,
    openTo: [],
    summary: "Change settings of a tenant; omitted keys don't change, null removes a value",
    stepUp: true,
    params,
    body: z.object({
      'app.name': line,
      'app.url': url,
      'app.public_url': url,
      'app.support_url': url,
      'app.support_email': address,
      'app.theme': z
        .string()
        .max(32)
        .regex(/^[a-z0-9-]*$/)
        .nullish(),
      'mail.sender.address': address,
      'mail.sender.name': line,
      'mail.replyto.address': address,
      'mail.replyto.name': line,
    }),
    ok: successEnvelope,
    errors: writeErrors,
  },
  'POST /api/v4/tenants/{id}/names/{name}/check': {
    ...staff,
    openTo: [],
    summary: 'Check the DNS record that proves a host or domain in the settings',
    params: nameParams,
    body: z.object({}),
    ok: z.object({ status: z.enum(['success', 'error']), message: z.string(), name: tenantName }),
    errors: writeErrors,
  },
  'POST /api/v4/tenants/{id}/names/{name}/confirm': {
    ...staff,
    openTo: [],
    hosts: ['admin'],
    summary: 'Confirm a host or domain in the settings without a DNS record',
    stepUp: true,
    params: nameParams,
    body: z.object({
      reason: z
        .string()
        .min(1)
        .max(255)
        .regex(/^[^\p{Cc}\p{Cs}]*$/u),
    }),
    ok: successEnvelope,
    errors: writeErrors,
  },
  'PUT /api/v4/tenants/{id}/limits': {
    ...staff,
    openTo: [],
    hosts: ['admin'],
    summary: "Change limits of a tenant; omitted keys don't change, null restores the default",
    params,
    body: z.object({ users: limit, storage: limit, spend: limit, ...offerLimitsInput }),
    ok: successEnvelope,
    errors: writeErrors,
  },
  'GET /api/v4/tenants/{id}/catalogue': {
    ...staff,
    openTo: [],
    summary: 'Get the SKUs, packages, plans and discounts of a tenant',
    params,
    ok: catalogueContent.extend({
      discounts: z.array(discountItem.extend({ active: z.boolean(), wallets: z.number().int() })),
    }),
    errors: readErrors,
  },
  'POST /api/v4/tenants/{id}/discounts': {
    ...staff,
    openTo: [],
    stepUp: true,
    summary: 'Create a discount; with a code, users can claim it at sign-up',
    params,
    body: z.object({
      discount: z.number().int().min(0).max(100),
      description: z
        .string()
        .min(1)
        .max(255)
        .regex(/^[^\p{Cc}\p{Cs}]*$/u),
      code: z
        .string()
        .max(32)
        .regex(/^[A-Za-z0-9_-]*$/)
        .nullish(),
    }),
    ok: successEnvelope.extend({ id: z.uuid() }),
    errors: writeErrors,
  },
  'PUT /api/v4/tenants/{id}/discounts/{discount}': {
    ...staff,
    openTo: [],
    stepUp: true,
    summary: 'Activate or deactivate a discount; wallets that have it keep it',
    params: z.object({ id: z.string(), discount: z.string() }),
    body: z.object({ active: z.boolean() }),
    ok: successEnvelope,
    errors: writeErrors,
  },
  'GET /api/v4/tenants/{id}/settlements': {
    ...staff,
    openTo: [],
    summary: 'List monthly settlements of a tenant, newest first, without their lines',
    params,
    query: pageQuery,
    ok: pagedList(settlement.omit({ lines: true })).extend({ page: z.number().int() }),
    errors: writeErrors,
  },
  'GET /api/v4/tenants/{id}/settlements/{period}': {
    ...staff,
    openTo: [],
    summary: 'Get the settlement of a month (`YYYY-MM`) by customer',
    params: z.object({ id: z.string(), period: z.string() }),
    ok: settlement,
    errors: readErrors,
  },
  'GET /api/v4/tenants/{id}/settlements/{period}/csv': {
    ...staff,
    openTo: [],
    summary: 'Export the settlement of a month as CSV',
    params: z.object({ id: z.string(), period: z.string() }),
    download: 'text/csv',
    ok: z.string(),
    errors: readErrors,
  },
})
