import { z } from 'zod'
import { skuTypes } from '../directory/kinds.ts'
import { wireDate } from '../envelope.ts'
import { borrowedCallers, defineRoutes } from '../route.ts'

/** The number of a user; users.ts builds on this file, so its own name for this cannot be used here. */
const userParams = z.object({ id: z.string() })

/** Kinds of objects that subscriptions belong to, as the wire names them. */
export const skuType = z.enum(skuTypes)

export type SkuType = z.infer<typeof skuType>

const cents = z.number().int()

/** Cents that are billed after the discount: each month, and each year for what is paid by the year. */
export const billedAmounts = z.object({ month: cents, year: cents })

export type BilledAmounts = z.infer<typeof billedAmounts>

export const sku = z.object({
  id: z.uuid(),
  /** Code of the SKU, as `mailbox`. */
  title: z.string(),
  name: z.string(),
  description: z.string(),
  /** Cents for one unit and month, before discounts. */
  cost: cents,
  /** Units that cost nothing: of each user, and of the whole account for other objects. */
  units_free: z.number().int(),
  period: z.enum(['monthly', 'yearly']),
  /** 1: on sale. */
  active: z.union([z.literal(0), z.literal(1)]),
  type: skuType,
  handler: z.string(),
  /** Every object of the type has it; it cannot be taken away. */
  readonly: z.boolean(),
  /** Preselected for new objects. */
  enabled: z.boolean(),
  prio: z.number().int(),
  /** The quantity can be chosen. */
  range: z.object({ min: z.number().int(), max: z.number().int(), unit: z.string() }).optional(),
  /** Handlers of SKUs that this one cannot be without. */
  required: z.array(z.string()).optional(),
  /** Handlers of SKUs that this one cannot be with. */
  forbidden: z.array(z.string()).optional(),
  /** Handlers of SKUs of which an object has exactly one. */
  exclusive: z.array(z.string()).optional(),
  controllerOnly: z.literal(true).optional(),
  /** Not on sale, but the reader, who is staff, may give it. */
  canGive: z.literal(true).optional(),
  /** Cents a month of the first unit of a new object; only with the type filter. */
  nextCost: cents.optional(),
  /** What the object pays for it, or would for its least quantity; only with an object. */
  billed: billedAmounts.optional(),
  /** The announced price of one unit, from a day (`YYYY-MM-DD`) on. */
  coming: z.object({ cost: cents, date: z.string() }).optional(),
})

export type Sku = z.infer<typeof sku>

export const subscriptionPackage = z.object({
  id: z.uuid(),
  title: z.string(),
  name: z.string(),
  description: z.string(),
  /** Cents a month, before discounts; of what is paid by the year the twelfth part. */
  cost: cents,
  /** Cents a year, before discounts, to the cent. */
  yearCost: cents,
  /** The package is for a domain, not for a user. */
  isDomain: z.boolean(),
})

export type SubscriptionPackage = z.infer<typeof subscriptionPackage>

/** What an object has, by SKU id: units and the cents a month of each, cheapest first. */
export const subscriptions = z.record(
  z.string(),
  z.object({ count: z.number().int(), costs: z.array(cents) }),
)

export type Subscriptions = z.infer<typeof subscriptions>

/** SKUs that one request may name. */
const maxSkus = 100

/**
 * The complete wanted state: quantity by SKU id, absent SKUs mean 0. Quantities are whole numbers or their
 * text; the rules look at each, so that every mistake is reported at its SKU.
 */
export const wantedSkus = z
  .record(z.string().max(64), z.unknown())
  .refine((skus) => Object.keys(skus).length <= maxSkus)

export const previewLine = z.object({
  skuId: z.uuid(),
  title: z.string(),
  name: z.string(),
  /** Units after the change; 0: taken away. */
  quantity: z.number().int(),
  /** Cents a month after the change, less the discount. */
  monthly: cents,
  /** Cents a month more, or less when negative, than now. */
  change: cents,
  billed: billedAmounts,
})

/** What one choice of a form costs: as chosen, or its least quantity while it is not chosen. */
export const previewOption = z.object({
  skuId: z.uuid(),
  /** Units that the price is for. */
  quantity: z.number().int(),
  billed: billedAmounts,
  /** Cents a month more, or less when negative, than the object pays for it now; 0 while it is neither held nor chosen. */
  change: cents,
})

export type PreviewOption = z.infer<typeof previewOption>

/** What a change of subscriptions would cost; all amounts after the account's discount. */
export const pricePreview = z.object({
  currency: z.string(),
  /** Percent. */
  discount: z.number().int(),
  /** Cents that removed units have run up since they were last billed. Added ones are billed when their month is over. */
  dueNow: cents,
  /** Cents a month that the object costs, now and after the change. */
  monthly: z.object({ now: cents, next: cents }),
  /** `monthly.next` less `monthly.now`. */
  change: cents,
  /** What is billed for the object now and after the change, by period; `monthly` has the twelfth part of the yearly. */
  billed: z.object({ now: billedAmounts, next: billedAmounts }),
  lines: z.array(previewLine),
  /** Every SKU of the kind that is on sale or held. */
  options: z.array(previewOption),
  /** What a new object would cost in each package of its kind. */
  packages: z.array(z.object({ id: z.uuid(), billed: billedAmounts })),
  /** Cents of credit that are lost with the account; only where that is deleted. */
  forfeit: cents.optional(),
  /** End of the trial in which part of it costs nothing; null: none runs. */
  trialUntil: wireDate.nullable(),
  /** What it costs a month after the announced price changes, each from its day (`YYYY-MM-DD`). */
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
      /** Of the object; absent for a new one. */
      id: z.union([z.number(), z.string().max(20)]).nullish(),
      /** Of a new user or domain. */
      package: z.string().max(64).nullish(),
      /** The complete wanted state of a user or room. */
      skus: wantedSkus.nullish(),
    }),
    ok: pricePreview,
    errors: [401, 403, 404, 422],
  },
})
