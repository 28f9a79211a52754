import { z } from 'zod'
import { revisionInput } from '../directory/directory.ts'
import { successEnvelope } from '../envelope.ts'
import { defaultLanguage, languages } from '../language.ts'
import { defineRoutes } from '../route.ts'
import { planMode } from '../signup.ts'
import { staffHosts } from './staff.ts'

/**
 * A tenant's offer and sign-up options, within limits set by the service. Price changes apply to new
 * subscriptions: existing ones keep their price.
 */

/** Limits of a tenant's offer; the service itself, tenant 0, has none. */
export const offerLimits = z.object({
  /** Allowed plan modes. */
  planModes: z.array(planMode),
  freeMonths: z.number().int(),
  /** Maximum discount of a package in percent. */
  packageDiscount: z.number().int(),
  /** Whether prices may be lower than the fee that the tenant owes. */
  belowFee: z.boolean(),
  /** Maximum public domains that are open for sign-up or unverified. */
  publicDomains: z.number().int(),
  /** Maximum unused sign-up tokens. */
  signupTokens: z.number().int(),
  /** Maximum award of a referral programme in cents. */
  referralAward: z.number().int(),
})

export type OfferLimits = z.infer<typeof offerLimits>

/** A text by language; missing languages fall back to English. */
export const localisedText = z.partialRecord(z.enum(languages), z.string())

const cents = z.number().int()

/** An SKU that a tenant offers, with the fee that the tenant pays for it. */
export const catalogueSku = z.object({
  id: z.uuid(),
  title: z.string(),
  /** In the language of the response. */
  name: z.string(),
  names: localisedText,
  descriptions: localisedText,
  /** Cents per unit and period. */
  cost: cents,
  /** Cents that the tenant owes for it. */
  fee: cents,
  units_free: z.number().int(),
  period: z.enum(['monthly', 'yearly']),
  handler: z.string(),
  /** Kind of objects that can have it. */
  type: z.string(),
  /** Maximum quantity per object. */
  max: z.number().int(),
  active: z.boolean(),
  revision: z.string(),
})

export const cataloguePackage = z.object({
  id: z.uuid(),
  title: z.string(),
  name: z.string(),
  names: localisedText,
  descriptions: localisedText,
  /** Percentage discount on its SKUs. */
  discountRate: z.number().int(),
  /** Quantity by SKU ID. */
  skus: z.record(z.string(), z.number().int()),
  /** The package is for domains, not for users. */
  isDomain: z.boolean(),
  /** Cents per month. */
  cost: cents,
  /** Titles of the plans that include it. */
  plans: z.array(z.string()),
  revision: z.string(),
})

export const cataloguePlan = z.object({
  id: z.uuid(),
  /** Part of the URL of its sign-up page. */
  title: z.string(),
  name: z.string(),
  names: localisedText,
  descriptions: localisedText,
  mode: planMode,
  months: z.number().int(),
  freeMonths: z.number().int(),
  /** Not listed; available through its URL or a token. */
  hidden: z.boolean(),
  /** IDs of its packages. */
  packages: z.array(z.uuid()),
  /** Cents per period of `months`. */
  cost: cents,
  revision: z.string(),
})

export const catalogueContent = z.object({
  currency: z.string(),
  /** Null for the service itself. */
  limits: offerLimits.nullable(),
  /** A payment provider is configured; without one no plan may require a payment at sign-up. */
  takesPayments: z.boolean(),
  skus: z.array(catalogueSku),
  packages: z.array(cataloguePackage),
  /** In display order. */
  plans: z.array(cataloguePlan),
})

/** A single line without control characters. */
export const plainLine = (longest: number) =>
  z
    .string()
    .max(longest)
    .regex(/^[^\p{Cc}\p{Cs}]*$/u)

/** A line per language, at least in English. */
export const lineInput = z.object({
  ...Object.fromEntries(languages.map((language) => [language, plainLine(100).nullish()])),
  [defaultLanguage]: plainLine(100).min(1),
})

const paragraph = z
  .string()
  .max(4000)
  .regex(/^[^\p{Cs}\0]*$/u)

/** A longer text per language; all are optional. */
export const paragraphInput = z.object(
  Object.fromEntries(languages.map((language) => [language, paragraph.nullish()])),
)

export const skuInput = z.object({
  name: lineInput,
  description: paragraphInput,
  cost: cents.min(0).max(100_000_000),
  active: z.boolean(),
  revision: revisionInput,
})

export const packageInput = z.object({
  name: lineInput,
  description: paragraphInput,
  discountRate: z.number().int().min(0).max(100),
  /** Quantity by SKU ID. */
  skus: z
    .record(z.string().max(64), z.number().int().min(0).max(1000))
    .refine((skus) => Object.keys(skus).length <= 100),
  revision: revisionInput,
})

export const planInput = z.object({
  name: lineInput,
  description: paragraphInput,
  mode: planMode,
  months: z.number().int().min(1).max(36),
  freeMonths: z.number().int().min(0).max(36),
  hidden: z.boolean(),
  packages: z.array(z.string().max(64)).max(20),
  revision: revisionInput,
})

/** Titles of packages, used in import files and commands. */
export const packageTitle = z
  .string()
  .max(36)
  .regex(/^[a-z0-9_-]+$/)

/** Part of a URL, so only letters and underscores are allowed. */
export const planTitle = z
  .string()
  .max(36)
  .regex(/^[A-Za-z_]+$/)

const staff = { auth: 'token', openTo: [], hosts: staffHosts, stepUp: true, tag: 'Tenants' } as const
const writeErrors = [401, 403, 404, 409, 422] as const
const made = successEnvelope.extend({ id: z.uuid() })
const packageParams = z.object({ id: z.string(), package: z.string() })
const planParams = z.object({ id: z.string(), plan: z.string() })

export const tenantCatalogueRoutes = defineRoutes({
  'PUT /api/v4/tenants/{id}/skus/{sku}': {
    ...staff,
    summary: 'Change texts and price of a SKU for new subscriptions, or take it off sale',
    params: z.object({ id: z.string(), sku: z.string() }),
    body: skuInput,
    ok: successEnvelope,
    errors: writeErrors,
  },
  'POST /api/v4/tenants/{id}/packages': {
    ...staff,
    summary: 'Create a package of a tenant',
    params: z.object({ id: z.string() }),
    body: packageInput.omit({ revision: true }).extend({ title: packageTitle }),
    ok: made,
    errors: writeErrors,
  },
  'PUT /api/v4/tenants/{id}/packages/{package}': {
    ...staff,
    summary: "Change a package of a tenant; existing subscriptions don't change",
    params: packageParams,
    body: packageInput,
    ok: successEnvelope,
    errors: writeErrors,
  },
  'DELETE /api/v4/tenants/{id}/packages/{package}': {
    ...staff,
    summary: 'Delete a package that no plan uses',
    params: packageParams,
    ok: successEnvelope,
    errors: writeErrors,
  },
  'POST /api/v4/tenants/{id}/plans': {
    ...staff,
    summary: 'Create a sign-up plan',
    params: z.object({ id: z.string() }),
    body: planInput.omit({ revision: true }).extend({ title: planTitle }),
    ok: made,
    errors: writeErrors,
  },
  'PUT /api/v4/tenants/{id}/plans': {
    ...staff,
    summary: 'Change the order of plans',
    params: z.object({ id: z.string() }),
    body: z.object({ plans: z.array(z.string().max(64)).max(200) }),
    ok: successEnvelope,
    errors: writeErrors,
  },
  'PUT /api/v4/tenants/{id}/plans/{plan}': {
    ...staff,
    summary: "Change a plan of a tenant; accounts on the plan don't change",
    params: planParams,
    body: planInput,
    ok: successEnvelope,
    errors: writeErrors,
  },
  'DELETE /api/v4/tenants/{id}/plans/{plan}': {
    ...staff,
    summary: 'Delete a plan that no account or usable token has',
    params: planParams,
    ok: successEnvelope,
    errors: writeErrors,
  },
})
