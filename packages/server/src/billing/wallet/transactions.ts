import type { Transaction, walletRoutes } from '@gatehouse/contract/billing/wallets'
import { utc } from '@gatehouse/contract/events'
import type { Language } from '@gatehouse/contract/language'
import { type RawBuilder, sql } from 'kysely'
import type { z } from 'zod'
import { after, day, wireDate } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Localised } from '../../platform/db/schema.ts'
import type { EntryType } from '../../platform/db/schema-billing.ts'
import { isMessageKey } from '../../platform/i18n/catalogues.ts'
import { localised } from '../../platform/i18n/localised.ts'
import type { MessageParams, Translate } from '../../platform/i18n/translator.ts'
import { objectName } from './object-name.ts'

type Query = z.output<(typeof walletRoutes)['GET /api/v4/wallets/{id}/transactions']['query']>
export type EntryFilter = Pick<Query, 'type' | 'from' | 'to'>

export const transactionPageSize = 10

/** Who reads, as far as what is shown depends on it. */
export interface Reader {
  readonly t: Translate
  readonly language: Language
  /** Staff see who acted. */
  readonly isStaff: boolean
}

/** An entry as lists show it. */
export interface EntryRow {
  id: string
  number: number
  type: EntryType
  amount: number
  balance: number
  currency: string
  description: string
  parameters: string
  actor_email: string | null
  /** Whom staff gave or took money: address, or the number of a forgotten one; null: the entry is about nobody else. */
  customer: string | null
  created_at: Date
}

/** Entries of a wallet, newest first. The order is that of the chain, so equal times do not change places. */
export async function readEntries(
  db: Db,
  walletId: string,
  filter: EntryFilter,
  part: { readonly limit: number; readonly offset: number },
): Promise<EntryRow[]> {
  const { rows } =
    await sql<EntryRow>`select id, number, type, amount, balance, currency, description, parameters,
      actor_email, created_at,
      (select case when u.forgotten_at is null then u.email else u.id::text end from users u
        where u.id = (parameters::jsonb ->> 'customer')::bigint) as customer
    from ledger_entries where wallet_id = ${walletId} ${conditions(filter)}
    order by number desc limit ${part.limit} offset ${part.offset}`.execute(db)
  return rows
}

function conditions({ type, from, to }: EntryFilter): RawBuilder<unknown> {
  return sql.join(
    [
      type == null ? sql`` : sql`and type = ${type}`,
      from == null ? sql`` : sql`and created_at >= ${new Date(utc(from))}::timestamptz`,
      to == null
        ? sql``
        : sql`and created_at < ${after(new Date(utc(to)), to.length === 10 ? day : 1)}::timestamptz`,
    ],
    sql` `,
  )
}

/** One page of a wallet's entries. */
export async function listTransactions(db: Db, walletId: string, query: Query, reader: Reader) {
  const size = query.size ?? transactionPageSize
  const page = query.page ?? 1
  const rows = await readEntries(db, walletId, query, { limit: size + 1, offset: (page - 1) * size })
  const list = rows.slice(0, size).map((row) => presentEntry(row, reader))
  return { status: 'success' as const, list, count: list.length, hasMore: rows.length > size, page }
}

function presentEntry(row: EntryRow, reader: Reader): Transaction {
  return {
    id: row.id,
    createdAt: wireDate(row.created_at).slice(0, 16),
    type: row.type,
    description: describeEntry(row, reader.t),
    amount: row.amount,
    currency: row.currency,
    hasDetails: row.description === 'charge',
    balance: row.balance,
    number: row.number,
    ...(reader.isStaff && row.actor_email !== null && { user: row.actor_email }),
  }
}

/** What an entry is about, in the reader's language. */
export function describeEntry(
  row: Pick<EntryRow, 'description' | 'parameters' | 'customer'>,
  t: Translate,
): string {
  const key = `wallet.entry-${row.description}`
  if (!isMessageKey(key)) return row.description
  const parameters = JSON.parse(row.parameters) as MessageParams // written by `post`, an object of texts and numbers
  return t(key, row.customer === null ? parameters : { ...parameters, user: row.customer })
}

interface PeriodRow {
  id: string
  since: Date
  until: Date
  cost: number
  currency: string
  created_at: Date
  name: Localised
  object: string | null
}

/** The periods of a charge; undefined when the wallet has no such entry. */
export async function listDetails(db: Db, walletId: string, entryId: string, reader: Reader) {
  const entry = await db
    .selectFrom('ledger_entries')
    .select('id')
    .where('id', '=', entryId)
    .where('wallet_id', '=', walletId)
    .executeTakeFirst()
  if (entry === undefined) return undefined
  const { rows } =
    await sql<PeriodRow>`select e.id, p.since, p.until, p.cost, l.currency, l.created_at, k.name,
      ${objectName('e')} as object
    from billed_periods p join ledger_entries l on l.id = p.entry_id join entitlements e on e.id = p.entitlement_id
      join skus k on k.id = e.sku_id
    where p.entry_id = ${entryId} order by object, k.title, p.since, e.id`.execute(db)
  const list = rows.map((row) => presentPeriod(row, reader))
  return { status: 'success' as const, list, count: list.length, hasMore: false, page: 1 }
}

function presentPeriod(row: PeriodRow, { t, language }: Reader): Transaction {
  return {
    id: row.id,
    createdAt: wireDate(row.created_at).slice(0, 16),
    type: 'billed',
    description: t('wallet.billed', {
      sku: localised(row.name, language),
      object: row.object ?? t('wallet.removed-object'),
    }),
    amount: row.cost,
    currency: row.currency,
    hasDetails: false,
    since: wireDate(row.since),
    until: wireDate(row.until),
  }
}
