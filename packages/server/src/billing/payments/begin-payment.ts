import type { HandOff, PaymentMethodId, VatTerms } from '@gatehouse/contract/billing/payments'
import type { Language } from '@gatehouse/contract/language'
import { audit } from '../../platform/audit.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { commitHeld } from '../../platform/db/held-transaction.ts'
import { NotFound } from '../../platform/http/errors.ts'
import { newUuid, onceUuid } from '../../platform/ids.ts'
import { holdWallet } from '../../subscriptions/entitlement-store.ts'
import { vatOfPayer, vatTerms } from '../vat/vat-of-payer.ts'
import { chargeOf, type Exchange } from './payment-charge.ts'
import type { PaymentParts } from './payment-parts.ts'
import {
  customersOf,
  holdPayment,
  insertPayment,
  keepCustomer,
  type PaymentRow,
  readPayer,
  readPayment,
  replaceCustomer,
  updatePayment,
} from './payment-store.ts'
import type { Customer, PaymentOrder, StartedPayment } from './providers/provider.ts'
import { PaymentRefused } from './providers/provider-errors.ts'
import { PaymentsNotOffered } from './providers/providers.ts'
import { nextLook } from './settlement/look-schedule.ts'
import { endPayment } from './settlement/settle.ts'
import { settleSoon } from './settlement/settle-job.ts'

/** A requested payment. */
export interface WantedPayment {
  /** Absent for a new one. */
  readonly id?: string
  readonly walletId: string
  readonly type: 'oneoff' | 'recurring' | 'mandate'
  /** Provider name, as selected by `PaymentProviders.of`. */
  readonly provider: string
  readonly method: PaymentMethodId
  /** Cents of the wallet's currency to credit; 0 only for mandates. */
  readonly amount: number
  /** Description for the customer, in their language. */
  readonly description: string
  /** Defaults to the wallet's currency. */
  readonly exchange?: Exchange
}

/** Parameters for the provider's interaction with the customer. */
export interface Conversation {
  readonly returnUrl: string
  readonly language: Language
  /** Mandate to charge for a recurring payment. */
  readonly mandateId?: string
}

/** The VAT that currently applies to payments into a wallet; undefined for none. */
export async function vatOfWallet(
  { db, clock, config }: Pick<PaymentParts, 'db' | 'clock' | 'config'>,
  walletId: string,
): Promise<VatTerms | undefined> {
  const { country } = await readPayer(db, walletId)
  return vatTerms(await vatOfPayer(db, country, clock.now()), config)
}

/**
 * Stores a payment before the provider is called; returns its ID. The credited and the paid amount differ if
 * VAT is added; reference api-billing-admin §7.
 */
export async function preparePayment(trx: Db, parts: PaymentParts, wanted: WantedPayment): Promise<string> {
  const now = parts.clock.now()
  const { country, currency } = await readPayer(trx, wanted.walletId)
  const vat = await vatOfPayer(trx, country, now)
  const charge = chargeOf(wanted.amount, {
    currency,
    vat: vatTerms(vat, parts.config),
    exchange: wanted.exchange,
  })
  const id = wanted.id ?? newUuid()
  const isOpen = { status: 'open', type: wanted.type, refundOf: null, paidAt: null } as const
  await insertPayment(trx, {
    ...isOpen,
    id,
    walletId: wanted.walletId,
    provider: wanted.provider,
    method: wanted.method,
    amount: charge.gross,
    creditAmount: charge.credit,
    currency: charge.currency,
    currencyAmount: charge.amount,
    vatRateId: vat?.id ?? null,
    description: wanted.description,
    createdAt: now,
    nextLookAt: nextLook({ ...isOpen, looks: 0, updatedAt: now }, now),
  })
  return id
}

/**
 * Stores a payment and related data, unless an earlier run of the same request has done so. Returns its ID,
 * which is derived from the request if that must be idempotent, as is the ledger key.
 */
export async function prepareOnce(
  db: Db,
  type: WantedPayment['type'],
  prepare: (trx: Db, id: string) => Promise<unknown>,
): Promise<string> {
  const id = onceUuid(`payment ${type}`)
  if ((await readPayment(db, id)) === undefined) {
    await db.transaction().execute((trx) => prepare(trx, id))
  }
  return id
}

/**
 * Creates a stored payment at the provider. Throws ProviderUnavailable, and the payment stays open until a
 * later check; PaymentRefused, and it has failed; PaymentsNotOffered if its provider is no longer available.
 */
export async function askProvider(
  parts: PaymentParts,
  paymentId: string,
  conversation: Conversation,
): Promise<HandOff> {
  const { db } = parts
  await commitHeld()
  const payment = await readPayment(db, paymentId)
  if (payment === undefined) throw new NotFound()
  const payer = await readPayer(db, payment.walletId)
  const known = await customersOf(db, payment.walletId)
  const order = orderOf(payment, conversation, {
    walletId: payment.walletId,
    id: known.find(({ provider }) => provider === payment.provider)?.id ?? null,
    name: payer.name,
    email: payer.email,
  })
  try {
    const started = await ask(parts, payment, order, conversation.mandateId)
    await db.transaction().execute((trx) => keepAnswer(trx, parts, payment, order.customer.id, started))
    const { redirectUrl, newWindowUrl } = started
    return {
      status: 'success',
      id: payment.id,
      ...(redirectUrl !== undefined && { redirectUrl }),
      ...(newWindowUrl !== undefined && { newWindowUrl }),
    }
  } catch (error) {
    if (error instanceof PaymentRefused) await fail(parts, payment)
    throw error
  }
}

function ask(
  { providers }: PaymentParts,
  payment: PaymentRow,
  order: PaymentOrder,
  mandateId: string | undefined,
): Promise<StartedPayment> {
  const provider = providers.named(payment.provider)
  if (provider === undefined) throw new PaymentsNotOffered()
  if (payment.type === 'mandate') return provider.startMandate(order)
  if (mandateId === undefined) return provider.startPayment(order)
  return provider.chargeMandate(order, mandateId)
}

function orderOf(
  payment: PaymentRow,
  { returnUrl, language }: Conversation,
  customer: Customer,
): PaymentOrder {
  return {
    paymentId: payment.id,
    customer,
    amount: payment.currencyAmount,
    currency: payment.currency,
    // rows only contain methods of the contract
    method: payment.method as PaymentMethodId,
    description: payment.description,
    returnUrl,
    language,
  }
}

/** A background check may have been faster and be more up to date. */
async function keepAnswer(
  trx: Db,
  parts: PaymentParts,
  payment: PaymentRow,
  asked: string | null,
  started: StartedPayment,
): Promise<void> {
  const { clock, jobs } = parts
  await holdWallet(trx, payment.walletId)
  await rememberCustomer(trx, clock, payment, asked, started.customerId)
  const current = await holdPayment(trx, payment.id)
  if (current === undefined || current.providerId !== null) return
  await updatePayment(trx, payment.id, {
    providerId: started.id,
    checkoutUrl: started.redirectUrl ?? started.newWindowUrl ?? null,
    changes: current.changes + 1,
    updatedAt: clock.now(),
  })
  // remaining details from the provider, e.g. whether it can be cancelled
  await settleSoon(trx, jobs, payment.id)
}

/**
 * Stores the wallet's customer ID at the provider. If it differs from the requested one, the provider had
 * deleted that customer: the new one replaces it, so that the next payment doesn't create yet another, and the
 * audit log records it.
 */
async function rememberCustomer(
  trx: Db,
  clock: Clock,
  { walletId, provider }: PaymentRow,
  asked: string | null,
  id: string | null,
): Promise<void> {
  if (id === null || id === asked) return
  if (asked === null) {
    await keepCustomer(trx, { walletId, provider, id, at: clock.now() })
    return
  }
  if (!(await replaceCustomer(trx, { walletId, provider, gone: asked, id }))) return
  const { ownerId, tenantId } = await readPayer(trx, walletId)
  await audit(trx, clock, {
    tenantId,
    objectType: 'user',
    objectId: ownerId,
    event: 'payment.customer-replaced',
    actor: {},
    data: { provider, before: { customer: asked }, after: { customer: id } },
  })
}

async function fail(parts: PaymentParts, payment: PaymentRow): Promise<void> {
  await parts.db.transaction().execute(async (trx) => {
    await holdWallet(trx, payment.walletId)
    const current = await holdPayment(trx, payment.id)
    if (current?.providerId === null && current.status === 'open') {
      await endPayment(trx, parts, current, 'failed')
    }
  })
}
