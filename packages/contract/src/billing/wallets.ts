import { z } from 'zod'
import { successEnvelope, wireDate } from '../envelope.ts'
import { moment } from '../events.ts'
import { pagedList, pageQuery } from '../list.ts'
import { borrowedCallers, defineRoutes } from '../route.ts'

/** Entry types shown in the wallet's history. */
export const entryTypes = ['award', 'credit', 'debit', 'penalty', 'refund', 'chback'] as const

/**
 * Children of a charge are `billed`; `created` and `deleted` belong to a subscription and never appear in a
 * list.
 */
export const transactionTypes = [...entryTypes, 'billed', 'created', 'deleted'] as const

const walletParams = z.object({ id: z.string() })
const cents = z.number().int()

/** `YYYY-MM-DD HH:MM`, UTC. */
const minute = z.string().regex(/^\d{4}-\d\d-\d\d \d\d:\d\d$/)
const day = z.string().regex(/^\d{4}-\d\d-\d\d$/)

/** Notice about the balance; `lasts` refers to the date in `lastsUntil`. */
export const walletNoticeKinds = ['used-up', 'today', 'trial', 'trial-ends', 'lasts'] as const

/** A wallet with the details for its own page. */
export const walletDetail = z.object({
  id: z.uuid(),
  user_id: z.number().int(),
  currency: z.string(),
  balance: cents,
  description: z.string().nullable(),
  discount_id: z.uuid().nullable(),
  discount: z.number().int().nullable(),
  discount_description: z.string().nullable(),
  provider: z.string(),
  /** Notice about the balance; null if there is none. */
  notice: z.string().nullable(),
  noticeKind: z.enum(walletNoticeKinds).nullable(),
  /** Date on which the balance becomes negative at the current rate; null if never or already negative. */
  lastsUntil: day.nullable(),
  /** The reader may change the wallet's settings. */
  canUpdate: z.boolean(),
})

export type WalletDetail = z.infer<typeof walletDetail>

export const transaction = z.object({
  id: z.uuid(),
  createdAt: minute,
  type: z.enum(transactionTypes),
  description: z.string(),
  amount: cents,
  currency: z.string(),
  /** Children exist; request them with `transaction`. */
  hasDetails: z.boolean(),
  /** Balance of the wallet afterwards; not for children. */
  balance: cents.optional(),
  /** Position in the wallet's hash chain, from 1; not for children. */
  number: z.number().int().optional(),
  /** The actor, if known; staff only. */
  user: z.string().optional(),
  /** Start of the period that a child was billed for. */
  since: wireDate.optional(),
  until: wireDate.optional(),
})

export type Transaction = z.infer<typeof transaction>

const transactionFilters = {
  type: z.enum(entryTypes).nullish(),
  from: moment,
  /** A date includes the whole day. */
  to: moment,
}

/** Current monthly cost of an object, by SKU. */
export const objectCosts = z.object({
  objectType: z.string(),
  objectId: z.number().int(),
  /** Its name or, for users, domains and lists, its address; null if it has neither. */
  name: z.string().nullable(),
  /** Cents per month after the discount, each unit rounded down; yearly prices count a twelfth. */
  monthly: cents,
  skus: z.array(
    z.object({
      skuId: z.uuid(),
      title: z.string(),
      name: z.string(),
      quantity: z.number().int(),
      monthly: cents,
    }),
  ),
})

export type ObjectCosts = z.infer<typeof objectCosts>

/** Future charges if nothing changes. */
/** A price change as the customer sees it. */
export const announcedPrice = z.object({
  id: z.uuid(),
  /** Name of the subscription. */
  name: z.string(),
  /** Every period that starts on or after this date has the new price. */
  date: day,
  /** Billing period in months: 1 or 12. */
  months: z.number().int(),
  prices: z.array(z.object({ from: cents, to: cents, units: z.number().int() })),
  /** Cents per month of the whole account, after the discount. */
  before: cents,
  after: cents,
  /** The seller's reason; may be empty. */
  reason: z.string(),
})

export type AnnouncedPrice = z.infer<typeof announcedPrice>

export const forecast = z.object({
  currency: z.string(),
  balance: cents,
  /** Due but not charged yet. */
  pending: cents,
  /** Used but not paid: the debt plus charges already due. */
  owed: cents,
  next: z.object({ date: day, amount: cents }).nullable(),
  lastsUntil: day.nullable(),
  /** The next twelve months: charges in each, and the balance at its end. */
  months: z.array(z.object({ until: day, charges: cents, balance: cents })),
  /** Announced price changes, earliest first. */
  priceChanges: z.array(announcedPrice),
})

export type Forecast = z.infer<typeof forecast>

const threshold = z.number().int().min(0).max(100_000_000)

export const walletSettings = z.object({
  /** Cents; the owner is notified when the balance falls below one of them. */
  alerts: z.array(z.number().int()),
  /** Maximum cost of subscriptions in cents per month; null if unlimited. */
  monthly_ceiling: z.number().int().nullable(),
  /** Triggered alerts, highest threshold first. */
  alertStates: z.array(
    z.object({
      /** Cents. */
      threshold: z.number().int(),
      alertedAt: wireDate,
      /** When the balance recovered; null if it hasn't. */
      resolvedAt: wireDate.nullable(),
    }),
  ),
})

export type WalletSettings = z.infer<typeof walletSettings>

const readErrors = [401, 403, 404] as const

export const walletRoutes = defineRoutes({
  'GET /api/v4/wallets/{id}': {
    summary: 'Get a wallet',
    tag: 'Wallets',
    auth: 'token',
    openTo: borrowedCallers,
    hosts: ['user'],
    whenSuspended: 'allowed',
    params: walletParams,
    ok: walletDetail,
    errors: readErrors,
  },
  'GET /api/v4/wallets/{id}/transactions': {
    summary: 'List entries of a wallet, newest first; with `transaction`, the children of that entry',
    tag: 'Wallets',
    auth: 'token',
    openTo: borrowedCallers,
    whenSuspended: 'allowed',
    params: walletParams,
    query: pageQuery.extend({ transaction: z.string().max(64).nullish(), ...transactionFilters }),
    ok: z
      .object({ status: z.literal('success'), page: z.number().int() })
      .extend(pagedList(transaction).shape),
    errors: [...readErrors, 422],
  },
  'GET /api/v4/wallets/{id}/transactions/csv': {
    summary: 'Export entries of a wallet as CSV, newest first',
    tag: 'Wallets',
    auth: 'token',
    openTo: borrowedCallers,
    whenSuspended: 'allowed',
    params: walletParams,
    query: z.object(transactionFilters),
    download: 'text/csv',
    ok: z.string(),
    errors: [...readErrors, 422],
  },
  'GET /api/v4/wallets/{id}/chain': {
    summary: 'Export all entries of a wallet with their hashes as JSON Lines, oldest first',
    tag: 'Wallets',
    auth: 'token',
    openTo: borrowedCallers,
    whenSuspended: 'allowed',
    params: walletParams,
    download: 'application/x-ndjson',
    ok: z.string(),
    errors: readErrors,
  },
  'GET /api/v4/wallets/{id}/costs': {
    summary: 'List the monthly cost of each user and object of the account',
    tag: 'Wallets',
    auth: 'token',
    openTo: borrowedCallers,
    whenSuspended: 'allowed',
    params: walletParams,
    query: pageQuery.extend({
      /** Part of a name or address. */
      search: z.string().max(191).nullish(),
      /** Default `cost`. */
      sort: z.enum(['cost', 'name']).nullish(),
      /** Defaults to most expensive first for costs, and ascending for names. */
      order: z.enum(['asc', 'desc']).nullish(),
    }),
    ok: pagedList(objectCosts).extend({
      total: z.number().int(),
      currency: z.string(),
      /** Percent. */
      discount: z.number().int(),
      /** Cents per month of all matches, on every page. */
      monthly: cents,
    }),
    errors: [...readErrors, 422],
  },
  'GET /api/v4/wallets/{id}/forecast': {
    summary: 'Get the next charge and the expected balance over twelve months',
    tag: 'Wallets',
    auth: 'token',
    openTo: borrowedCallers,
    whenSuspended: 'allowed',
    params: walletParams,
    ok: forecast,
    errors: readErrors,
  },
  'GET /api/v4/wallets/{id}/settings': {
    summary: 'Get alerts and monthly ceiling of a wallet',
    tag: 'Wallets',
    auth: 'token',
    openTo: borrowedCallers,
    whenSuspended: 'allowed',
    params: walletParams,
    ok: walletSettings,
    errors: readErrors,
  },
  'PUT /api/v4/wallets/{id}/settings': {
    summary: "Change alerts and monthly ceiling of a wallet; omitted keys don't change",
    tag: 'Wallets',
    auth: 'token',
    openTo: [],
    whenSuspended: 'allowed',
    params: walletParams,
    body: z.object({
      /** Null removes all. */
      alerts: z.array(threshold).max(5).nullish(),
      /** Null removes the ceiling. */
      monthly_ceiling: threshold.nullish(),
    }),
    ok: successEnvelope,
    errors: [...readErrors, 422],
  },
})
