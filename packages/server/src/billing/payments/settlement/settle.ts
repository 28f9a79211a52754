import { hasBit, userStatus } from '@gatehouse/contract/status'
import type { Updateable } from 'kysely'
import { after, type Clock, hour } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/database.ts'
import type { Schema } from '../../../platform/db/schema.ts'
import { holdWallet } from '../../../subscriptions/entitlement-store.ts'
import { activateAccount } from '../../../users/account-state.ts'
import { bookMoney } from '../../book.ts'
import { liftRestrictions } from '../../life-cycle/account-state.ts'
import { ownerOf } from '../../life-cycle/debt-store.ts'
import { tellHolders } from '../../life-cycle/wallet-mail.ts'
import { requestReturn } from '../closed-account-jobs.ts'
import type { PaymentParts } from '../payment-parts.ts'
import {
  customersOf,
  findByProvider,
  holdPayment,
  type PaymentRow,
  readPayment,
  updatePayment,
} from '../payment-store.ts'
import { proportion } from '../proportion.ts'
import type { ProviderPayment } from '../providers/provider.ts'
import { raiseAlarm } from './alarms.ts'
import { bookReversals } from './book-reversals.ts'
import { isPending, nextLook } from './look-schedule.ts'

/** Seconds after which a payment unknown to the provider is given up. */
const givenUp = hour
/** Maximum retries if another process has stored a newer state meanwhile. */
const tries = 10

/**
 * Settles a payment according to its provider, with all effects: credits the wallet, and unlocks or restores
 * the account. However often and in whichever order it is called, a payment is credited once and each reversal
 * booked once. Returns the updated payment; undefined if the ID doesn't exist. Throws ProviderUnavailable.
 */
export async function settle(parts: PaymentParts, paymentId: string): Promise<PaymentRow | undefined> {
  for (let left = tries; left > 0; left--) {
    const before = await readPayment(parts.db, paymentId)
    if (before === undefined) return undefined
    if (before.refundOf !== null) return settle(parts, before.refundOf)
    const provider = parts.providers.named(before.provider)
    if (provider === undefined) {
      parts.log.warn({ payment: paymentId, provider: before.provider }, 'payment with unknown provider')
      return before
    }
    const said =
      before.providerId === null
        ? await provider.findPayment(before.id, await customerId(parts.db, before))
        : await provider.readPayment(before.providerId)
    const settled = await parts.db.transaction().execute((trx) => follow(trx, parts, before, said))
    if (settled !== undefined) return settled
  }
  return readPayment(parts.db, paymentId)
}

async function customerId(db: Db, { walletId, provider }: PaymentRow): Promise<string | null> {
  const known = await customersOf(db, walletId)
  return known.find((customer) => customer.provider === provider)?.id ?? null
}

/** Undefined if a possibly newer state was stored during the provider call. */
async function follow(
  trx: Db,
  parts: PaymentParts,
  before: PaymentRow,
  said: ProviderPayment | undefined,
): Promise<PaymentRow | undefined> {
  await holdWallet(trx, before.walletId)
  const payment = await holdPayment(trx, before.id)
  if (payment === undefined || payment.changes !== before.changes) return undefined
  if (said === undefined) return silence(trx, parts, payment)
  if (await isForeign(trx, parts, payment, said)) return write(trx, parts.clock, payment, {})
  const settled = await write(trx, parts.clock, payment, newFacts(payment, said, parts.clock.now()))
  if (settled.status === 'paid' && payment.status !== 'paid') await credit(trx, parts, settled, said)
  if (hasEnded(settled) && !hasEnded(payment)) await tellEnd(trx, parts, settled)
  if (settled.status === 'paid') await bookReversals(trx, parts, settled, said)
  return settled
}

/**
 * Handles a payment unknown to the provider. If it never responded, the request didn't arrive; otherwise the
 * provider lost it.
 */
async function silence(trx: Db, parts: PaymentParts, payment: PaymentRow): Promise<PaymentRow> {
  const { clock } = parts
  if (payment.providerId !== null) {
    await raiseAlarm(trx, parts, {
      provider: payment.provider,
      providerId: payment.providerId,
      kind: 'lost',
      paymentId: payment.id,
      facts: { status: payment.status },
    })
    return write(trx, clock, payment, {})
  }
  const isOver = isPending(payment.status) && after(payment.createdAt, givenUp) <= clock.now()
  // nothing was charged, and there is no failure for the customer to fix
  return isOver ? endPayment(trx, parts, payment, 'canceled') : write(trx, clock, payment, {})
}

/** Marks a payment as failed, with all effects. The caller holds the locks of wallet and payment. */
export async function endPayment(
  trx: Db,
  parts: PaymentParts,
  payment: PaymentRow,
  status: 'failed' | 'canceled' | 'expired',
): Promise<PaymentRow> {
  const ended = await write(trx, parts.clock, payment, { status, checkoutUrl: null, isCancelable: false })
  await tellEnd(trx, parts, ended)
  return ended
}

/** True if the provider's payment is another one, or in another currency: it must not be booked. */
async function isForeign(
  trx: Db,
  parts: PaymentParts,
  payment: PaymentRow,
  said: ProviderPayment,
): Promise<boolean> {
  const holder = await findByProvider(trx, payment.provider, said.id)
  const isOurs =
    (said.paymentId === null || said.paymentId === payment.id) &&
    said.currency === payment.currency &&
    (holder === undefined || holder.id === payment.id) &&
    (payment.currencyAmount > 0 || said.amount === 0)
  if (isOurs) return false
  await raiseAlarm(trx, parts, {
    provider: payment.provider,
    providerId: said.id,
    kind: 'mismatch',
    paymentId: payment.id,
    facts: {
      said: { payment: said.paymentId, amount: said.amount, currency: said.currency, status: said.status },
      known: { amount: payment.currencyAmount, currency: payment.currency },
    },
  })
  return true
}

/** Changes from a check. A received payment stays received; reversals are booked separately. */
function newFacts(payment: PaymentRow, said: ProviderPayment, now: Date): Updateable<Schema['payments']> {
  const facts = {
    providerId: said.id,
    methodText: said.method ?? payment.methodText,
    isCancelable: said.isCancelable && isPending(said.status),
    checkoutUrl: isPending(said.status) ? (said.checkoutUrl ?? payment.checkoutUrl) : null,
  }
  if (payment.status === 'paid') return facts
  if (said.status !== 'paid') return { ...facts, status: said.status }
  const paidAt = said.paidAt === null || said.paidAt > now ? now : said.paidAt
  return { ...facts, ...receivedAmounts(payment, said.amount), status: 'paid', paidAt }
}

/** Uses the received amount instead of the requested one, at the original rate. */
function receivedAmounts(payment: PaymentRow, received: number): Updateable<Schema['payments']> {
  if (received === payment.currencyAmount) return {}
  const share = (amount: number) => proportion(amount, received, payment.currencyAmount)
  return {
    amount: share(payment.amount),
    creditAmount: share(payment.creditAmount),
    currencyAmount: received,
  }
}

/** Stores the result of a check and schedules the next one. */
async function write(
  trx: Db,
  clock: Clock,
  payment: PaymentRow,
  facts: Updateable<Schema['payments']>,
): Promise<PaymentRow> {
  const now = clock.now()
  const names = Object.keys(facts) as (keyof typeof facts & keyof PaymentRow)[] // columns of the row
  const isChanged = names.some((name) => String(facts[name]) !== String(payment[name]))
  const changed: PaymentRow = {
    ...payment,
    // the facts are values of columns, not expressions
    ...(facts as Partial<PaymentRow>),
    ...(isChanged && { changes: payment.changes + 1, looks: 0, updatedAt: now }),
  }
  const next = { nextLookAt: nextLook(changed, now) }
  const { changes, looks, updatedAt } = changed
  await updatePayment(trx, payment.id, { ...facts, ...next, changes, looks, updatedAt })
  return { ...changed, ...next }
}

/** Credits a received payment to the wallet and restores the account; reference api-billing-admin §6. */
async function credit(
  trx: Db,
  parts: PaymentParts,
  payment: PaymentRow,
  said: ProviderPayment,
): Promise<void> {
  const { walletId, creditAmount: amount } = payment
  const isAutomatic = payment.type === 'recurring'
  await bookMoney(trx, parts, {
    walletId,
    type: 'credit',
    amount,
    key: `payment:${payment.id}`,
    text: isAutomatic ? 'auto-payment' : 'payment',
    parameters: { payment: payment.id, method: payment.methodText ?? payment.method },
  })
  // a working mandate counts like money
  if (amount === 0) await liftRestrictions(trx, parts.clock, walletId)
  await activateOwner(trx, parts.clock, walletId)
  for (const follower of parts.followers) await follower.credited?.(trx, payment, said)
  if (amount === 0) return
  if ((await ownerOf(trx, walletId)).isDeleted) return requestReturn(trx, parts.jobs, payment.id)
  const mail = isAutomatic ? 'PaymentSuccess' : 'PaymentReceived'
  await tellHolders(trx, parts.jobs, walletId, { mail, amount: payment.amount }, parts.config.APP_LDAP)
}

/** The first payment unlocks a locked account. */
async function activateOwner(trx: Db, clock: Clock, walletId: string): Promise<void> {
  const owner = await ownerOf(trx, walletId)
  if (owner.isDeleted || hasBit(owner.status, userStatus.active)) return
  await activateAccount(trx, clock, owner.id, { actor: {}, comment: 'first payment' })
}

async function tellEnd(trx: Db, parts: PaymentParts, payment: PaymentRow): Promise<void> {
  for (const follower of parts.followers) await follower.ended?.(trx, payment)
  if (payment.type !== 'recurring' || payment.status === 'canceled') return
  const letter = { mail: 'PaymentFailure', amount: payment.amount } as const
  await tellHolders(trx, parts.jobs, payment.walletId, letter, parts.config.APP_LDAP)
}

function hasEnded({ status }: PaymentRow): boolean {
  return status !== 'paid' && !isPending(status)
}
