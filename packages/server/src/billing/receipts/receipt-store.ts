import { isLanguage, type Language } from '@gatehouse/contract/language'
import { type Selectable, sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { Schema } from '../../platform/db/schema.ts'
import { newUuid } from '../../platform/ids.ts'
import { type ReceiptFacts, receiptFacts } from './receipt-facts.ts'

export type ReceiptKind = Schema['receipts']['kind']

/** A paid payment that isn't on a document yet. */
export interface OpenPayment
  extends Pick<Selectable<Schema['payments']>, 'id' | 'type' | 'amount' | 'creditAmount'> {
  readonly paidAt: Date
  readonly rate: number | null
  /** For a refund, the document with the original payment. */
  readonly refersTo: string | null
}

/** A wallet's payer as addressed on receipts. */
export interface Payer {
  readonly tenantId: number
  readonly tenantSettings: Readonly<Record<string, string>>
  readonly currency: string
  readonly userId: number
  readonly email: string
  readonly language: Language | null
  readonly settings: Readonly<Record<string, string>>
}

/** Wallets with payments before the given time that aren't on a document, ordered by ID. */
export async function walletsToReceipt(
  db: Db,
  before: Date,
  after: string,
  limit: number,
): Promise<string[]> {
  const rows = await db
    .selectFrom('payments')
    .select('walletId')
    .distinct()
    .where('status', '=', 'paid')
    .where('receiptId', 'is', null)
    .where('amount', '<>', 0)
    .where('paidAt', '<', before)
    .where('walletId', '>', after)
    .orderBy('walletId')
    .limit(limit)
    .execute()
  return rows.map((row) => row.walletId)
}

/** A wallet's open payments before the given time, oldest first, locked until the end of the transaction. */
export async function holdOpenPayments(db: Db, walletId: string, before: Date): Promise<OpenPayment[]> {
  const { rows } = await sql<OpenPayment>`
    select p.id, p.type, p.amount, p.credit_amount, p.paid_at, v.rate,
      (select r.number from payments o join receipts r on r.id = o.receipt_id where o.id = p.refund_of) as refers_to
    from payments p left join vat_rates v on v.id = p.vat_rate_id
    where p.wallet_id = ${walletId}::uuid and p.status = 'paid' and p.receipt_id is null and p.amount <> 0
      and p.paid_at < ${before}::timestamptz
    order by p.paid_at, p.id for no key update of p`.execute(db)
  return rows
}

/** Months for which a wallet already has such a document. */
export async function issuedPeriods(db: Db, walletId: string, kind: ReceiptKind): Promise<Set<string>> {
  const rows = await db
    .selectFrom('receipts')
    .select('period')
    .where('walletId', '=', walletId)
    .where('kind', '=', kind)
    .execute()
  return new Set(rows.map((row) => row.period))
}

export async function readPayer(db: Db, walletId: string): Promise<Payer | undefined> {
  const { rows } = await sql<{
    tenantId: number
    tenantSettings: Record<string, string>
    currency: string
    userId: number
    email: string
    language: string | null
    settings: Record<string, string>
  }>`select u.tenant_id, t.settings as tenant_settings, w.currency, u.id as user_id, u.email, u.language,
      (select coalesce(json_object_agg(s.key, s.value), '{}') from user_settings s where s.user_id = u.id
        and s.key in ('first_name', 'last_name', 'organization', 'billing_address', 'country')) as settings
    from wallets w join users u on u.id = w.user_id join tenants t on t.id = u.tenant_id
    where w.id = ${walletId}::uuid for no key update of w`.execute(db)
  const row = rows[0]
  if (row === undefined) return undefined
  return {
    tenantId: row.tenantId,
    tenantSettings: row.tenantSettings,
    currency: row.currency,
    userId: row.userId,
    email: row.email,
    language: isLanguage(row.language) ? row.language : null,
    settings: row.settings,
  }
}

/** The next number of a series: without gaps, because a rollback returns it. */
export async function takeNumber(db: Db, tenantId: number, series: string): Promise<number> {
  const row = await db
    .insertInto('receiptNumbers')
    .values({ tenantId, series, last: 1 })
    .onConflict((conflict) =>
      conflict.columns(['tenantId', 'series']).doUpdateSet({ last: sql<number>`receipt_numbers.last + 1` }),
    )
    .returning('last')
    .executeTakeFirstOrThrow()
  return row.last
}

/** Inserts a document and assigns its payments. */
export async function insertReceipt(
  db: Db,
  receipt: { tenantId: number; walletId: string; facts: ReceiptFacts; issuedAt: Date },
): Promise<void> {
  const { facts } = receipt
  const id = newUuid()
  await db
    .insertInto('receipts')
    .values({
      id,
      tenantId: receipt.tenantId,
      walletId: receipt.walletId,
      kind: facts.kind,
      number: facts.number,
      period: facts.period,
      currency: facts.currency,
      amount: facts.total.gross,
      facts: JSON.stringify(facts),
      issuedAt: receipt.issuedAt,
    })
    .execute()
  await db
    .updateTable('payments')
    .set({ receiptId: id })
    .where(
      'id',
      'in',
      facts.lines.map((line) => line.paymentId),
    )
    .execute()
}

/** Months with documents, newest first, with their kinds. One more than `limit` indicates a next page. */
export async function listPeriods(
  db: Db,
  walletId: string,
  page: { readonly limit: number; readonly offset: number },
): Promise<
  {
    period: string
    currency: string
    amount: number
    documents: { number: string; kind: ReceiptKind; amount: number }[]
  }[]
> {
  const { rows } = await sql<{
    period: string
    currency: string
    amount: number
    documents: { number: string; kind: ReceiptKind; amount: number }[]
  }>`select period, min(currency) as currency, sum(amount)::bigint as amount,
      json_agg(json_build_object('number', number, 'kind', kind, 'amount', amount) order by kind desc) as documents
    from receipts where wallet_id = ${walletId}::uuid
    group by period order by period desc limit ${page.limit} offset ${page.offset}`.execute(db)
  return rows
}

/** A month's documents, the receipt first. */
export async function readReceipts(db: Db, walletId: string, period: string): Promise<ReceiptFacts[]> {
  const rows = await db
    .selectFrom('receipts')
    .select('facts')
    .where('walletId', '=', walletId)
    .where('period', '=', period)
    .orderBy('kind', 'desc')
    .execute()
  return rows.map((row) => receiptFacts.parse(row.facts))
}
