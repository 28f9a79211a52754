import { pendingStatuses } from '@gatehouse/contract/billing/payments'
import { sql } from 'kysely'
import { after, day } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { NotFound } from '../../platform/http/errors.ts'
import { readPlans } from '../../subscriptions/plan-store.ts'
import { planCost } from '../../subscriptions/plans.ts'
import { awaitsPayment } from '../../users/account-lock.ts'
import type { TopUpFacts } from './decide-top-up.ts'
import { type LeastAmount, leastAmount } from './least-amount.ts'

/** A wallet as auto-payment sees it. */
export interface PayingAccount {
  readonly walletId: string
  readonly ownerId: number
  readonly tenantId: number
  readonly currency: string
  /** Cents. */
  readonly balance: number
  /** Percent. */
  readonly discount: number
  readonly status: number
  readonly isDeleted: boolean
  readonly plan: { readonly id: string; readonly mode: string; readonly months: number } | null
  /** Cents a month; null: none. */
  readonly monthlyCeiling: number | null
}

interface Row extends Omit<PayingAccount, 'plan'> {
  planId: string | null
  planMode: string
  planMonths: number
}

/** Reads a wallet with what auto-payment depends on. Throws NotFound. */
export async function readPayingAccount(db: Db, walletId: string): Promise<PayingAccount> {
  const { rows } = await sql<Row>`select w.id as "walletId", o.id as "ownerId", o.tenant_id as "tenantId",
      w.currency, w.balance, coalesce(d.discount, 0) as discount, o.status, o.deleted_at is not null as "isDeleted",
      p.id as "planId", p.mode as "planMode", p.months as "planMonths", c.value::bigint as "monthlyCeiling"
    from wallets w join users o on o.id = w.user_id
      left join discounts d on d.id = w.discount_id
      left join user_settings s on s.user_id = o.id and s.key = 'plan_id'
      left join plans p on p.id::text = s.value
      left join wallet_settings c on c.wallet_id = w.id and c.key = 'monthly_ceiling'
    where w.id = ${walletId}`.execute(db)
  const [row] = rows
  if (row === undefined) throw new NotFound()
  const { planId, planMode, planMonths, ...account } = row
  return { ...account, plan: planId === null ? null : { id: planId, mode: planMode, months: planMonths } }
}

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
  const rows = await db
    .selectFrom('payments')
    .select(['type', 'status', 'amount', 'created_at'])
    .where('wallet_id', '=', walletId)
    .$if(without !== undefined, (query) => query.where('id', '!=', without ?? ''))
    .where('type', 'in', ['recurring', 'mandate'])
    .where('amount', '>', 0)
    .where('status', 'in', ['paid', ...pendingStatuses])
    .where((eb) => eb.or([eb('status', '!=', 'paid'), eb('created_at', '>', after(now, -memory * day))]))
    .execute()
  // a page of the provider that nobody went on with brings nothing
  const coming = rows.filter(
    ({ type, status }) => status !== 'paid' && (type === 'recurring' || status !== 'open'),
  )
  const brought = rows.filter((row) => row.status === 'paid' || coming.includes(row))
  return {
    hasPending: coming.length > 0,
    recent: brought.map(({ created_at: at, amount }) => ({ at, amount })),
  }
}
