import type { DirectoryKind } from '../../directory/objects/object.ts'
import type { ListContext } from '../../directory/objects/object-list-store.ts'
import { type CsvCell, csvRow, momentCell } from '../../platform/csv/write-csv.ts'
import type { Db } from '../../platform/db/database.ts'
import { type ObjectFilter, type ObjectRow, objectRows } from './export-store.ts'

/** Rows per query; a list may have ten thousand recipients. */
const atOnce = 50

interface Shape {
  readonly columns: readonly string[]
  /** The file's rows for one object. */
  readonly rows: (object: ObjectRow) => readonly (readonly CsvCell[])[]
}

const byMember: Shape = {
  columns: ['list', 'member'],
  rows: ({ email, members }) => members.map((member) => [email, member]),
}

const shapes: Readonly<Record<DirectoryKind, Shape>> = {
  group: {
    columns: ['email', 'name', 'members', 'created_at', 'id'],
    rows: (one) => [[one.email, one.name, one.members.join(' '), momentCell(one.createdAt), one.id]],
  },
  resource: {
    columns: ['email', 'name', 'invitation_policy', 'created_at', 'id'],
    rows: (one) => [[one.email, one.name, one.invitationPolicy, momentCell(one.createdAt), one.id]],
  },
  'shared-folder': {
    columns: ['email', 'name', 'type', 'aliases', 'created_at', 'id'],
    rows: (one) => [
      [one.email, one.name, one.folderType, one.aliases.join(' '), momentCell(one.createdAt), one.id],
    ],
  },
}

/** Lists, resources or shared folders as CSV, sorted by address; lists also have a row per member. */
export async function* objectsCsv(
  db: Db,
  kind: DirectoryKind,
  readerId: number,
  filter: ObjectFilter,
  context: ListContext,
  isByMember = false,
): AsyncGenerator<string> {
  const shape = isByMember ? byMember : shapes[kind]
  yield csvRow(shape.columns)
  let after = ''
  for (;;) {
    const rows = await objectRows(db, kind, readerId, filter, context, { after, limit: atOnce })
    yield rows.flatMap((row) => shape.rows(row).map(csvRow)).join('')
    const last = rows.at(-1)
    if (rows.length < atOnce || last === undefined) return
    after = last.email
  }
}
