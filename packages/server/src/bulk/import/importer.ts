import type { Db } from '../../platform/db/database.ts'
import type { RowMessage } from '../batch.ts'
import type { Column } from '../csv/columns.ts'
import type { BatchWork } from '../work-batch.ts'

/** A row's cells by column name; blank ones are null. */
export type Cells = Readonly<Record<string, string | null>>

/** A parsed row, before any lookups. */
export interface ReadRow {
  /** Address or name of the row's object. */
  readonly label: string
  readonly input: Readonly<Record<string, unknown>>
  /** A password; stored encrypted. */
  readonly secret?: string
  /** Addresses that must be unique within the file. */
  readonly addresses: readonly string[]
  /** Errors found while parsing. */
  readonly problems?: readonly RowMessage[]
}

/** How rows of one kind of file are checked and imported. */
export interface Importer {
  readonly columns: readonly Column[]
  readRow(cells: Cells): ReadRow
  /** Validates parameters sent with the file. Throws ValidationError. */
  checkParams?(db: Db, tenantId: number, params: ImportParams): Promise<void>
  readonly work: BatchWork
}

export interface ImportParams {
  /** Package of users whose row has none. */
  readonly package?: string
}
