import { amountCell, csvRow, momentCell } from '../../platform/csv/write-csv.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Translate } from '../../platform/i18n/translator.ts'
import { readChain } from '../ledger/ledger-store.ts'
import { type EntryFilter, readEntries } from './entry-store.ts'
import { describeEntry } from './transactions.ts'

/** Maximum lines per file. */
const most = 50_000

/** Entries as CSV (RFC 4180) with amounts in major units, in the reader's language. */
export async function* transactionsCsv(
  db: Db,
  walletId: string,
  filter: EntryFilter,
  t: Translate,
): AsyncGenerator<string> {
  // read in a single query, because new entries would shift pages
  const rows = await readEntries(db, walletId, filter, { limit: most, offset: 0 })
  yield csvRow([
    t('wallet.csv-date'),
    t('wallet.csv-type'),
    t('wallet.csv-description'),
    t('wallet.csv-amount'),
    t('wallet.csv-balance'),
    t('wallet.csv-currency'),
  ])
  for (let start = 0; start < rows.length; start += atOnce) {
    yield rows
      .slice(start, start + atOnce)
      .map((row) =>
        csvRow([
          momentCell(row.createdAt),
          row.type,
          describeEntry(row, t),
          amountCell(row.amount),
          amountCell(row.balance),
          row.currency,
        ]),
      )
      .join('')
  }
}

/** Entries per chunk of a file. */
const atOnce = 1000

/**
 * The complete chain of a wallet, one JSON object per line; docs/OPERATIONS.md describes how to verify it.
 */
export async function* chainLines(db: Db, walletId: string): AsyncGenerator<string> {
  // numbers have no gaps
  for (let from = 0; ; from += atOnce) {
    const read = await readChain(db, walletId, from, atOnce)
    yield read.map((line) => `${JSON.stringify(line)}\n`).join('')
    if (read.length < atOnce) return
  }
}
