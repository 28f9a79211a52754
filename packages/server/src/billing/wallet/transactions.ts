import type { Transaction, walletRoutes } from '@gatehouse/contract/billing/wallets'
import type { Language } from '@gatehouse/contract/language'
import type { z } from 'zod'
import { wireDate } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { isMessageKey } from '../../platform/i18n/catalogues.ts'
import { localised } from '../../platform/i18n/localised.ts'
import type { MessageParams, Translate } from '../../platform/i18n/translator.ts'
import { type EntryRow, hasEntry, type PeriodRow, readEntries, readPeriods } from './entry-store.ts'

type Query = z.output<(typeof walletRoutes)['GET /api/v4/wallets/{id}/transactions']['query']>

export const transactionPageSize = 10

/** The reader, as far as it affects the output. */
export interface Reader {
  readonly t: Translate
  readonly language: Language
  /** Staff see the actors. */
  readonly isStaff: boolean
}

/** A page of a wallet's entries. */
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
    createdAt: wireDate(row.createdAt).slice(0, 16),
    type: row.type,
    description: describeEntry(row, reader.t),
    amount: row.amount,
    currency: row.currency,
    hasDetails: row.description === 'charge',
    balance: row.balance,
    number: row.number,
    ...(reader.isStaff && row.actorEmail !== null && { user: row.actorEmail }),
  }
}

/** Description of an entry, in the reader's language. */
export function describeEntry(
  row: Pick<EntryRow, 'description' | 'parameters' | 'customer'>,
  t: Translate,
): string {
  const key = `wallet.entry-${row.description}`
  if (!isMessageKey(key)) return row.description
  const parameters = JSON.parse(row.parameters) as MessageParams // written by `post`
  return t(key, row.customer === null ? parameters : { ...parameters, user: row.customer })
}

/** The periods of a charge; undefined if the wallet has no such entry. */
export async function listDetails(db: Db, walletId: string, entryId: string, reader: Reader) {
  if (!(await hasEntry(db, walletId, entryId))) return undefined
  const rows = await readPeriods(db, entryId)
  const list = rows.map((row) => presentPeriod(row, reader))
  return { status: 'success' as const, list, count: list.length, hasMore: false, page: 1 }
}

function presentPeriod(row: PeriodRow, { t, language }: Reader): Transaction {
  return {
    id: row.id,
    createdAt: wireDate(row.createdAt).slice(0, 16),
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
