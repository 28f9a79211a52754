import type { ObjectState } from '@gatehouse/contract/directory/directory'
import { sql } from 'kysely'
import { domainFlags } from '../../directory/domains/domain.ts'
import { type DomainListContext, domainMatches } from '../../directory/domains/domain-list.ts'
import { csvRow, momentCell } from '../../platform/csv/write-csv.ts'
import type { Db } from '../../platform/db/database.ts'

/** Rows that are read at once. */
const atOnce = 500

interface Row {
  id: number
  namespace: string
  display_name: string
  status: number
  spf_whitelist: string[]
  created_at: Date
  deleted_at: Date | null
}

/** Domains as CSV, by name: in ASCII, in its own script, its state, which hosts may send for it. */
export async function* domainsCsv(
  db: Db,
  readerId: number,
  filter: { readonly search?: string | null | undefined; readonly status?: ObjectState | null | undefined },
  context: DomainListContext,
): AsyncGenerator<string> {
  yield csvRow(['namespace', 'name', 'status', 'spf_whitelist', 'created_at', 'id'])
  let after = ''
  for (;;) {
    const { rows } =
      await sql<Row>`select d.id, d.namespace, d.display_name, d.status, d.spf_whitelist, d.created_at, d.deleted_at
      from domains d where ${domainMatches(readerId, filter, context)} and d.namespace > ${after}
      order by d.namespace limit ${atOnce}`.execute(db)
    yield rows
      .map((row) =>
        csvRow([
          row.namespace,
          row.display_name,
          stateOf(row, context.withLdap),
          row.spf_whitelist.join(' '),
          momentCell(row.created_at),
          row.id,
        ]),
      )
      .join('')
    const last = rows.at(-1)
    if (rows.length < atOnce || last === undefined) return
    after = last.namespace
  }
}

/** The state by which the list would find a domain. */
function stateOf(row: Row, withLdap: boolean): ObjectState {
  const { isDeleted, isReady, isSuspended } = domainFlags(
    { status: row.status, deletedAt: row.deleted_at },
    withLdap,
  )
  if (isDeleted) return 'deleted'
  if (isSuspended) return 'suspended'
  return isReady ? 'active' : 'pending'
}
