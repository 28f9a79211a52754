import type { Db } from '../../../platform/db/database.ts'
import { newUuid } from '../../../platform/ids.ts'
import { bookMoney } from '../../book.ts'
import type { PaymentParts } from '../payment-parts.ts'
import { insertPayment, type PaymentRow, readReversals } from '../payment-store.ts'
import { proportion } from '../proportion.ts'
import type { ProviderPayment, Reversal } from '../providers/provider.ts'
import { raiseAlarm } from './alarms.ts'

/** The difference between a reversal at the provider and what is booked for it. */
interface Step {
  readonly id: string
  readonly type: Reversal['type']
  /** Minor units of the payment's currency; negative to undo a booking. */
  readonly amount: number
  readonly at: Date
  /** Number of rows of this reversal. */
  readonly rows: number
}

/**
 * Books new reversals of a payment: each refund and chargeback once, and undone ones back, at the payment's
 * own rate. Their sum never exceeds the payment; any excess is left to an operator. The caller holds the locks
 * of wallet and payment.
 */
export async function bookReversals(
  trx: Db,
  parts: PaymentParts,
  payment: PaymentRow,
  said: ProviderPayment,
): Promise<void> {
  if (payment.currencyAmount === 0) return
  const booked = await readReversals(trx, payment.id)
  let total = booked.reduce((sum, row) => sum - row.currencyAmount, 0)
  for (const step of stepsOf(said.reversals, booked, parts.clock.now())) {
    const wanted = total + step.amount
    const reached = Math.min(wanted, payment.currencyAmount)
    if (wanted > reached) await tellExcess(trx, parts, payment, step, wanted)
    if (reached !== total) await bookStep(trx, parts, payment, step, { from: total, to: reached })
    total = reached
  }
}

/** The steps to book; undone reversals first, because they make room for the rest. */
function stepsOf(listed: readonly Reversal[], booked: readonly PaymentRow[], now: Date): Step[] {
  const known = new Map<string, { type: Reversal['type']; amount: number; rows: number }>()
  for (const row of booked) {
    const id = (row.providerId ?? row.id).split('#', 1)[0] ?? ''
    const type = row.type === 'chargeback' ? 'chargeback' : 'refund'
    const before = known.get(id) ?? { type, amount: 0, rows: 0 }
    known.set(id, { type, amount: before.amount - row.currencyAmount, rows: before.rows + 1 })
  }
  const steps: Step[] = listed.map(({ id, type, amount, at }) => {
    const before = known.get(id)
    return { id, type, at, amount: amount - (before?.amount ?? 0), rows: before?.rows ?? 0 }
  })
  const names = new Set(listed.map(({ id }) => id))
  for (const [id, { type, amount, rows }] of known) {
    if (!names.has(id)) steps.push({ id, type, at: now, amount: -amount, rows })
  }
  return steps.filter(({ amount }) => amount !== 0).sort((a, b) => Math.sign(a.amount) - Math.sign(b.amount))
}

/** Computes shares from cumulative sums, so that parts add up to exactly the payment. */
async function bookStep(
  trx: Db,
  parts: PaymentParts,
  payment: PaymentRow,
  step: Step,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<void> {
  const share = (whole: number) =>
    proportion(whole, to, payment.currencyAmount) - proportion(whole, from, payment.currencyAmount)
  const credit = share(payment.creditAmount)
  const providerId = step.rows === 0 ? step.id : `${step.id}#${step.rows + 1}`
  const now = parts.clock.now()
  await insertPayment(trx, {
    id: newUuid(),
    walletId: payment.walletId,
    type: step.type,
    status: 'paid',
    provider: payment.provider,
    providerId,
    method: payment.method,
    methodText: payment.methodText,
    amount: -share(payment.amount),
    creditAmount: -credit,
    currency: payment.currency,
    currencyAmount: from - to,
    vatRateId: payment.vatRateId,
    description: payment.description,
    refundOf: payment.id,
    createdAt: now,
    paidAt: step.at > now ? now : step.at,
  })
  const back = credit < 0
  await bookMoney(trx, parts, {
    walletId: payment.walletId,
    type: back ? 'credit' : step.type === 'refund' ? 'refund' : 'chback',
    amount: Math.abs(credit),
    key: `payment:${payment.provider}:${providerId}`,
    text: back ? 'reversal-undone' : step.type,
    parameters: { payment: payment.id },
  })
  if (back) {
    for (const follower of parts.followers) await follower.restored?.(trx, payment)
    return
  }
  for (const follower of parts.followers) await follower.reversed?.(trx, payment, step.type, credit)
}

async function tellExcess(
  trx: Db,
  parts: PaymentParts,
  payment: PaymentRow,
  step: Step,
  wanted: number,
): Promise<void> {
  await raiseAlarm(trx, parts, {
    provider: payment.provider,
    providerId: step.id,
    kind: 'over-reversed',
    paymentId: payment.id,
    facts: { wanted, payment: payment.currencyAmount, currency: payment.currency },
  })
}
