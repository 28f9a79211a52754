import { z } from 'zod'
import { successEnvelope, wireDate } from '../envelope.ts'
import { moment } from '../events.ts'
import { pagedList, pageQuery } from '../list.ts'
import { borrowedCallers, defineRoutes } from '../route.ts'

/** Types of entries as the wallet's list shows them. */
export const entryTypes = ['award', 'credit', 'debit', 'penalty', 'refund', 'chback'] as const

/** Children of a charge are `billed`; `created` and `deleted` are those of an entitlement and never in a list. */
export const transactionTypes = [...entryTypes, 'billed', 'created', 'deleted'] as const

const walletParams = z.object({ id: z.string() })
const cents = z.number().int()

/** `YYYY-MM-DD HH:MM`, UTC. */
const minute = z.string().regex(/^\d{4}-\d\d-\d\d \d\d:\d\d$/)
const day = z.string().regex(/^\d{4}-\d\d-\d\d$/)

/** What the owner should know about the balance; `lasts` names the day that `lastsUntil` has. */
export const walletNoticeKinds = ['used-up', 'today', 'trial', 'trial-ends', 'lasts'] as const

/** A wallet with what its own page shows. */
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
  /** What the owner should know about the balance; null: nothing. */
  notice: z.string().nullable(),
  noticeKind: z.enum(walletNoticeKinds).nullable(),
  /** Day on which the balance falls below zero as things are; null: never, or it is below. */
  lastsUntil: day.nullable(),
  /** The reader may change settings of the wallet. */
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
  /** There are children: ask for them with `transaction`. */
  hasDetails: z.boolean(),
  /** Of the wallet afterwards; not of children. */
  balance: cents.optional(),
  /** Place in the chain of the wallet's entries, from 1; not of children. */
  number: z.number().int().optional(),
  /** Who did it, as far as known; staff only. */
  user: z.string().optional(),
  /** The time that a child was billed for. */
  since: wireDate.optional(),
  until: wireDate.optional(),
})

export type Transaction = z.infer<typeof transaction>

const transactionFilters = {
  type: z.enum(entryTypes).nullish(),
  from: moment,
  /** A day counts to its end. */
  to: moment,
}

/** What an object costs a month now, by SKU. */
export const objectCosts = z.object({
  objectType: z.string(),
  objectId: z.number().int(),
  /** What people call it: a name or, of users, domains and lists, the address; null: it has neither. */
  name: z.string().nullable(),
  /** Cents a month after the discount, each unit rounded down; what is paid by the year counts a twelfth. */
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

/** What will be charged if nothing changes. */
/** A price that changes, as its customer sees it. */
export const announcedPrice = z.object({
  id: z.uuid(),
  /** The subscription. */
  name: z.string(),
  /** Each period that begins on or after this day costs the new price. */
  date: day,
  /** Months that a price is for: 1 or 12. */
  months: z.number().int(),
  prices: z.array(z.object({ from: cents, to: cents, units: z.number().int() })),
  /** Cents a month of the whole account, after the discount. */
  before: cents,
  after: cents,
  /** What the seller says about it; empty: nothing. */
  reason: z.string(),
})

export type AnnouncedPrice = z.infer<typeof announcedPrice>

export const forecast = z.object({
  currency: z.string(),
  balance: cents,
  /** Due already and not charged yet. */
  pending: cents,
  /** Used but not paid: the debt, and charges that are already due. */
  owed: cents,
  next: z.object({ date: day, amount: cents }).nullable(),
  lastsUntil: day.nullable(),
  /** The twelve months from now: what each will cost, and the balance at its end. */
  months: z.array(z.object({ until: day, charges: cents, balance: cents })),
  /** Announced price changes, the next one first. */
  priceChanges: z.array(announcedPrice),
})

export type Forecast = z.infer<typeof forecast>

const threshold = z.number().int().min(0).max(100_000_000)

export const walletSettings = z.object({
  /** Cents; the owner is told when the balance falls below each. */
  alerts: z.array(z.number().int()),
  /** Cents a month that subscriptions may cost; null: as much as anybody orders. */
  monthly_ceiling: z.number().int().nullable(),
  /** Alerts whose owner has been told, highest threshold first. */
  alertStates: z.array(
    z.object({
      /** Cents. */
      threshold: z.number().int(),
      alertedAt: wireDate,
      /** When the balance had recovered; null: it has not. */
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
      /** Part of its name or address. */
      search: z.string().max(191).nullish(),
      /** Default `cost`. */
      sort: z.enum(['cost', 'name']).nullish(),
      /** Default the dearest first, names from the first letter. */
      order: z.enum(['asc', 'desc']).nullish(),
    }),
    ok: pagedList(objectCosts).extend({
      total: z.number().int(),
      currency: z.string(),
      /** Percent. */
      discount: z.number().int(),
      /** Cents a month of everything that was found, on this page or not. */
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
      /** Null takes all away. */
      alerts: z.array(threshold).max(5).nullish(),
      /** Null takes the ceiling away. */
      monthly_ceiling: threshold.nullish(),
    }),
    ok: successEnvelope,
    errors: [...readErrors, 422],
  },
})
