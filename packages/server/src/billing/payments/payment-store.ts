import { pendingStatuses } from '@gatehouse/contract/billing/payments'
import { isLanguage, type Language } from '@gatehouse/contract/language'
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { Schema } from '../../platform/db/schema.ts'
import { NotFound } from '../../platform/http/errors.ts'

export type PaymentRow = Selectable<Schema['payments']>

/** A payment as first stored; the other columns are set later. */
export type NewPayment = Omit<
  Insertable<Schema['payments']>,
  'receiptId' | 'updatedAt' | 'currencyAmount'
> & {
  /** Minor units of `currency`; defaults to the amount in the wallet's currency. */
  readonly currencyAmount?: number
}

/** Inserts a payment. Its effect on the wallet is booked separately. */
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

/** Reads and locks a payment until the end of the transaction. The caller holds the wallet's lock. */
export async function holdPayment(trx: Db, id: string): Promise<PaymentRow | undefined> {
  return trx.selectFrom('payments').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
}

/** The payment, or the reversal of one, with this ID at the provider. */
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

/** Reversals of a payment, oldest first. */
export async function readReversals(db: Db, paymentId: string): Promise<PaymentRow[]> {
  return db
    .selectFrom('payments')
    .selectAll()
    .where('refundOf', '=', paymentId)
    .orderBy('createdAt')
    .orderBy('id')
    .execute()
}

/** The latest payment of a wallet of any kind, except for reversals. */
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

/** Pending payments of a wallet that are known to the provider, newest first. */
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

/** All pending payments of a wallet, including those not yet known to a provider. */
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

/** A wallet's customer IDs at all providers, newest first. */
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
 * Replaces a customer that the provider has deleted. Returns false if another process was faster; the stored
 * customer then stays.
 */
export async function replaceCustomer(
  db: Db,
  customer: {
    readonly walletId: string
    readonly provider: string
    /** ID of the deleted customer. */
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

/**
 * Stores a wallet's customer ID at a provider. The first one stays, because payments and mandates depend on
 * it.
 */
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

/** The payer of a wallet. */
export interface Payer {
  readonly ownerId: number
  readonly tenantId: number
  readonly currency: string
  readonly email: string
  readonly name: string
  /** ISO 3166-1; null if unknown. */
  readonly country: string | null
  readonly language: Language
  /** The tenant's product name; undefined for the installation's. */
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
 * Takes payments due for a check, longest overdue first. Until a check succeeds, they become due again after
 * an interval that doubles with each failure.
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

/** Number of payments whose check was due before the given time. */
export async function countOverdue(db: Db, before: Date): Promise<{ value: number }[]> {
  const { rows } = await sql<{ value: number }>`select count(*) as value from payments
    where next_look_at < ${before}::timestamptz`.execute(db)
  return rows
}
