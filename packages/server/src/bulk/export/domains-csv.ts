import type { ObjectState } from '@gatehouse/contract/directory/directory'
import { domainFlags } from '../../directory/domains/domain.ts'
import type { DomainListContext } from '../../directory/domains/domain-list-store.ts'
import { csvRow, momentCell } from '../../platform/csv/write-csv.ts'
import type { Db } from '../../platform/db/database.ts'
import { type DomainRow, domainRows, type ObjectFilter } from './export-store.ts'

/** Rows per query. */
const atOnce = 500

/** Domains as CSV, sorted by name: in ASCII, in their own script, state, hosts that may send for them. */
export async function* domainsCsv(
  db: Db,
  readerId: number,
  filter: ObjectFilter,
  context: DomainListContext,
): AsyncGenerator<string> {
  yield csvRow(['namespace', 'name', 'status', 'spf_whitelist', 'created_at', 'id'])
  let after = ''
  for (;;) {
    const rows = await domainRows(db, readerId, filter, context, { after, limit: atOnce })
    yield rows
      .map((row) =>
        csvRow([
          row.namespace,
          row.displayName,
          stateOf(row, context.withLdap),
          row.spfWhitelist.join(' '),
          momentCell(row.createdAt),
          row.id,
        ]),
      )
      .join('')
    const last = rows.at(-1)
    if (rows.length < atOnce || last === undefined) return
    after = last.namespace
  }
}

/** The state under which the list's filter finds a domain. */
function stateOf(row: DomainRow, withLdap: boolean): ObjectState {
  const { isDeleted, isReady, isSuspended } = domainFlags(
    { status: row.status, deletedAt: row.deletedAt },
    withLdap,
  )
  if (isDeleted) return 'deleted'
  if (isSuspended) return 'suspended'
  return isReady ? 'active' : 'pending'
}
