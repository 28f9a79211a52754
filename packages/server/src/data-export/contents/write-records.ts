import type { ExportKind } from '@gatehouse/contract/directory/data-exports'
import { byteOrderMark, type CsvCell, csvRow } from '../../platform/csv/write-csv.ts'
import type { Member } from '../archive/archive-writer.ts'
import type { LedgerEnd } from '../archive/manifest-format.ts'
import { ledgerStatement, type RecordKind, recordKinds, recordsStatement } from './records-store.ts'
import type { Selection, Snapshot, SnapshotRow } from './snapshot-store.ts'

/** Whose data are exported. */
export interface Subject {
  readonly kind: ExportKind
  readonly userId: number
  /** Null for a person. */
  readonly walletId: string | null
}

/** Told about each record that was written. Throws if the export was cancelled. */
export type OnProgress = (objects: number) => Promise<void>

/** Returns a statement about a subject. */
export function selection(text: string, { kind, userId, walletId }: Subject): Selection {
  return { text: recordsStatement({ text }, kind), subject: walletId ?? userId }
}

/** Counts the records that `recordMembers` writes. */
export async function countRecords(snapshot: Snapshot, subject: Subject): Promise<number> {
  let total = 0
  for (const { text } of recordKinds(subject.kind)) total += await snapshot.count(selection(text, subject))
  if (subject.walletId !== null) total += await snapshot.count(selection(ledgerStatement, subject))
  return total
}

/** Returns the files with records, one JSON object per line, and some of them also as CSV. */
export function* recordMembers(
  snapshot: Snapshot,
  subject: Subject,
  onProgress: OnProgress,
): Generator<Member> {
  for (const record of recordKinds(subject.kind)) {
    const selected = selection(record.text, subject)
    let count = 0
    const onRows = (rows: number) => {
      count += rows
      return onProgress(rows)
    }
    yield {
      ...{ path: `data/${record.name}.jsonl`, what: record.what, count: () => count },
      content: lines(snapshot.read(selected), onRows),
    }
    if (record.asCsv === true) yield csvMember(snapshot, record, selected)
  }
}

/** Returns the ledger of an account with its chain. `onEnd` gets its last entry. */
export function ledgerMember(
  snapshot: Snapshot,
  subject: Subject & { readonly walletId: string },
  onProgress: OnProgress,
  onEnd: (end: LedgerEnd) => void,
): Member {
  const path = 'ledger/ledger.jsonl'
  let end: LedgerEnd = { wallet: subject.walletId, path, entries: 0, balance: 0, hash: '' }
  async function* content() {
    yield* lines(snapshot.read(selection(ledgerStatement, subject)), async (rows, last) => {
      if (last !== undefined) {
        const [balance, hash] = [Number(last.balance), String(last.hash)]
        end = { ...end, entries: end.entries + rows, balance, hash }
      }
      await onProgress(rows)
    })
    onEnd(end)
  }
  const what = 'Ledger: each entry contains the hash of the previous one, so that the file verifies itself'
  return { path, what, content: content(), count: () => end.entries }
}

async function* lines(
  source: AsyncIterable<SnapshotRow[]>,
  onRows: (rows: number, last?: SnapshotRow) => Promise<void>,
): AsyncGenerator<Uint8Array> {
  for await (const rows of source) {
    const named = rows.map(withWireNames)
    await onRows(rows.length, named.at(-1))
    yield Buffer.from(named.map((row) => `${JSON.stringify(row)}\n`).join(''))
  }
}

function csvMember(snapshot: Snapshot, { name, what }: RecordKind, selected: Selection): Member {
  let count = 0
  async function* content() {
    for await (const rows of snapshot.read(selected)) {
      const named = rows.map(withWireNames)
      const heading = count === 0 ? `${byteOrderMark}${csvRow(Object.keys(named[0] ?? {}))}` : ''
      count += rows.length
      yield Buffer.from(heading + named.map((row) => csvRow(Object.values(row).map(cell))).join(''))
    }
  }
  return {
    path: `data/${name}.csv`,
    what: `${what}, for spreadsheets`,
    content: content(),
    count: () => count,
  }
}

function cell(value: unknown): CsvCell {
  if (value == null) return null
  if (value instanceof Date) return value.toISOString()
  if (typeof value === 'number' || typeof value === 'string') return value
  return JSON.stringify(value)
}

/** Names of columns as the API spells names. */
function withWireNames(row: SnapshotRow): SnapshotRow {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name.replaceAll(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase()),
      value,
    ]),
  )
}
