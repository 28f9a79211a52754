import { pendingStatuses } from '@gatehouse/contract/billing/payments'
import { isLanguage, type Language } from '@gatehouse/contract/language'
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { Schema } from '../../platform/db/schema.ts'
import { NotFound } from '../../platform/http/errors.ts'

export type PaymentRow = Selectable<Schema['payments']>

/** A payment as it is written down first; the rest is how it goes on. */
export type NewPayment = Omit<
  Insertable<Schema['payments']>,
  'receiptId' | 'updatedAt' | 'currencyAmount'
> & {
  /** Minor units of `currency`; absent: the amount, in the wallet's own currency. */
  readonly currencyAmount?: number
}

/** Writes a payment down. What it does to the wallet is booked beside it. */
export async function insertPayment(db: Db, payment: NewPayment): Promise<void> {
  await db
    .insertInto('payments')
    .values({
      ...payment,
      currencyAmount: payment.currencyAmount ?? payment.amount,
      receiptId: null,
      updatedAt: payment.paidAt ?? payment.createdAt,
    })
    .execute()
}

export async function readPayment(db: Db, id: string): Promise<PaymentRow | undefined> {
  return db.selectFrom('payments').selectAll().where('id', '=', id).executeTakeFirst()
}

/** A payment that nobody else writes until the transaction ends. The caller holds its wallet. */
export async function holdPayment(trx: Db, id: string): Promise<PaymentRow | undefined> {
  return trx.selectFrom('payments').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
}

/** The payment, or the reversal of one, that a provider knows by this id. */
export async function findByProvider(
  db: Db,
  provider: string,
  providerId: string,
): Promise<PaymentRow | undefined> {
  return db
    .selectFrom('payments')
    .selectAll()
    .where('provider', '=', provider)
    .where('providerId', '=', providerId)
    .executeTakeFirst()
}

export async function updatePayment(
  db: Db,
  id: string,
  facts: Updateable<Schema['payments']>,
): Promise<void> {
  await db.updateTable('payments').set(facts).where('id', '=', id).execute()
}

/** What went back of a payment, oldest first. */
export async function readReversals(db: Db, paymentId: string): Promise<PaymentRow[]> {
  return db
    .selectFrom('payments')
    .selectAll()
    .where('refundOf', '=', paymentId)
    .orderBy('createdAt')
    .orderBy('id')
    .execute()
}

/** The last payment of a wallet, of whatever kind but money that went back. */
export async function lastPayment(db: Db, walletId: string): Promise<PaymentRow | undefined> {
  return db
    .selectFrom('payments')
    .selectAll()
    .where('walletId', '=', walletId)
    .where('refundOf', 'is', null)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Payments of a wallet that the provider knows and that are still to be decided, newest first. */
export async function pendingPayments(
  db: Db,
  walletId: string,
  part: { readonly limit: number; readonly offset: number },
): Promise<PaymentRow[]> {
  return db
    .selectFrom('payments')
    .selectAll()
    .where('walletId', '=', walletId)
    .where('type', '=', 'oneoff')
    .where('status', 'in', pendingStatuses)
    .where('providerId', 'is not', null)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(part.limit)
    .offset(part.offset)
    .execute()
}

/** All payments into a wallet that are still to be decided, also those that no provider knows yet. */
export async function undecidedPayments(db: Db, walletId: string): Promise<PaymentRow[]> {
  return db
    .selectFrom('payments')
    .selectAll()
    .where('walletId', '=', walletId)
    .where('refundOf', 'is', null)
    .where('status', 'in', pendingStatuses)
    .orderBy('id')
    .execute()
}

/** Who a wallet is at each provider, the latest first. */
export async function customersOf(db: Db, walletId: string): Promise<{ provider: string; id: string }[]> {
  return db
    .selectFrom('paymentCustomers')
    .select(['provider', 'id'])
    .where('walletId', '=', walletId)
    .orderBy('createdAt', 'desc')
    .orderBy('provider')
    .execute()
}

/**
 * Puts another customer in the place of one whom the provider has deleted. False: somebody else was faster, and the one
 * that is known now stays.
 */
export async function replaceCustomer(
  db: Db,
  customer: {
    readonly walletId: string
    readonly provider: string
    /** Whom the provider knows no more. */
    readonly gone: string
    readonly id: string
  },
): Promise<boolean> {
  const row = await db
    .updateTable('paymentCustomers')
    .set({ id: customer.id })
    .where('walletId', '=', customer.walletId)
    .where('provider', '=', customer.provider)
    .where('id', '=', customer.gone)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Remembers who a wallet is at a provider. The first one stays: payments and mandates hang on it. */
export async function keepCustomer(
  db: Db,
  customer: { readonly walletId: string; readonly provider: string; readonly id: string; readonly at: Date },
): Promise<void> {
  await db
    .insertInto('paymentCustomers')
    .values({
      walletId: customer.walletId,
      provider: customer.provider,
      id: customer.id,
      createdAt: customer.at,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Who pays by a wallet. */
export interface Payer {
  readonly ownerId: number
  readonly tenantId: number
  readonly currency: string
  readonly email: string
  readonly name: string
  /** ISO 3166-1; null: not known. */
  readonly country: string | null
  readonly language: Language
  /** What the tenant calls the product; undefined: as the installation does. */
  readonly site: string | undefined
}

export async function readPayer(db: Db, walletId: string): Promise<Payer> {
  const row = await db
    .selectFrom('wallets as w')
    .innerJoin('users as o', 'o.id', 'w.userId')
    .innerJoin('tenants as t', 't.id', 'o.tenantId')
    .select(['w.currency', 'o.id', 'o.tenantId', 'o.email', 'o.language', 't.settings as tenant'])
    .where('w.id', '=', walletId)
    .executeTakeFirst()
  if (row === undefined) throw new NotFound()
  const settings = await db
    .selectFrom('userSettings')
    .select(['key', 'value'])
    .where('userId', '=', row.id)
    .where('key', 'in', ['first_name', 'last_name', 'organization', 'country'])
    .execute()
  const setting = (key: string) => settings.find((entry) => entry.key === key)?.value
  const name = [setting('first_name'), setting('last_name')].filter(Boolean).join(' ')
  return {
    ownerId: row.id,
    tenantId: row.tenantId,
    currency: row.currency,
    email: row.email,
    name: name || setting('organization') || row.email,
    country: setting('country') ?? null,
    language: isLanguage(row.language) ? row.language : 'en',
    site: row.tenant['app.name'],
  }
}

/**
 * Takes payments that are due, the longest due first. Until a look succeeds they are due again after a while that doubles
 * with each one that does not.
 */
export async function takeDue(
  trx: Db,
  now: Date,
  { longestWait, limit }: { readonly longestWait: number; readonly limit: number },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update payments set looks = looks + 1,
      next_look_at = ${now}::timestamptz
        + least(${longestWait}::float, 120 * power(2, least(looks, 20))) * interval '1 second'
    where id in (select id from payments where next_look_at <= ${now}::timestamptz
      order by next_look_at limit ${limit} for no key update skip locked)
    returning id`.execute(trx)
  return rows.map(({ id }) => id)
}

export async function countByStatus(db: Db): Promise<{ status: string; payments: number }[]> {
  const { rows } = await sql<{ status: string; payments: number }>`
    select status, count(*) as payments from payments where refund_of is null group by status`.execute(db)
  return rows
}

/** How many payments should have been looked at before a moment. */
export async function countOverdue(db: Db, before: Date): Promise<{ value: number }[]> {
  const { rows } = await sql<{ value: number }>`select count(*) as value from payments
    where next_look_at < ${before}::timestamptz`.execute(db)
  return rows
}
