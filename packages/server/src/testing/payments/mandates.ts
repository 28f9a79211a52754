import { topUp } from '../../billing/auto-payment/top-up.ts'
import { checkWalletJob } from '../../billing/billing-jobs.ts'
import type { TestCard } from '../../billing/payments/sandbox/sandbox.ts'
import type { TestApp } from '../test-app.ts'
import { type Payer, sandboxOf } from './sandbox.ts'

export interface MandateFacts {
  /** Major units. */
  readonly amount?: number
  readonly balance?: number
  readonly card?: TestCard
}

/** Opens the provider's page for auto-payment; returns the payment's id there. */
export async function beginMandate(
  app: TestApp,
  payer: Payer,
  { amount = 20, balance = 10 }: MandateFacts = {},
): Promise<{ id: string; providerId: string; url: string }> {
  const { status, body } = await payer.call('POST /api/v4/payments/mandate', { amount, balance })
  if (status !== 200) throw new Error(`no mandate: ${JSON.stringify(body)}`)
  const { providerId } = await app.database.db
    .selectFrom('payments')
    .select('providerId')
    .where('id', '=', body.id as string)
    .executeTakeFirstOrThrow()
  return { id: body.id, providerId: providerId ?? '', url: body.redirectUrl }
}

/** Sets up auto-payment with a card and processes messages and jobs. Returns the mandate's id. */
export async function makeMandate(app: TestApp, payer: Payer, facts: MandateFacts = {}): Promise<string> {
  const { providerId } = await beginMandate(app, payer, facts)
  await sandboxOf(app).decide(providerId, 'paid', facts.card)
  await app.jobs.drain()
  const { body } = await payer.call('GET /api/v4/payments/mandate')
  if (body.isValid !== true) throw new Error(`the mandate is not valid: ${JSON.stringify(body)}`)
  return body.id
}

/** Returns automatic payments, oldest first. */
export function chargesOf(app: TestApp, walletId: string) {
  return app.database.db
    .selectFrom('payments')
    .select(['id', 'providerId', 'status', 'amount', 'description'])
    .where('walletId', '=', walletId)
    .where('type', '=', 'recurring')
    .orderBy('createdAt')
    .orderBy('id')
    .execute()
}

/** Returns the sandbox's payments for these, in its own order. */
export function sandboxCharges(app: TestApp, walletId: string) {
  return app.database.db
    .selectFrom('sandboxPayments as s')
    .innerJoin('payments as p', 'p.id', 's.paymentId')
    .select(['s.id', 's.status', 's.amount'])
    .where('p.walletId', '=', walletId)
    .where('s.kind', '=', 'charge')
    .orderBy('s.id')
    .execute()
}

/** Runs a wallet's four-hourly check, with everything that follows. */
export async function checkWalletNow(app: TestApp, walletId: string): Promise<void> {
  await app.jobs.enqueue(app.database.db, checkWalletJob, { walletId })
  await app.jobs.drain()
}

/** Tops up a wallet like the job, but directly; for the owner, if they requested it. */
export function topUpNow(app: TestApp, walletId: string, askedAt?: Date) {
  return topUp(app.autoPayment, walletId, {
    by: askedAt === undefined ? 'portal' : 'owner',
    askedAt: askedAt ?? null,
  })
}
