import IconChevronDown from '@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs'
import IconChevronUp from '@tabler/icons-react/dist/esm/icons/IconChevronUp.mjs'
import { Fragment, type ReactNode } from 'react'
import { Icon } from '../icon.tsx'
import { Loading, Skeleton } from '../skeleton.tsx'
import type { Order } from './list-place.ts'
import './data-table.css'

/** One column of a table. */
export interface Column<Row> {
  name: string
  label: string
  cell: (row: Row) => ReactNode
  /** Its head sorts by the key `name`. */
  sortable?: boolean
  align?: 'end'
  width?: string
  /** Its place in the two lines that a row has on a phone; `meta` is the second line. */
  phone?: 'main' | 'aside' | 'meta' | 'hidden'
}

export interface DataTableProps<Row> {
  /** Names the table for readers. */
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string | number
  /** What is unfolded below a row; undefined: nothing. */
  detail?: (row: Row) => ReactNode
  sort?: string
  order?: Order
  onSort?: (name: string) => void
  /** The rows are those of the place before, until the new ones have come. */
  busy?: boolean
}

/** A table; on a phone each row becomes two lines. A `TableLink` in a row makes all of it the link's target. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, columns, rows, rowKey, detail, busy = false } = props
  return (
    <div className="data-scroll">
      <table className="data-table" aria-label={label} aria-busy={busy || undefined}>
        <thead>
          <tr>
            {columns.map((column) => (
              <Head key={column.name} column={column} {...props} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Fragment key={rowKey(row)}>
              <tr>
                {columns.map((column) => (
                  <td key={column.name} className={cellClass(column)}>
                    {column.cell(row)}
                  </td>
                ))}
              </tr>
              <Detail columns={columns.length}>{detail?.(row)}</Detail>
            </Fragment>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Detail({ columns, children }: { columns: number; children: ReactNode }) {
  if (children === undefined) return null
  return (
    <tr className="data-detail">
      <td colSpan={columns}>{children}</td>
    </tr>
  )
}

function Head<Row>({
  column,
  sort,
  order,
  onSort,
}: { column: Column<Row> } & Pick<DataTableProps<Row>, 'sort' | 'order' | 'onSort'>) {
  const { name, label, sortable, align, width } = column
  const isSorted = sortable && sort === name
  const ariaSort = order === 'desc' ? 'descending' : 'ascending'
  return (
    <th
      scope="col"
      style={{ width }}
      className={align && 'data-end'}
      aria-sort={isSorted ? ariaSort : undefined}
    >
      {sortable && onSort ? (
        <button type="button" onClick={() => onSort(name)}>
          {label}
          {isSorted && <Icon of={order === 'desc' ? IconChevronDown : IconChevronUp} size="small" />}
        </button>
      ) : (
        label
      )}
    </th>
  )
}

function cellClass<Row>({ align, phone = 'meta' }: Column<Row>): string {
  return [`data-${phone}`, align && 'data-end'].filter(Boolean).join(' ')
}

export interface DataTableSkeletonProps<Row> {
  columns: readonly Column<Row>[]
  count: number
}

/** The table before its rows have come: as high and as wide as it will be. */
export function DataTableSkeleton<Row>({ columns, count }: DataTableSkeletonProps<Row>) {
  const widths = ['58%', '44%', '66%', '50%', '62%']
  return (
    <Loading>
      <div className="data-scroll">
        <table className="data-table" aria-hidden="true">
          <thead>
            <tr>
              {columns.map(({ name, label, width, align }) => (
                <th key={name} scope="col" style={{ width }} className={align && 'data-end'}>
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {Array.from({ length: count }, (_, row) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows without content have no other key
              <tr key={row}>
                {columns.map((column, at) => (
                  <td key={column.name} className={cellClass(column)}>
                    {at === 0 ? (
                      <span className="data-two-lines">
                        <Skeleton width={widths[row % widths.length]} />
                        <Skeleton width="30%" height={9} />
                      </span>
                    ) : (
                      <Skeleton width={72} height={14} />
                    )}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Loading>
  )
}
