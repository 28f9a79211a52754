import type { RowState } from '@gatehouse/contract/directory/bulk'
import { csvRow } from '../../platform/csv/write-csv.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Translate } from '../../platform/i18n/translator.ts'
import type { Batch } from '../batch.ts'
import { presentRow } from '../present.ts'
import { readRows } from '../row-store.ts'

const atOnce = 500

/** Results of a batch as CSV: row, address or name, state, messages, object ID. */
export async function* batchCsv(
  db: Db,
  batch: Batch,
  state: RowState | null | undefined,
  t: Translate,
): AsyncGenerator<string> {
  yield csvRow(['row', 'object', 'state', 'message', 'id'])
  let after = -1
  for (;;) {
    const rows = await readRows(db, batch.id, { state, after, limit: atOnce })
    yield rows
      .map((row) => {
        const { n, label, messages, objectId } = presentRow(row, t)
        const text = messages.map((one) => (one.field === null ? one.text : `${one.field}: ${one.text}`))
        return csvRow([n, label, row.state, text.join(' '), objectId])
      })
      .join('')
    const last = rows.at(-1)
    if (rows.length < atOnce || last === undefined) return
    after = last.n
  }
}
