import type { Clock } from '../../platform/clock.ts'
import { byteOrderMark } from '../../platform/csv/write-csv.ts'
import type { Download } from '../../platform/http/bodies/download.ts'

/** A CSV download, named after its content and the date; `bom` `1` adds a UTF-8 byte order mark. */
export function csvFile(
  name: string,
  clock: Clock,
  bom: string | null | undefined,
  rows: AsyncGenerator<string>,
): Download {
  const today = clock.now().toISOString().slice(0, 10)
  return { filename: `${name}-${today}.csv`, parts: bom === '1' ? marked(rows) : rows }
}

async function* marked(rows: AsyncGenerator<string>): AsyncGenerator<string> {
  const first = await rows.next()
  yield byteOrderMark + (first.done === true ? '' : first.value)
  yield* rows
}
