import { maxImportBytes, maxImportRows } from '@gatehouse/contract/directory/bulk'
import type { Db } from '../../platform/db/database.ts'
import { message, PayloadTooLarge, ValidationError } from '../../platform/http/errors.ts'
import type { Secrets } from '../../platform/secrets.ts'
import type { NewRow, RowMessage } from '../batch.ts'
import { type Headings, readCells, readHeadings } from '../csv/columns.ts'
import { readCsv } from '../csv/read-csv.ts'
import { insertRows } from '../row-store.ts'
import type { Importer, ReadRow } from './importer.ts'

/** Encryption purpose of the rows' passwords. */
export const rowSecret = 'import-password'

/** Rows kept in memory before they are written. */
const atOnce = 500
/** Maximum displayed characters of a row's address or name. */
const labelLength = 200

export interface Upload {
  readonly file: AsyncIterable<Buffer | string>
  readonly announcedBytes: number | undefined
}

/**
 * Streams an uploaded file into the rows of a batch with constant memory use. Returns the number of rows.
 * Throws PayloadTooLarge, and ValidationError at `file` if the file as a whole is unusable.
 */
export async function readUpload(
  { db, secrets }: { readonly db: Db; readonly secrets: Secrets },
  batchId: string,
  importer: Importer,
  upload: Upload,
): Promise<number> {
  if ((upload.announcedBytes ?? 0) > maxImportBytes) throw new PayloadTooLarge()
  let headings: Headings | undefined
  let n = 0
  let total = 0
  let rows: NewRow[] = []
  const seen = new Map<string, number>()
  for await (const cells of readCsv(upload.file, maxImportBytes)) {
    n++
    if (cells.every((cell) => cell.trim() === '')) continue
    if (headings === undefined) {
      headings = readHeadings(cells, importer.columns)
      continue
    }
    if (++total > maxImportRows) {
      throw new ValidationError({ file: message('bulk.file-rows', { max: maxImportRows }) })
    }
    rows.push(toRow(secrets, n, readRow(cells, headings, importer), seen))
    if (rows.length < atOnce) continue
    await insertRows(db, batchId, rows)
    rows = []
  }
  if (total === 0) throw ValidationError.at('file', 'bulk.file-empty')
  await insertRows(db, batchId, rows)
  return total
}

function readRow(cells: readonly string[], headings: Headings, importer: Importer): ReadRow {
  // PostgreSQL can't store NUL characters
  if (cells.some((cell) => cell.includes('\0'))) return broken(cells, 'bulk.row-signs')
  const values = readCells(cells, headings)
  return values === undefined ? broken(cells, 'bulk.row-cells') : importer.readRow(values)
}

function broken(cells: readonly string[], key: 'bulk.row-signs' | 'bulk.row-cells'): ReadRow {
  const label = (cells[0] ?? '').replaceAll('\0', '').trim()
  return { label, input: {}, addresses: [], problems: [message(key)] }
}

function toRow(secrets: Secrets, n: number, row: ReadRow, seen: Map<string, number>): NewRow {
  const problems = [...(row.problems ?? []), ...repetitions(n, row, seen)]
  const common = { n, label: row.label.slice(0, labelLength), input: row.input }
  if (problems.length > 0) return { ...common, state: 'refused', messages: problems }
  return {
    ...common,
    state: 'open',
    ...(row.secret !== undefined && { secret: secrets.encrypt(rowSecret, row.secret) }),
  }
}

/** Addresses of a row that an earlier row already has; the earlier one keeps them, whatever its result. */
export function repetitions(
  n: number,
  row: Pick<ReadRow, 'addresses'>,
  seen: Map<string, number>,
): RowMessage[] {
  const problems: RowMessage[] = []
  for (const address of new Set(row.addresses)) {
    const earlier = seen.get(address)
    if (earlier === undefined) seen.set(address, n)
    else problems.push(message('bulk.row-twice', { address, row: earlier }))
  }
  return problems.slice(0, 10)
}
