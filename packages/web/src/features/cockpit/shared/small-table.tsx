import type { ReactNode } from 'react'
import { type Column, DataTable } from '../../../ui/data-table/data-table.tsx'
import '../../../ui/page/panel.css'

export interface SmallTableProps<Row> {
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string | number
  /** Shown instead of a table without rows. */
  empty: ReactNode
  footer?: ReactNode
}

/** A table with all its rows loaded. */
export function SmallTable<Row>({ empty, footer, ...table }: SmallTableProps<Row>) {
  return (
    <section className="panel">
      {table.rows.length === 0 ? empty : <DataTable {...table} />}
      {footer && table.rows.length > 0 && <footer>{footer}</footer>}
    </section>
  )
}
