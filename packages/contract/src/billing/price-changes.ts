import { z } from 'zod'
import { objectId } from '../directory/users.ts'
import { successEnvelope, successStatus, wireDate } from '../envelope.ts'
import { languages } from '../language.ts'
import { pagedList, pageQuery } from '../list.ts'
import { defineRoutes } from '../route.ts'

/**
 * New prices for existing subscriptions: admins change those of every tenant, resellers those of their own.
 * All amounts are in cents.
 */

/**
 * `scheduled`: customers are being notified; `announced`: all have been notified; `applied`: in effect, each
 * subscription switches with its next period.
 */
export const priceChangeStates = ['scheduled', 'announced', 'applied', 'cancelled'] as const

export type PriceChangeState = (typeof priceChangeStates)[number]

const cents = z.number().int()
/** `YYYY-MM-DD`; days start at midnight UTC. */
const day = z.string().regex(/^\d{4}-\d\d-\d\d$/)

/** An individual price that is replaced as well. */
const individualPrice = z.object({ from: cents, to: cents })

export const priceChange = z.object({
  id: z.uuid(),
  tenant: z.object({ id: z.number().int(), title: z.string() }),
  sku: z.object({ id: z.uuid(), title: z.string(), name: z.string() }),
  currency: z.string(),
  /** Billing period in months: 1 or 12. */
  months: z.number().int(),
  from: cents,
  to: cents,
  /** Fee that the tenant owes the service per unit, before and after. */
  feeFrom: cents,
  feeTo: cents,
  individual: z.array(individualPrice),
  newSubscriptions: z.enum(['at-once', 'same-date']),
  date: day,
  /** Notice period in days; 0 if no one pays more. */
  noticeDays: z.number().int(),
  /** Reason for customers, by language. */
  reason: z.record(z.string(), z.string()),
  state: z.enum(priceChangeStates),
  wallets: z.number().int(),
  subscriptions: z.number().int(),
  /** Monthly total over all affected wallets. */
  before: cents,
  after: cents,
  /** Wallets that were notified by e-mail, and wallets that pay the new price. */
  told: z.number().int(),
  applied: z.number().int(),
  createdAt: wireDate,
  /** Address of the user who scheduled it; null for the command line. */
  createdBy: z.string().nullable(),
  announcedAt: wireDate.nullable(),
  appliedAt: wireDate.nullable(),
  cancelledAt: wireDate.nullable(),
  cancelledBy: z.string().nullable(),
  canCancel: z.boolean(),
})

export type PriceChange = z.infer<typeof priceChange>

/** A wallet affected by a change, with its total cost per month. */
export const concernedWallet = z.object({
  walletId: z.uuid(),
  user: z.object({ id: objectId, email: z.string() }),
  subscriptions: z.number().int(),
  before: cents,
  after: cents,
})

export type ConcernedWallet = z.infer<typeof concernedWallet>

export const priceChangePreview = pagedList(concernedWallet).extend({
  page: z.number().int(),
  currency: z.string(),
  months: z.number().int(),
  from: cents,
  to: cents,
  /** Earliest effective date. */
  earliest: day,
  wallets: z.number().int(),
  subscriptions: z.number().int(),
  before: cents,
  after: cents,
  /**
   * Subscription prices that differ from the catalogue, most frequent first. They don't change unless selected.
   */
  individual: z.array(z.object({ cost: cents, subscriptions: z.number().int(), wallets: z.number().int() })),
})

export type PriceChangePreview = z.infer<typeof priceChangePreview>

const staff = { auth: 'token', hosts: ['admin', 'reseller'], tag: 'Prices' } as const
const params = z.object({ id: z.string() })
const tenantQuery = { tenant: z.coerce.number<string | number>().int().min(0).max(999_999_999).nullish() }

const most = 1_000_000_000
const amount = z.number().int().min(0).max(most)

export const priceChangeInput = z.object({
  /** SKU ID. */
  sku: z.uuid(),
  cost: amount,
  /** Admins only; unchanged if absent. */
  fee: amount.nullish(),
  /** Defaults to the earliest date that the notice period allows. */
  date: day.nullish(),
  newSubscriptions: z.enum(['at-once', 'same-date']).nullish(),
  individual: z
    .array(z.object({ from: amount, to: amount }))
    .max(50)
    .nullish(),
  reason: z.partialRecord(z.enum(languages), z.string().trim().max(1000)).nullish(),
})

export type PriceChangeInput = z.input<typeof priceChangeInput>

export const priceChangeRoutes = defineRoutes({
  'GET /api/v4/price-changes': {
    ...staff,
    openTo: [],
    summary: 'List price changes, newest first; admins can filter by `tenant`',
    query: pageQuery.extend({ ...tenantQuery, state: z.enum(priceChangeStates).nullish() }),
    ok: successStatus.extend({ page: z.number().int() }).extend(pagedList(priceChange).shape),
    errors: [401, 403, 404, 422],
  },
  'GET /api/v4/price-changes/skus': {
    ...staff,
    openTo: [],
    summary: 'List the SKUs of a tenant whose price can change',
    query: z.object(tenantQuery),
    ok: successStatus.extend({
      tenant: z.object({ id: z.number().int(), title: z.string() }),
      list: z.array(
        z.object({
          id: z.uuid(),
          title: z.string(),
          name: z.string(),
          cost: cents,
          fee: cents,
          months: z.number().int(),
          /** The change that must be applied or cancelled before another can be scheduled. */
          openChange: z.uuid().nullable(),
        }),
      ),
      currency: z.string(),
      noticeDays: z.number().int(),
      canChangeFee: z.boolean(),
    }),
    errors: [401, 403, 404, 422],
  },
  'POST /api/v4/price-changes/preview': {
    ...staff,
    openTo: [],
    summary: 'Preview a price change: affected wallets and amounts, largest differences first',
    body: priceChangeInput.extend(pageQuery.shape),
    ok: successStatus.extend(priceChangePreview.shape),
    errors: [401, 403, 404, 422],
  },
  'POST /api/v4/price-changes': {
    ...staff,
    openTo: [],
    stepUp: true,
    summary:
      'Schedule a price change; customers are notified immediately and pay the new price from its date',
    body: priceChangeInput,
    ok: successEnvelope.extend({ id: z.uuid(), change: priceChange }),
    errors: [401, 403, 404, 409, 422],
  },
  'GET /api/v4/price-changes/{id}': {
    ...staff,
    openTo: [],
    summary: 'Get a price change and its progress',
    params,
    ok: successStatus.extend({ change: priceChange }),
    errors: [401, 403, 404],
  },
  'GET /api/v4/price-changes/{id}/wallets': {
    ...staff,
    openTo: [],
    summary: 'List wallets affected by a price change, largest differences first',
    params,
    query: pageQuery,
    ok: successStatus.extend({ page: z.number().int() }).extend(pagedList(concernedWallet).shape),
    errors: [401, 403, 404, 422],
  },
  'POST /api/v4/price-changes/{id}/cancel': {
    ...staff,
    openTo: [],
    stepUp: true,
    summary: 'Cancel a price change before its date; notified customers are notified again',
    params,
    ok: successEnvelope.extend({ change: priceChange }),
    errors: [401, 403, 404, 409],
  },
})
