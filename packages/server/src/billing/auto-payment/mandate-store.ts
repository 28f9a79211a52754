import { pendingStatuses } from '@gatehouse/contract/billing/payments'
import { type Selectable, sql, type Updateable } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { Schema } from '../../platform/db/schema.ts'
import { NotFound } from '../../platform/http/errors.ts'
import type { PaymentRow } from '../payments/payment-store.ts'

export type MandateRow = Selectable<Schema['walletMandates']>
export type DisabledReason = NonNullable<MandateRow['disabledReason']>

/** An existing mandate as known to the provider. */
export interface LivingMandate {
  readonly provider: string
  readonly providerId: string
  readonly customerId: string | null
  readonly status: NonNullable<MandateRow['status']>
  readonly readAt: Date
}

export interface Amounts {
  /** Amount of a top-up in cents. */
  readonly amount: number
  /** Cents; a top-up is made below this balance. */
  readonly threshold: number
}

/** Auto-payment of a wallet; undefined if it was never requested. */
export async function readMandate(db: Db, walletId: string): Promise<MandateRow | undefined> {
  return db.selectFrom('walletMandates').selectAll().where('walletId', '=', walletId).executeTakeFirst()
}

/** The mandate in a row; undefined if only amounts are stored. */
export function livingMandate(row: MandateRow | undefined): LivingMandate | undefined {
  if (row === undefined) return undefined
  const { provider, providerId, status, readAt, customerId } = row
  if (provider === null || providerId === null || status === null || readAt === null) return undefined
  return { provider, providerId, customerId, status, readAt }
}

/** Stores the desired amounts, with or without a mandate. The caller holds the wallet's lock. */
export async function writeAmounts(db: Db, walletId: string, amounts: Amounts, now: Date): Promise<void> {
  const values = { amount: amounts.amount, threshold: amounts.threshold, updatedAt: now }
  await db
    .insertInto('walletMandates')
    .values({ walletId, ...values })
    .onConflict((conflict) => conflict.column('walletId').doUpdateSet(values))
    .execute()
}

export async function updateMandate(
  db: Db,
  walletId: string,
  facts: Updateable<Schema['walletMandates']>,
): Promise<void> {
  await db.updateTable('walletMandates').set(facts).where('walletId', '=', walletId).execute()
}

/** Column values of a row without a mandate. */
export const noMandate = {
  provider: null,
  providerId: null,
  customerId: null,
  method: null,
  methodId: null,
  status: null,
  readAt: null,
  disabledAt: null,
  disabledReason: null,
} as const satisfies Updateable<Schema['walletMandates']>

export async function insertSetup(
  db: Db,
  setup: { readonly paymentId: string; readonly walletId: string } & Amounts,
): Promise<void> {
  await db
    .insertInto('mandateSetups')
    .values({
      paymentId: setup.paymentId,
      walletId: setup.walletId,
      amount: setup.amount,
      threshold: setup.threshold,
    })
    .execute()
}

/** The set-up attempt that a payment belongs to. */
export async function readSetup(
  db: Db,
  paymentId: string,
): Promise<Selectable<Schema['mandateSetups']> | undefined> {
  return db.selectFrom('mandateSetups').selectAll().where('paymentId', '=', paymentId).executeTakeFirst()
}

/** An attempt that may still succeed. */
export interface OpenSetup extends Amounts {
  readonly paymentId: string
  readonly methodId: string
  readonly providerId: string | null
}

/** A wallet's attempts that may still succeed and are still wanted, newest first. */
export async function openSetups(db: Db, walletId: string): Promise<OpenSetup[]> {
  const rows = await db
    .selectFrom('mandateSetups as s')
    .innerJoin('payments as p', 'p.id', 's.paymentId')
    .select(['s.paymentId', 's.amount', 's.threshold', 'p.method', 'p.providerId'])
    .where('s.walletId', '=', walletId)
    .where('s.isWithdrawn', '=', false)
    .where('p.status', 'in', pendingStatuses)
    .orderBy('p.createdAt', 'desc')
    .orderBy('p.id', 'desc')
    .execute()
  return rows.map(({ paymentId, method: methodId, providerId, ...amounts }) => ({
    paymentId,
    methodId,
    providerId,
    ...amounts,
  }))
}

/** The latest attempt for which the customer was redirected to the provider. */
export async function begunSetup(db: Db, walletId: string): Promise<OpenSetup | undefined> {
  return (await openSetups(db, walletId)).find(({ providerId }) => providerId !== null)
}

/** Whether a wallet's latest attempt that is still wanted failed. */
export async function hasSetupFailed(db: Db, walletId: string): Promise<boolean> {
  const last = await db
    .selectFrom('mandateSetups as s')
    .innerJoin('payments as p', 'p.id', 's.paymentId')
    .select('p.status')
    .where('s.walletId', '=', walletId)
    .where('s.isWithdrawn', '=', false)
    .orderBy('p.createdAt', 'desc')
    .orderBy('p.id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return last?.status === 'failed'
}

/** Changes the amounts of attempts that may still succeed. */
export async function changeOpenSetups(db: Db, walletId: string, amounts: Amounts): Promise<void> {
  await db
    .updateTable('mandateSetups as s')
    .from('payments as p')
    .set({ amount: amounts.amount, threshold: amounts.threshold })
    .whereRef('p.id', '=', 's.paymentId')
    .where('s.walletId', '=', walletId)
    .where('p.status', 'in', pendingStatuses)
    .execute()
}

/** True if auto-payment of a wallet was set up again after the given time. */
export async function wasSetUpAfter(db: Db, walletId: string, moment: Date): Promise<boolean> {
  const row = await db
    .selectFrom('mandateSetups as s')
    .innerJoin('payments as p', 'p.id', 's.paymentId')
    .select('p.id')
    .where('s.walletId', '=', walletId)
    .where('s.isWithdrawn', '=', false)
    .where('p.status', '=', 'paid')
    .where('p.paidAt', '>', moment)
    .executeTakeFirst()
  return row !== undefined
}

/** Marks a wallet's earlier attempts as unwanted, so that a mandate resulting from them is revoked. */
export async function withdrawSetups(db: Db, walletId: string): Promise<void> {
  await db
    .updateTable('mandateSetups')
    .set({ isWithdrawn: true })
    .where('walletId', '=', walletId)
    .where('isWithdrawn', '=', false)
    .execute()
}

/** Wallets whose mandate hasn't been refreshed since the given time, oldest first. */
export async function staleMandates(db: Db, before: Date, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('walletMandates as m')
    .innerJoin('wallets as w', 'w.id', 'm.walletId')
    .innerJoin('users as o', 'o.id', 'w.userId')
    .select('m.walletId')
    .where('m.status', 'in', ['valid', 'pending'])
    .where('m.readAt', '<', before)
    .where('o.deletedAt', 'is', null)
    .orderBy('m.readAt')
    .limit(limit)
    .execute()
  return rows.map((row) => row.walletId)
}

/** Wallets, all or one, that a check may top up: below their threshold, with an enabled mandate. */
export async function walletsToTopUp(db: Db, walletId?: string): Promise<string[]> {
  const rows = await db
    .selectFrom('walletMandates as m')
    .innerJoin('wallets as w', 'w.id', 'm.walletId')
    .innerJoin('users as o', 'o.id', 'w.userId')
    .select('m.walletId')
    .where('m.providerId', 'is not', null)
    .where('m.disabledAt', 'is', null)
    .where('o.deletedAt', 'is', null)
    .whereRef('w.balance', '<', 'm.threshold')
    .$if(walletId !== undefined, (query) => query.where('m.walletId', '=', walletId ?? ''))
    .orderBy('m.walletId')
    .execute()
  return rows.map((row) => row.walletId)
}

/** A wallet with the data relevant to auto-payment. */
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
  /** Cents per month; null if none. */
  readonly monthlyCeiling: number | null
}

interface Row extends Omit<PayingAccount, 'plan'> {
  planId: string | null
  planMode: string
  planMonths: number
}

/** Reads a wallet with the data relevant to auto-payment. Throws NotFound. */
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

/** Payments by a mandate that were paid since the given time, or are pending; one may be excluded. */
export function chargesSince(db: Db, walletId: string, since: Date, without?: string) {
  return db
    .selectFrom('payments')
    .select(['type', 'status', 'amount', 'createdAt'])
    .where('walletId', '=', walletId)
    .$if(without !== undefined, (query) => query.where('id', '!=', without ?? ''))
    .where('type', 'in', ['recurring', 'mandate'])
    .where('amount', '>', 0)
    .where('status', 'in', ['paid', ...pendingStatuses])
    .where((eb) => eb.or([eb('status', '!=', 'paid'), eb('createdAt', '>', since)]))
    .execute()
}

/** A stored top-up without a response from its provider. */
export function unansweredCharge(
  db: Db,
  walletId: string,
): Promise<Pick<PaymentRow, 'id' | 'provider'> | undefined> {
  return db
    .selectFrom('payments')
    .select(['id', 'provider'])
    .where('walletId', '=', walletId)
    .where('type', '=', 'recurring')
    .where('status', 'in', pendingStatuses)
    .where('providerId', 'is', null)
    .executeTakeFirst()
}
