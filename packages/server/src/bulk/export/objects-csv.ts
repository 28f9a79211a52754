import type { ObjectState } from '@gatehouse/contract/directory/directory'
import { sql } from 'kysely'
import type { DirectoryKind } from '../../directory/objects/object.ts'
import { type ListContext, objectMatches } from '../../directory/objects/object-list.ts'
import { type CsvCell, csvRow, momentCell } from '../../platform/csv/write-csv.ts'
import type { Db } from '../../platform/db/database.ts'

/** Rows that are read at once; a list may have ten thousand recipients. */
const atOnce = 50

interface Row {
  id: number
  email: string
  name: string
  folder_type: string | null
  invitation_policy: string
  created_at: Date
  members: string[]
  aliases: string[]
}

interface Shape {
  readonly columns: readonly string[]
  /** The rows of the file that one object makes. */
  readonly rows: (object: Row) => readonly (readonly CsvCell[])[]
}

const byMember: Shape = {
  columns: ['list', 'member'],
  rows: ({ email, members }) => members.map((member) => [email, member]),
}

const shapes: Readonly<Record<DirectoryKind, Shape>> = {
  group: {
    columns: ['email', 'name', 'members', 'created_at', 'id'],
    rows: (one) => [[one.email, one.name, one.members.join(' '), momentCell(one.created_at), one.id]],
  },
  resource: {
    columns: ['email', 'name', 'invitation_policy', 'created_at', 'id'],
    rows: (one) => [[one.email, one.name, one.invitation_policy, momentCell(one.created_at), one.id]],
  },
  'shared-folder': {
    columns: ['email', 'name', 'type', 'aliases', 'created_at', 'id'],
    rows: (one) => [
      [one.email, one.name, one.folder_type, one.aliases.join(' '), momentCell(one.created_at), one.id],
    ],
  },
}

export interface ObjectFilter {
  readonly search?: string | null | undefined
  readonly status?: ObjectState | null | undefined
}

/** Lists, resources or shared folders as CSV, by address; lists also with a row for each of their members. */
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
    const { rows } =
      await sql<Row>`select o.id, o.email, o.name, o.folder_type, o.invitation_policy, o.created_at,
        array(select address from group_members m where m.group_id = o.id and m.withdrawn_at is null
          order by 1) as members,
        array(select address from addresses a where a.kind = 'folder-alias' and a.object_id = o.id
          order by 1) as aliases
      from directory_objects o where ${objectMatches(kind, readerId, filter, context)} and o.email > ${after}
      order by o.email limit ${atOnce}`.execute(db)
    yield rows.flatMap((row) => shape.rows(row).map(csvRow)).join('')
    const last = rows.at(-1)
    if (rows.length < atOnce || last === undefined) return
    after = last.email
  }
}
