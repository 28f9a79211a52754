import { after, day } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { readPlans } from '../../subscriptions/plan-store.ts'
import { planCost } from '../../subscriptions/plans.ts'
import { awaitsPayment } from '../../users/account-lock.ts'
import type { TopUpFacts } from './decide-top-up.ts'
import { type LeastAmount, leastAmount } from './least-amount.ts'
import { chargesSince, type PayingAccount } from './mandate-store.ts'

/** An account in mandate mode that its owner has yet to pay for. */
export function isLocked({ plan, status }: PayingAccount): boolean {
  return awaitsPayment(plan?.mode, status)
}

/** The least amount of auto-payment of an account. */
export async function leastAmountOf(db: Db, account: PayingAccount): Promise<LeastAmount> {
  const { balance, discount, plan } = account
  const full =
    plan === null ? undefined : (await readPlans(db, account.tenantId)).find(({ id }) => id === plan.id)
  return leastAmount({ planCost: full === undefined ? 0 : planCost(full), discount, balance })
}

/** Days whose payments a decision looks back at. */
const memory = 30

/** What is on its way into a wallet by its mandate, and what came in of late; one payment may be left out. */
export async function readCharges(
  db: Db,
  walletId: string,
  now: Date,
  without?: string,
): Promise<Pick<TopUpFacts, 'hasPending' | 'recent'>> {
  const rows = await chargesSince(db, walletId, after(now, -memory * day), without)
  // a page of the provider that nobody went on with brings nothing
  const coming = rows.filter(
    ({ type, status }) => status !== 'paid' && (type === 'recurring' || status !== 'open'),
  )
  const brought = rows.filter((row) => row.status === 'paid' || coming.includes(row))
  return {
    hasPending: coming.length > 0,
    recent: brought.map(({ createdAt: at, amount }) => ({ at, amount })),
  }
}
