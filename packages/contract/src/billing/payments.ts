import { z } from 'zod'
import { successEnvelope, successStatus, wireDate } from '../envelope.ts'
import { pagedList, pageQuery } from '../list.ts'
import { borrowedCallers, defineRoutes } from '../route.ts'

/** The VAT of whoever pays: what is added to an amount before it is charged, or contained in it. */
const vat = z.object({
  /** Hundredths of a percent: 810 is 8.1 %. */
  rate: z.number().int(),
  mode: z.enum(['included', 'on-top']),
})

export type VatTerms = z.infer<typeof vat>

/** How money may be paid. `bitcoin` stands for every method whose page opens in a window of its own. */
export const paymentMethods = ['creditcard', 'paypal', 'banktransfer', 'directdebit', 'bitcoin'] as const

/** `oneoff`: the customer pays now. `recurring`: the portal may charge by itself later. */
export const methodKinds = ['oneoff', 'recurring'] as const

export const paymentTypes = ['oneoff', 'recurring', 'mandate', 'refund', 'chargeback'] as const

/** Still to be decided. */
export const pendingStatuses = ['open', 'pending', 'authorized'] as const

export const paymentStatuses = [...pendingStatuses, 'paid', 'canceled', 'expired', 'failed'] as const

export type PaymentMethodId = (typeof paymentMethods)[number]
export type MethodKind = (typeof methodKinds)[number]
export type PaymentStatus = (typeof paymentStatuses)[number]

const cents = z.number().int()

export const paymentMethod = z.object({
  id: z.enum(paymentMethods),
  name: z.string(),
  /** Minor units of `currency`. */
  minimumAmount: cents,
  currency: z.string(),
  /** What one unit of the wallet's currency is in `currency`. */
  exchangeRate: z.number().optional(),
  icon: z.object({ prefix: z.string(), name: z.string() }).optional(),
  /** Absent: none. */
  vat: vat.optional(),
})

export type PaymentMethod = z.infer<typeof paymentMethod>

/**
 * An amount in major units of the wallet's currency as people write it: a number, or digits with a point or a comma and
 * at most two decimals. Everything else (exponents, signs, blanks, no number) is refused.
 */
const amount = z.union([z.number(), z.string().max(32)])

const methodId = z.enum(paymentMethods).nullish()

/** Where the customer goes on. None of the addresses: there is nothing left to do, or the provider decides later. */
export const handOff = successStatus.extend({
  /** Of the payment, here. */
  id: z.string(),
  /** Replaces this page. */
  redirectUrl: z.string().optional(),
  /** Opens beside this page. */
  newWindowUrl: z.string().optional(),
})

export type HandOff = z.infer<typeof handOff>

export const pendingPayment = z.object({
  id: z.string(),
  createdAt: wireDate,
  type: z.enum(paymentTypes),
  description: z.string(),
  /** Cents of the wallet's currency. */
  amount: cents,
  currency: z.string(),
  status: z.enum(paymentStatuses),
  isCancelable: z.boolean(),
  checkoutUrl: z.string().nullable(),
})

export type PendingPayment = z.infer<typeof pendingPayment>

export const paymentState = z.object({
  id: z.string(),
  status: z.enum(paymentStatuses),
  type: z.enum(paymentTypes),
  description: z.string(),
  statusMessage: z.string(),
  /** The account still waits for its first payment. */
  isLocked: z.boolean(),
})

export type PaymentState = z.infer<typeof paymentState>

export const mandate = z.object({
  /** Absent, as the three after it: there is no auto-payment. */
  id: z.string().optional(),
  /** Such as a brand and the last digits. */
  method: z.string().optional(),
  methodId: z.enum(paymentMethods).optional(),
  isPending: z.boolean().optional(),
  isValid: z.boolean(),
  /** It exists and charges nothing until its owner changes it. */
  isDisabled: z.boolean(),
  /** Why it charges nothing, in the reader's language; absent: it is not disabled. */
  notice: z.string().optional(),
  /** Major units, which each top-up brings. */
  amount: z.number(),
  /** Major units, the least that `amount` may be. */
  minAmount: z.number(),
  /** Major units; below it a top-up is made. */
  balance: z.number(),
  currency: z.string(),
  /** Of each top-up; absent: none. */
  vat: vat.optional(),
})

export type Mandate = z.infer<typeof mandate>

const mandateInput = { amount, balance: amount }

/** `pay`: now. `set-up` and `change`: auto-payment. */
export const paymentActions = ['pay', 'set-up', 'change'] as const

export type PaymentAction = (typeof paymentActions)[number]

/** Suggested amounts: the debt, or the debt plus the next charge or three months of charges. */
export const suggestedAmounts = ['owed', 'next', 'months'] as const

/** What a payment would charge under the current rules and rates; cents of `currency` unless stated otherwise. */
export const paymentPreview = z.object({
  /** Of the wallet. */
  currency: z.string(),
  /** The least that may be paid. */
  minimum: cents,
  /** Absent: none. */
  vat: vat.optional(),
  /** Null: no amount was given, or one that would be refused. */
  charge: z
    .object({
      /** What the wallet gets. */
      credit: cents,
      net: cents,
      vat: cents,
      gross: cents,
      /** What the method takes, in minor units of its own `currency`. */
      amount: cents,
      currency: z.string(),
      /** Of the wallet once it is paid. */
      balance: cents,
    })
    .nullable(),
  /** The charge is made with the set-up, or as soon as the change is saved. Always true for `pay`. */
  isAtOnce: z.boolean(),
  /** None below the minimum, and none for auto-payment. */
  suggestions: z.array(z.object({ kind: z.enum(suggestedAmounts), amount: cents })),
})

export type PaymentPreview = z.infer<typeof paymentPreview>

const errors = [401, 403] as const

export const paymentRoutes = defineRoutes({
  'POST /api/v4/payments': {
    summary: 'Pay into your wallet',
    tag: 'Payments',
    auth: 'token',
    openTo: [],
    whenSuspended: 'allowed',
    whenLocked: 'allowed',
    body: z.object({ amount, currency: z.string().max(8).nullish(), methodId }),
    ok: handOff,
    errors: [...errors, 422, 429, 503],
  },
  'POST /api/v4/payments/preview': {
    summary: 'Preview what a payment or top-up will charge',
    tag: 'Payments',
    auth: 'token',
    openTo: borrowedCallers,
    whenSuspended: 'allowed',
    whenLocked: 'allowed',
    body: z.object({
      action: z.enum(paymentActions),
      amount: amount.nullish(),
      /** Of auto-payment: the balance below which it is made. */
      balance: amount.nullish(),
      /** Of a payment. */
      methodId,
    }),
    ok: paymentPreview,
    errors: [...errors, 422, 503],
  },
  'GET /api/v4/payments/methods': {
    summary: 'List the payment methods available for your wallet',
    tag: 'Payments',
    auth: 'token',
    openTo: borrowedCallers,
    whenSuspended: 'allowed',
    whenLocked: 'allowed',
    query: z.object({ type: z.enum(methodKinds) }),
    ok: z.array(paymentMethod),
    errors: [...errors, 422, 503],
  },
  'GET /api/v4/payments/has-pending': {
    summary: 'Check whether your wallet has pending payments',
    tag: 'Payments',
    auth: 'token',
    openTo: borrowedCallers,
    whenSuspended: 'allowed',
    whenLocked: 'allowed',
    ok: successStatus.extend({ hasPending: z.boolean() }),
    errors,
  },
  'GET /api/v4/payments/pending': {
    summary: 'List pending payments to your wallet, newest first',
    tag: 'Payments',
    auth: 'token',
    openTo: borrowedCallers,
    whenSuspended: 'allowed',
    whenLocked: 'allowed',
    query: pageQuery,
    ok: successStatus.extend({ page: z.number().int() }).extend(pagedList(pendingPayment).shape),
    errors: [...errors, 422],
  },
  'DELETE /api/v4/payments/{id}': {
    summary: 'Cancel a pending payment',
    tag: 'Payments',
    auth: 'token',
    openTo: [],
    whenSuspended: 'allowed',
    whenLocked: 'allowed',
    params: z.object({ id: z.string().max(64) }),
    ok: successEnvelope,
    errors: [...errors, 404, 409, 503],
  },
  'GET /api/v4/payments/status': {
    summary: 'Get the latest payment to your wallet',
    tag: 'Payments',
    auth: 'token',
    openTo: borrowedCallers,
    hosts: ['user', 'admin'],
    whenSuspended: 'allowed',
    whenLocked: 'allowed',
    ok: paymentState,
    errors: [...errors, 404],
  },
  'GET /api/v4/payments/mandate': {
    summary: 'Get auto-payment of your wallet',
    tag: 'Payments',
    auth: 'token',
    openTo: borrowedCallers,
    whenSuspended: 'allowed',
    whenLocked: 'allowed',
    ok: mandate,
    errors,
  },
  'POST /api/v4/payments/mandate': {
    summary: 'Set up auto-payment for your wallet',
    tag: 'Payments',
    auth: 'token',
    openTo: [],
    stepUp: true,
    whenSuspended: 'allowed',
    whenLocked: 'allowed',
    body: z.object({ ...mandateInput, methodId, currency: z.string().max(8).nullish() }),
    ok: handOff,
    errors: [...errors, 409, 422, 429, 503],
  },
  'PUT /api/v4/payments/mandate': {
    summary: 'Change amount and threshold of auto-payment, and re-enable it',
    tag: 'Payments',
    auth: 'token',
    openTo: [],
    stepUp: true,
    whenSuspended: 'allowed',
    whenLocked: 'allowed',
    body: z.object(mandateInput),
    ok: mandate.extend(successEnvelope.shape),
    errors: [...errors, 404, 422],
  },
  'DELETE /api/v4/payments/mandate': {
    summary: 'Remove auto-payment',
    tag: 'Payments',
    auth: 'token',
    openTo: [],
    stepUp: true,
    whenSuspended: 'allowed',
    whenLocked: 'allowed',
    ok: successEnvelope,
    errors: [...errors, 404, 503],
  },
  'POST /api/v4/payments/mandate/reset': {
    summary: 'Retry the auto-payment setup with its current amounts',
    tag: 'Payments',
    auth: 'token',
    openTo: [],
    hosts: ['user', 'admin'],
    whenSuspended: 'allowed',
    whenLocked: 'allowed',
    body: z.object({ methodId }),
    ok: handOff,
    errors: [...errors, 404, 422, 429, 503],
  },
})
