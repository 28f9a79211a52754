import { setRates } from '../../billing/exchange/exchange-store.ts'
import { post } from '../../billing/ledger/post.ts'
import { insertPayment } from '../../billing/payments/payment-store.ts'
import { sandboxToken } from '../../billing/payments/sandbox/sandbox.ts'
import { insertOnce } from '../../billing/payments/sandbox/sandbox-store.ts'
import { after, type Clock, day, minute } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { newUuid } from '../../platform/ids.ts'
import { type Secrets, sha256 } from '../../platform/secrets.ts'
import type { OperatorConfig } from '../operator-config.ts'

/** Writes a demo payment to the portal and the sandbox, as if it had been made normally. */
export async function makeDemoPayment(
  trx: Db,
  secrets: Secrets,
  facts: {
    readonly id: string
    readonly walletId: string
    /** Cents. */
    readonly amount: number
    readonly config: OperatorConfig
    readonly vatRateId: string
    readonly at: Date
    readonly status: 'paid' | 'pending'
    readonly payer: string
  },
): Promise<void> {
  const { id, walletId, amount, config, at, status } = facts
  const providerId = `sbx_${id.replaceAll('-', '_')}`
  const description = `${config.APP_NAME} payment`
  const paidAt = status === 'paid' ? at : null
  const method = status === 'paid' ? 'creditcard' : 'paypal'
  const methodText = status === 'paid' ? 'Visa •••• 4242' : 'PayPal'
  const currency = config.APP_CURRENCY
  await insertOnce(trx, {
    id: providerId,
    paymentId: id,
    tokenHash: sha256(sandboxToken(secrets, providerId)),
    ...{ kind: 'payment', method, status, amount, currency, description },
    payer: facts.payer,
    returnUrl: `${config.APP_URL}/wallet`,
    language: config.APP_LOCALE,
    ...{ mandateId: null, methodText, createdAt: at, paidAt },
  })
  await insertPayment(trx, {
    ...{ id, walletId, type: 'oneoff', status, provider: 'sandbox', providerId },
    ...{ method, methodText, refundOf: null, amount, creditAmount: amount, currency },
    ...{ vatRateId: facts.vatRateId, description, createdAt: at, paidAt },
    isCancelable: status === 'pending',
    // the first check of a pending payment adds the URL to continue it
    nextLookAt: after(at, status === 'pending' ? minute : 30 * day),
  })
}

/** Writes a completed payment with its credit. */
export async function payDemo(
  trx: Db,
  secrets: Secrets,
  facts: Omit<Parameters<typeof makeDemoPayment>[2], 'status'>,
): Promise<void> {
  const { id, walletId, amount, at } = facts
  await makeDemoPayment(trx, secrets, { ...facts, status: 'paid' })
  const then: Clock = { now: () => at }
  await post(trx, then, { walletId, type: 'credit', amount, key: `payment:${id}`, text: 'payment' })
}

/** Writes a pending payment and an exchange rate, so that transfers in euros are offered. */
export async function makeDemoPending(
  trx: Db,
  clock: Clock,
  secrets: Secrets,
  facts: { readonly walletId: string; readonly config: OperatorConfig; readonly vatRateId: string },
): Promise<void> {
  const { config } = facts
  const at = after(clock.now(), -day)
  await makeDemoPayment(trx, secrets, {
    ...facts,
    id: newUuid(),
    amount: 3_000,
    at,
    status: 'pending',
    payer: 'Olivia Berger',
  })
  if (config.APP_CURRENCY !== 'CHF') return
  const today = clock.now().toISOString().slice(0, 10)
  await setRates(trx, { base: 'CHF', day: today, rates: new Map([['EUR', '1.0638']]) })
}
