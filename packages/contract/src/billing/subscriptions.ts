import { z } from 'zod'
import { skuTypes } from '../directory/kinds.ts'
import { wireDate } from '../envelope.ts'
import { borrowedCallers, defineRoutes } from '../route.ts'

/** The ID of a user. Not imported from users.ts, which depends on this file. */
const userParams = z.object({ id: z.string() })

/** Kinds of objects that subscriptions belong to, as the API names them. */
export const skuType = z.enum(skuTypes)

export type SkuType = z.infer<typeof skuType>

const cents = z.number().int()

/** Billed cents after the discount: per month, and per year for yearly subscriptions. */
export const billedAmounts = z.object({ month: cents, year: cents })

export type BilledAmounts = z.infer<typeof billedAmounts>

export const sku = z.object({
  id: z.uuid(),
  /** Code of the SKU, e.g. `mailbox`. */
  title: z.string(),
  name: z.string(),
  description: z.string(),
  /** Cents per unit and month, before discounts. */
  cost: cents,
  /** Free units: per user, or per account for other objects. */
  units_free: z.number().int(),
  period: z.enum(['monthly', 'yearly']),
  /** 1 if on sale. */
  active: z.union([z.literal(0), z.literal(1)]),
  type: skuType,
  handler: z.string(),
  /** Every object of the type has it; it can't be removed. */
  readonly: z.boolean(),
  /** Preselected for new objects. */
  enabled: z.boolean(),
  prio: z.number().int(),
  /** The quantity can be selected. */
  range: z.object({ min: z.number().int(), max: z.number().int(), unit: z.string() }).optional(),
  /** Handlers of SKUs that this one requires. */
  required: z.array(z.string()).optional(),
  /** Handlers of SKUs that this one excludes. */
  forbidden: z.array(z.string()).optional(),
  /** Handlers of SKUs of which an object has exactly one. */
  exclusive: z.array(z.string()).optional(),
  controllerOnly: z.literal(true).optional(),
  /** Not on sale, but the reader is staff and may assign it. */
  canGive: z.literal(true).optional(),
  /** Cents per month for the first unit of a new object; only with the type filter. */
  nextCost: cents.optional(),
  /** What the object pays for it, or would pay for its minimum quantity; only with an object. */
  billed: billedAmounts.optional(),
  /** The announced unit price and its effective date (`YYYY-MM-DD`). */
  coming: z.object({ cost: cents, date: z.string() }).optional(),
})

export type Sku = z.infer<typeof sku>

export const subscriptionPackage = z.object({
  id: z.uuid(),
  title: z.string(),
  name: z.string(),
  description: z.string(),
  /** Cents per month, before discounts; a twelfth of a yearly price. */
  cost: cents,
  /** Exact cents per year, before discounts. */
  yearCost: cents,
  /** The package is for domains, not for users. */
  isDomain: z.boolean(),
})

export type SubscriptionPackage = z.infer<typeof subscriptionPackage>

/** An object's subscriptions by SKU ID: units and the cents per month of each, cheapest first. */
export const subscriptions = z.record(
  z.string(),
  z.object({ count: z.number().int(), costs: z.array(cents) }),
)

export type Subscriptions = z.infer<typeof subscriptions>

/** Maximum SKUs per request. */
const maxSkus = 100

/**
 * The complete desired state: quantity by SKU ID; absent SKUs mean 0. Quantities are whole numbers or strings
 * and are validated individually, so that every mistake is reported at its SKU.
 */
export const wantedSkus = z
  .record(z.string().max(64), z.unknown())
  .refine((skus) => Object.keys(skus).length <= maxSkus)

export const previewLine = z.object({
  skuId: z.uuid(),
  title: z.string(),
  name: z.string(),
  /** Units after the change; 0 if removed. */
  quantity: z.number().int(),
  /** Cents per month after the change, less the discount. */
  monthly: cents,
  /** Difference in cents per month; negative if cheaper. */
  change: cents,
  billed: billedAmounts,
})

/** Price of one option in a form: for its selected quantity, or for its minimum quantity if not selected. */
export const previewOption = z.object({
  skuId: z.uuid(),
  /** Units that the price is for. */
  quantity: z.number().int(),
  billed: billedAmounts,
  /**
   * Difference in cents per month from what the object pays for it now; 0 if it is neither held nor selected.
   */
  change: cents,
})

export type PreviewOption = z.infer<typeof previewOption>

/** Price preview of a subscription change; all amounts after the account's discount. */
export const pricePreview = z.object({
  currency: z.string(),
  /** Percent. */
  discount: z.number().int(),
  /**
   * Cents accrued by removed units since they were last billed. Added units are billed at the end of their
   * month.
   */
  dueNow: cents,
  /** Cents per month of the object, before and after the change. */
  monthly: z.object({ now: cents, next: cents }),
  /** `monthly.next` minus `monthly.now`. */
  change: cents,
  /**
   * Billed for the object before and after the change, by period; `monthly` includes a twelfth of the yearly
   * amount.
   */
  billed: z.object({ now: billedAmounts, next: billedAmounts }),
  lines: z.array(previewLine),
  /** Every SKU of the type that is on sale or held. */
  options: z.array(previewOption),
  /** Price of a new object in each package of its type. */
  packages: z.array(z.object({ id: z.uuid(), billed: billedAmounts })),
  /** Cents of balance that are lost with the account; only when that is deleted. */
  forfeit: cents.optional(),
  /** End of the current trial, in which part of it is free; null without a trial. */
  trialUntil: wireDate.nullable(),
  /** Cents per month after announced price changes, each from its effective date (`YYYY-MM-DD`). */
  later: z.array(z.object({ date: z.string(), monthly: cents })),
})

export type PricePreview = z.infer<typeof pricePreview>

export const previewActions = ['create', 'change', 'delete', 'restore'] as const

export const subscriptionRoutes = defineRoutes({
  'GET /api/v4/skus': {
    summary: 'List subscriptions on sale',
    tag: 'Subscriptions',
    auth: 'token',
    openTo: borrowedCallers,
    query: z.object({ type: skuType.nullish() }),
    ok: z.array(sku),
    errors: [401, 403, 422],
  },
  'GET /api/v4/users/{id}/skus': {
    summary: 'List subscriptions of a user, including available ones',
    tag: 'Subscriptions',
    auth: 'token',
    openTo: borrowedCallers,
    params: userParams,
    ok: z.array(sku),
    errors: [401, 403, 404],
  },
  'GET /api/v4/packages': {
    summary: 'List packages on sale',
    tag: 'Subscriptions',
    auth: 'token',
    openTo: borrowedCallers,
    ok: z.array(subscriptionPackage),
    errors: [401, 403],
  },
  'POST /api/v4/users/preview': {
    summary: 'Preview the price of a new user',
    tag: 'Subscriptions',
    auth: 'token',
    openTo: borrowedCallers,
    hosts: ['user'],
    body: z.object({ package: z.string().max(64).nullish(), skus: wantedSkus.nullish() }),
    ok: pricePreview,
    errors: [401, 403, 404, 422],
  },
  'POST /api/v4/users/{id}/preview': {
    summary: "Preview the price of changing a user's subscriptions or deleting the user",
    tag: 'Subscriptions',
    auth: 'token',
    openTo: borrowedCallers,
    hosts: ['user'],
    params: userParams,
    body: z.object({ skus: wantedSkus.nullish(), delete: z.boolean().nullish() }),
    ok: pricePreview,
    errors: [401, 403, 404, 422],
  },
  'POST /api/v4/subscriptions/preview': {
    summary: 'Preview the price of creating, changing, deleting or restoring an object of any kind',
    tag: 'Subscriptions',
    auth: 'token',
    openTo: borrowedCallers,
    hosts: ['user'],
    body: z.object({
      type: skuType,
      action: z.enum(previewActions),
      /** ID of the object; absent for a new one. */
      id: z.union([z.number(), z.string().max(20)]).nullish(),
      /** Package of a new user or domain. */
      package: z.string().max(64).nullish(),
      /** The complete desired state of a user or room. */
      skus: wantedSkus.nullish(),
    }),
    ok: pricePreview,
    errors: [401, 403, 404, 422],
  },
})
