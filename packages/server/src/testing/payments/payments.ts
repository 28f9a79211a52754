import { insertPayment } from '../../billing/payments/payment-store.ts'
import type { Schema } from '../../platform/db/schema.ts'
import { newUuid } from '../../platform/ids.ts'
import type { TestApp } from '../test-app.ts'

export interface PaymentFacts {
  readonly amount: number
  /** Defaults to the amount. */
  readonly creditAmount?: number
  readonly type?: Schema['payments']['type']
  /** ISO 8601; null: not paid. Default: now. */
  readonly paidAt?: string | null
  readonly vatRateId?: string
  readonly refundOf?: string
}

/** Stores a payment without crediting the wallet. Returns its id. */
export async function makePayment(app: TestApp, walletId: string, facts: PaymentFacts): Promise<string> {
  const id = `tr_${newUuid().replaceAll('-', '')}`
  const now = app.clock.now()
  const paidAt = facts.paidAt === undefined ? now : facts.paidAt === null ? null : new Date(facts.paidAt)
  await insertPayment(app.database.db, {
    id,
    walletId,
    type: facts.type ?? 'oneoff',
    status: paidAt === null ? 'open' : 'paid',
    provider: 'sandbox',
    amount: facts.amount,
    creditAmount: facts.creditAmount ?? facts.amount,
    currency: 'CHF',
    vatRateId: facts.vatRateId ?? null,
    refundOf: facts.refundOf ?? null,
    createdAt: paidAt ?? now,
    paidAt,
  })
  return id
}
