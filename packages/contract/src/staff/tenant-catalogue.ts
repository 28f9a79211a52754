import { z } from 'zod'
import { revisionInput } from '../directory/directory.ts'
import { successEnvelope } from '../envelope.ts'
import { defaultLanguage, languages } from '../language.ts'
import { defineRoutes } from '../route.ts'
import { planMode } from '../signup.ts'
import { staffHosts } from './staff.ts'

/**
 * What a tenant sells and how people may sign up for it, within limits that the service sets. Prices count for new
 * subscriptions: what is there keeps the price at which it was made.
 */

/** What a tenant may offer; the service itself, number 0, has no such limits. */
export const offerLimits = z.object({
  /** Modes that plans may have. */
  planModes: z.array(planMode),
  freeMonths: z.number().int(),
  /** Highest discount of a package, percent. */
  packageDiscount: z.number().int(),
  /** Prices may be lower than the fee that the tenant owes. */
  belowFee: z.boolean(),
  /** Public domains that are open for sign-up or wait for their proof. */
  publicDomains: z.number().int(),
  /** Sign-up tokens that can still be used. */
  signupTokens: z.number().int(),
  /** Highest award of a referral programme, cents. */
  referralAward: z.number().int(),
})

export type OfferLimits = z.infer<typeof offerLimits>

/** A text by language; a language that is missing shows the English one. */
export const localisedText = z.partialRecord(z.enum(languages), z.string())

const cents = z.number().int()

/** What is on sale in a tenant, with what the tenant pays for it. */
export const catalogueSku = z.object({
  id: z.uuid(),
  title: z.string(),
  /** In the language of the answer. */
  name: z.string(),
  names: localisedText,
  descriptions: localisedText,
  /** Cents for one unit and period. */
  cost: cents,
  /** Cents that the tenant owes for it. */
  fee: cents,
  units_free: z.number().int(),
  period: z.enum(['monthly', 'yearly']),
  handler: z.string(),
  /** Kind of the objects that have it. */
  type: z.string(),
  /** Highest quantity of an object. */
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
  /** Percent off the prices of its SKUs. */
  discountRate: z.number().int(),
  /** Quantity by SKU id. */
  skus: z.record(z.string(), z.number().int()),
  /** The package is for a domain, not for a user. */
  isDomain: z.boolean(),
  /** Cents a month. */
  cost: cents,
  /** Titles of the plans that have it. */
  plans: z.array(z.string()),
  revision: z.string(),
})

export const cataloguePlan = z.object({
  id: z.uuid(),
  /** Part of the address of its sign-up page. */
  title: z.string(),
  name: z.string(),
  names: localisedText,
  descriptions: localisedText,
  mode: planMode,
  months: z.number().int(),
  freeMonths: z.number().int(),
  /** Not listed; people sign up by its address or a token. */
  hidden: z.boolean(),
  /** Ids of its packages. */
  packages: z.array(z.uuid()),
  /** Cents for each period of `months`. */
  cost: cents,
  revision: z.string(),
})

export const catalogueContent = z.object({
  currency: z.string(),
  /** Null: of the service itself. */
  limits: offerLimits.nullable(),
  /** Somebody takes payments here; otherwise no plan may begin with one. */
  takesPayments: z.boolean(),
  skus: z.array(catalogueSku),
  packages: z.array(cataloguePackage),
  /** In the order in which they are shown. */
  plans: z.array(cataloguePlan),
})

/** A line without control characters. */
export const plainLine = (longest: number) =>
  z
    .string()
    .max(longest)
    .regex(/^[^\p{Cc}\p{Cs}]*$/u)

/** A line by language, at least in English. */
export const lineInput = z.object({
  ...Object.fromEntries(languages.map((language) => [language, plainLine(100).nullish()])),
  [defaultLanguage]: plainLine(100).min(1),
})

const paragraph = z
  .string()
  .max(4000)
  .regex(/^[^\p{Cs}\0]*$/u)

/** A longer text by language; all may be missing. */
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
  /** Quantity by SKU id. */
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

/** Names of packages in lists of files and commands. */
export const packageTitle = z
  .string()
  .max(36)
  .regex(/^[a-z0-9_-]+$/)

/** Part of an address, so letters and underscores only. */
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
