import { z } from 'zod'
import { successEnvelope, successStatus, wireDate } from '../envelope.ts'
import { pagedList, pageQuery } from '../list.ts'
import { borrowedCallers, defineRoutes } from '../route.ts'

/** The payer's VAT: added to an amount before it is charged, or included in it. */
const vat = z.object({
  /** Basis points: 810 is 8.1 %. */
  rate: z.number().int(),
  mode: z.enum(['included', 'on-top']),
})

export type VatTerms = z.infer<typeof vat>

/** Payment methods. `bitcoin` represents every method whose page opens in a separate window. */
export const paymentMethods = ['creditcard', 'paypal', 'banktransfer', 'directdebit', 'bitcoin'] as const

/** `oneoff`: the customer pays now. `recurring`: the portal may charge automatically later. */
export const methodKinds = ['oneoff', 'recurring'] as const

export const paymentTypes = ['oneoff', 'recurring', 'mandate', 'refund', 'chargeback'] as const

/** Not final yet. */
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
  /** Value of one unit of the wallet's currency in `currency`. */
  exchangeRate: z.number().optional(),
  icon: z.object({ prefix: z.string(), name: z.string() }).optional(),
  /** Absent if no VAT applies. */
  vat: vat.optional(),
})

export type PaymentMethod = z.infer<typeof paymentMethod>

/**
 * An amount in major units of the wallet's currency as people write it: a number, or digits with a point or
 * comma and at most two decimals. Anything else (exponents, signs, blanks, NaN) is rejected.
 */
const amount = z.union([z.number(), z.string().max(32)])

const methodId = z.enum(paymentMethods).nullish()

/** Where the customer continues. Without any URL nothing is left to do, or the provider decides later. */
export const handOff = successStatus.extend({
  /** The portal's payment ID. */
  id: z.string(),
  /** URL that replaces this page. */
  redirectUrl: z.string().optional(),
  /** URL to open in a new window. */
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
  /** The account is still waiting for its first payment. */
  isLocked: z.boolean(),
})

export type PaymentState = z.infer<typeof paymentState>

export const mandate = z.object({
  /** This and the next three are absent without auto-payment. */
  id: z.string().optional(),
  /** For example a brand and the last digits. */
  method: z.string().optional(),
  methodId: z.enum(paymentMethods).optional(),
  isPending: z.boolean().optional(),
  isValid: z.boolean(),
  /** It exists but charges nothing until its owner changes it. */
  isDisabled: z.boolean(),
  /** Why it charges nothing, in the reader's language; absent if it isn't disabled. */
  notice: z.string().optional(),
  /** Amount of each top-up, in major units. */
  amount: z.number(),
  /** Minimum for `amount`, in major units. */
  minAmount: z.number(),
  /** Balance in major units below which a top-up is made. */
  balance: z.number(),
  currency: z.string(),
  /** VAT of each top-up; absent if none applies. */
  vat: vat.optional(),
})

export type Mandate = z.infer<typeof mandate>

const mandateInput = { amount, balance: amount }

/** `pay`: pay now. `set-up` and `change`: auto-payment. */
export const paymentActions = ['pay', 'set-up', 'change'] as const

export type PaymentAction = (typeof paymentActions)[number]

/** Suggested amounts: the debt, or the debt plus the next charge or three months of charges. */
export const suggestedAmounts = ['owed', 'next', 'months'] as const

/** What a payment would charge under the current rules and rates; cents of `currency` unless stated otherwise. */
export const paymentPreview = z.object({
  /** Currency of the wallet. */
  currency: z.string(),
  /** Minimum payment. */
  minimum: cents,
  /** Absent if no VAT applies. */
  vat: vat.optional(),
  /** Null if no amount was given, or it would be rejected. */
  charge: z
    .object({
      /** Amount credited to the wallet. */
      credit: cents,
      net: cents,
      vat: cents,
      gross: cents,
      /** Amount charged by the method, in minor units of its own `currency`. */
      amount: cents,
      currency: z.string(),
      /** Balance of the wallet after the payment. */
      balance: cents,
    })
    .nullable(),
  /** The charge is made during set-up, or as soon as the change is saved. Always true for `pay`. */
  isAtOnce: z.boolean(),
  /** Excludes amounts below the minimum; empty for auto-payment. */
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
      /** For auto-payment: the balance below which a top-up is made. */
      balance: amount.nullish(),
      /** For a payment. */
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
