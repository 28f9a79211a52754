import type { Db } from '../../platform/db/database.ts'
import type { RowMessage } from '../batch.ts'
import type { Column } from '../csv/columns.ts'
import type { BatchWork } from '../work-batch.ts'

/** Cells of a row by the names of their columns; blank ones are null. */
export type Cells = Readonly<Record<string, string | null>>

/** A row of a file, before anything is looked up. */
export interface ReadRow {
  /** Address or name that the row is about. */
  readonly label: string
  readonly input: Readonly<Record<string, unknown>>
  /** A password; it is stored sealed. */
  readonly secret?: string
  /** Addresses that no other row of the file may have. */
  readonly addresses: readonly string[]
  /** What is wrong with the row already. */
  readonly problems?: readonly RowMessage[]
}

/** What the rows of a kind of file are, and what is done with them. */
export interface Importer {
  readonly columns: readonly Column[]
  readRow(cells: Cells): ReadRow
  /** Looks at what was sent beside the file. Throws ValidationError. */
  checkParams?(db: Db, tenantId: number, params: ImportParams): Promise<void>
  readonly work: BatchWork
}

export interface ImportParams {
  /** Package of users whose row names none. */
  readonly package?: string
}
