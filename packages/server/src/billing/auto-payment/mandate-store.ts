import { pendingStatuses } from '@gatehouse/contract/billing/payments'
import { type Selectable, sql, type Updateable } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { Schema } from '../../platform/db/schema.ts'
import { NotFound } from '../../platform/http/errors.ts'
import type { PaymentRow } from '../payments/payment-store.ts'

export type MandateRow = Selectable<Schema['walletMandates']>
export type DisabledReason = NonNullable<MandateRow['disabledReason']>

/** A mandate that is there, as the provider knows it. */
export interface LivingMandate {
  readonly provider: string
  readonly providerId: string
  readonly customerId: string | null
  readonly status: NonNullable<MandateRow['status']>
  readonly readAt: Date
}

export interface Amounts {
  /** Cents that a top-up brings. */
  readonly amount: number
  /** Cents; a top-up is made below. */
  readonly threshold: number
}

/** Auto-payment of a wallet; undefined: nobody has ever asked for it. */
export async function readMandate(db: Db, walletId: string): Promise<MandateRow | undefined> {
  return db.selectFrom('walletMandates').selectAll().where('walletId', '=', walletId).executeTakeFirst()
}

/** The mandate of such a row; undefined: only amounts are known. */
export function livingMandate(row: MandateRow | undefined): LivingMandate | undefined {
  if (row === undefined) return undefined
  const { provider, providerId, status, readAt, customerId } = row
  if (provider === null || providerId === null || status === null || readAt === null) return undefined
  return { provider, providerId, customerId, status, readAt }
}

/** Writes down what is wanted, whether there is a mandate or not. The caller holds the wallet. */
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

/** What a row says when there is no mandate any more. */
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

/** The attempt that a payment is part of. */
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

/** Attempts of a wallet that may still succeed and are still wanted, newest first. */
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

/** The newest of those that the customer was sent on to the provider with. */
export async function begunSetup(db: Db, walletId: string): Promise<OpenSetup | undefined> {
  return (await openSetups(db, walletId)).find(({ providerId }) => providerId !== null)
}

/** Whether the last attempt of a wallet that is still wanted failed. */
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

/** Gives the attempts that may still succeed other amounts. */
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

/** True when auto-payment of a wallet was set up anew after a moment. */
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

/** A mandate that comes of an attempt from before is not wanted any more. */
export async function withdrawSetups(db: Db, walletId: string): Promise<void> {
  await db
    .updateTable('mandateSetups')
    .set({ isWithdrawn: true })
    .where('walletId', '=', walletId)
    .where('isWithdrawn', '=', false)
    .execute()
}

/** Wallets whose mandate the provider has not been asked about since a moment, the longest first. */
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

/** Wallets, all or one, that a look at them may top up: below their threshold, by a mandate that is not disabled. */
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

/** Payments by a mandate that are paid since a moment, or still to be decided; one may be left out. */
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

/** A top-up that was written down and that its provider has not answered. */
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
