import { after, day } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { readPlans } from '../../subscriptions/plan-store.ts'
import { planCost } from '../../subscriptions/plans.ts'
import { awaitsPayment } from '../../users/account-lock.ts'
import type { TopUpFacts } from './decide-top-up.ts'
import { type LeastAmount, leastAmount } from './least-amount.ts'
import { chargesSince, type PayingAccount } from './mandate-store.ts'

/** An account in mandate mode whose first payment is missing. */
export function isLocked({ plan, status }: PayingAccount): boolean {
  return awaitsPayment(plan?.mode, status)
}

/** The minimum auto-payment amount of an account. */
export async function leastAmountOf(db: Db, account: PayingAccount): Promise<LeastAmount> {
  const { balance, discount, plan } = account
  const full =
    plan === null ? undefined : (await readPlans(db, account.tenantId)).find(({ id }) => id === plan.id)
  return leastAmount({ planCost: full === undefined ? 0 : planCost(full), discount, balance })
}

/** Days of payments that a decision takes into account. */
const memory = 30

/** Pending and recent payments into a wallet by its mandate; one payment may be excluded. */
export async function readCharges(
  db: Db,
  walletId: string,
  now: Date,
  without?: string,
): Promise<Pick<TopUpFacts, 'hasPending' | 'recent'>> {
  const rows = await chargesSince(db, walletId, after(now, -memory * day), without)
  // an abandoned payment page brings no money
  const coming = rows.filter(
    ({ type, status }) => status !== 'paid' && (type === 'recurring' || status !== 'open'),
  )
  const brought = rows.filter((row) => row.status === 'paid' || coming.includes(row))
  return {
    hasPending: coming.length > 0,
    recent: brought.map(({ createdAt: at, amount }) => ({ at, amount })),
  }
}
