import type { HealthCheck } from '../platform/health/health-check.ts'
import type { BillingConfig } from './billing-settings.ts'
import { readPaymentFacts, readRatesAge } from './health-store.ts'

const paymentsCheck: HealthCheck<Pick<BillingConfig, 'paymentProvider'>> = {
  name: 'payments',
  async ask({ config, db, clock }) {
    const { alarms, pending } = await readPaymentFacts(db, clock.now())
    const provider = config.paymentProvider ?? null
    const state = alarms > 0 ? 'degraded' : 'ok'
    return { state: provider === null ? 'unused' : state, facts: { provider, alarms, pending } }
  },
}

const exchangeCheck: HealthCheck<Pick<BillingConfig, 'EXCHANGE_RATES' | 'EXCHANGE_RATE_DAYS'>> = {
  name: 'exchange',
  async ask({ config, db, clock }) {
    const ageDays = await readRatesAge(db, clock.now())
    const facts = { ageDays }
    // without a source, rates only matter if an operator has imported some
    if (ageDays === null) return { state: config.EXCHANGE_RATES === undefined ? 'unused' : 'degraded', facts }
    return { state: ageDays > config.EXCHANGE_RATE_DAYS ? 'degraded' : 'ok', facts }
  },
}

/** Health of payments. */
export const billingChecks: readonly HealthCheck<BillingConfig>[] = [paymentsCheck, exchangeCheck]
