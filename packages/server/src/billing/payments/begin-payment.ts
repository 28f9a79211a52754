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

/** A payment that somebody wants to be made. */
export interface WantedPayment {
  /** Absent: a new one. */
  readonly id?: string
  readonly walletId: string
  readonly type: 'oneoff' | 'recurring' | 'mandate'
  /** The provider's word, as `PaymentProviders.of` chose it. */
  readonly provider: string
  readonly method: PaymentMethodId
  /** Cents of the wallet's currency that the wallet is to get; 0 only of a mandate. */
  readonly amount: number
  /** What the customer sees beside it, in his language. */
  readonly description: string
  /** Absent: the wallet's currency. */
  readonly exchange?: Exchange
}

/** Where and how the provider talks to the customer. */
export interface Conversation {
  readonly returnUrl: string
  readonly language: Language
  /** Of a recurring payment: what is charged. */
  readonly mandateId?: string
}

/** The VAT of payments into a wallet now; undefined: none. */
export async function vatOfWallet(
  { db, clock, config }: Pick<PaymentParts, 'db' | 'clock' | 'config'>,
  walletId: string,
): Promise<VatTerms | undefined> {
  const { country } = await readPayer(db, walletId)
  return vatTerms(await vatOfPayer(db, country, clock.now()), config)
}

/**
 * Writes a payment down, before anybody is asked for it; gives its id. What the wallet gets and what is paid differ where
 * VAT comes on top; reference api-billing-admin §7.
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
 * Writes a payment down with all that goes with it, unless an earlier run of the same request has done so. Gives its id, which
 * is that of the request where it must happen once: so is the key of the ledger.
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
 * Asks the provider for a payment that is written down. Throws ProviderUnavailable, and the payment stays open until a
 * later look tells what came of it; PaymentRefused, and it has failed; PaymentsNotOffered when its provider is gone.
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
    // rows are written with methods of the contract only
    method: payment.method as PaymentMethodId,
    description: payment.description,
    returnUrl,
    language,
  }
}

/** A look of the background may have been faster, and knows more. */
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
  // the rest of what the provider knows of it, as whether it can be cancelled
  await settleSoon(trx, jobs, payment.id)
}

/**
 * Who the wallet is at the provider from now on. Where another one answers than was asked for, the provider had deleted
 * that one: the new one takes its place, so that the next payment does not make yet another, and the record says so.
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
