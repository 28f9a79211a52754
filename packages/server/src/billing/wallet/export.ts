import { wireDate } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { Download } from '../../platform/http/download.ts'
import type { Translate } from '../../platform/i18n/translator.ts'
import { readChain } from '../ledger/read-chain.ts'
import { describeEntry, type EntryFilter, readEntries } from './transactions.ts'

/** Lines of one file. */
const most = 50_000

/** Entries as comma-separated values (RFC 4180) with amounts in major units, in the reader's language. */
export async function transactionsCsv(
  db: Db,
  walletId: string,
  filter: EntryFilter,
  t: Translate,
): Promise<Download> {
  const head = [
    t('wallet.csv-date'),
    t('wallet.csv-type'),
    t('wallet.csv-description'),
    t('wallet.csv-amount'),
    t('wallet.csv-balance'),
    t('wallet.csv-currency'),
  ]
  const rows = await readEntries(db, walletId, filter, { limit: most, offset: 0 })
  const lines = rows.map((row) => [
    wireDate(row.created_at),
    row.type,
    describeEntry(row, t),
    (row.amount / 100).toFixed(2),
    (row.balance / 100).toFixed(2),
    row.currency,
  ])
  const body = [head, ...lines].map((line) => `${line.map(field).join(',')}\r\n`).join('')
  return new Download('text/csv; charset=utf-8', 'transactions.csv', body)
}

/** Quoted where needed. What a spreadsheet would take for a formula is a text, amounts excepted. */
function field(text: string): string {
  const harmless = /^[=+@\t\r]|^-(?!\d+\.\d\d$)/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

/** Entries that are read at a time. */
const part = 10_000

/** The whole chain of a wallet, a JSON object on each line; docs/OPERATIONS.md says how to verify it. */
export async function chainFile(db: Db, walletId: string): Promise<Download> {
  const lines: string[] = []
  for (;;) {
    const read = await readChain(db, walletId, lines.length, part)
    for (const line of read) lines.push(`${JSON.stringify(line)}\n`)
    if (read.length < part)
      return new Download('application/x-ndjson; charset=utf-8', 'chain.jsonl', lines.join(''))
  }
}
