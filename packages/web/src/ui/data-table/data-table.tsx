import IconChevronDown from '@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs'
import IconChevronUp from '@tabler/icons-react/dist/esm/icons/IconChevronUp.mjs'
import { Fragment, type ReactNode, useRef } from 'react'
import { useT } from '../../i18n/i18n.ts'
import { Icon } from '../icon.tsx'
import { Loading, Skeleton } from '../page/skeleton.tsx'
import type { Order } from './list-place.ts'
import './data-table.css'

/** A table column. */
export interface Column<Row> {
  name: string
  label: string
  cell: (row: Row) => ReactNode
  /** Sortable by its heading under the key `name`. */
  sortable?: boolean
  /** Sortable by the sort menu, but not shown. */
  sortOnly?: boolean
  /** Shows the heading to screen readers only. */
  hideLabel?: boolean
  align?: 'end'
  width?: string
  /** Position in the two lines of a row on a phone; `meta` is the second line. */
  phone?: 'main' | 'aside' | 'meta' | 'hidden'
}

export interface DataTableProps<Row> {
  /** Accessible name of the table. */
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string | number
  /** Consecutive rows with the same result are grouped below that heading. */
  groupOf?: ((row: Row) => string) | undefined
  /** Expanded content below a row; undefined: none. */
  detail?: (row: Row) => ReactNode
  sort?: string
  order?: Order
  onSort?: (name: string) => void
  /** The rows belong to the previous location until the new ones arrive. */
  busy?: boolean
  /** Rows have checkboxes to select them. */
  choice?: RowChoice<Row>
}

/** Checkboxes of a table with selectable rows. */
export interface RowChoice<Row> {
  /** Accessible name of the row. */
  name: (row: Row) => string
  isChosen: (row: Row) => boolean
  page: 'all' | 'some' | 'none'
  onRow: (row: Row, press: { range: boolean }) => void
  onPage: () => void
  /** Clears the selection. */
  onClear: () => void
}

/** A table; on a phone, each row becomes two lines. A `TableLink` makes its whole row clickable. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, rows, rowKey, groupOf, detail, busy = false, choice } = props
  const columns = shownColumns(props.columns)
  const width = columns.length + (choice ? 1 : 0)
  return (
    <div className="data-scroll">
      <table className="data-table" aria-label={label} aria-busy={busy || undefined}>
        <thead>
          <tr>
            {choice && <PageBox choice={choice} />}
            {columns.map((column) => (
              <Head key={column.name} column={column} {...props} />
            ))}
          </tr>
        </thead>
        {grouped(rows, groupOf).map(({ heading, members }) => (
          <tbody key={heading ?? ''}>
            {heading !== undefined && (
              <tr className="data-group">
                <th scope="rowgroup" colSpan={width}>
                  {heading}
                </th>
              </tr>
            )}
            {members.map((row) => (
              <Fragment key={rowKey(row)}>
                <tr className={choice?.isChosen(row) ? 'data-chosen' : undefined}>
                  {choice && <RowBox row={row} choice={choice} />}
                  {columns.map((column) => (
                    <td key={column.name} className={cellClass(column)}>
                      {column.cell(row)}
                    </td>
                  ))}
                </tr>
                <Detail columns={width}>{detail?.(row)}</Detail>
              </Fragment>
            ))}
          </tbody>
        ))}
      </table>
    </div>
  )
}

interface Group<Row> {
  /** Undefined: rows without a heading. */
  heading: string | undefined
  members: Row[]
}

function grouped<Row>(rows: readonly Row[], groupOf: ((row: Row) => string) | undefined): Group<Row>[] {
  if (!groupOf) return [{ heading: undefined, members: [...rows] }]
  const groups: Group<Row>[] = []
  for (const row of rows) {
    const heading = groupOf(row)
    const last = groups.at(-1)
    if (last?.heading === heading) last.members.push(row)
    else groups.push({ heading, members: [row] })
  }
  return groups
}

function Detail({ columns, children }: { columns: number; children: ReactNode }) {
  if (children === undefined) return null
  return (
    <tr className="data-detail">
      <td colSpan={columns}>{children}</td>
    </tr>
  )
}

/** Checkbox in the heading, which selects the page. */
export function PageBox<Row>({ choice }: { choice: RowChoice<Row> }) {
  const t = useT()
  return (
    <th scope="col" className="data-box">
      <label>
        <input
          type="checkbox"
          aria-label={t('list.selectPage')}
          checked={choice.page === 'all'}
          ref={(box) => {
            if (box) box.indeterminate = choice.page === 'some'
          }}
          onChange={choice.onPage}
          onKeyDown={(event) => event.key === 'Escape' && choice.onClear()}
        />
      </label>
    </th>
  )
}

/** Checkbox of a row. */
export function RowBox<Row>({ row, choice }: { row: Row; choice: RowChoice<Row> }) {
  const t = useT()
  const range = useRef(false)
  return (
    <td className="data-box">
      <label
        // Shift-clicking would select the text between the checkboxes.
        onMouseDown={(event) => event.shiftKey && event.preventDefault()}
      >
        <input
          type="checkbox"
          aria-label={t('list.selectRow', { name: choice.name(row) })}
          checked={choice.isChosen(row)}
          onClick={(event) => {
            range.current = event.shiftKey
          }}
          onChange={() => choice.onRow(row, { range: range.current })}
          onKeyDown={(event) => event.key === 'Escape' && choice.onClear()}
        />
      </label>
    </td>
  )
}

function Head<Row>({
  column,
  sort,
  order,
  onSort,
}: { column: Column<Row> } & Pick<DataTableProps<Row>, 'sort' | 'order' | 'onSort'>) {
  const { name, label, sortable, align, width, hideLabel } = column
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
        <span className={hideLabel ? 'visually-hidden' : undefined}>{label}</span>
      )}
    </th>
  )
}

function shownColumns<Row>(columns: readonly Column<Row>[]): readonly Column<Row>[] {
  return columns.filter(({ sortOnly }) => !sortOnly)
}

function cellClass<Row>({ align, phone = 'meta' }: Column<Row>): string {
  return [`data-${phone}`, align && 'data-end'].filter(Boolean).join(' ')
}

export interface DataTableSkeletonProps<Row> {
  columns: readonly Column<Row>[]
  count: number
  /** Reserves space for checkboxes. */
  withBoxes?: boolean
}

/** Skeleton of a table, with the dimensions of the loaded table. */
export function DataTableSkeleton<Row>(props: DataTableSkeletonProps<Row>) {
  const { count, withBoxes = false } = props
  const columns = shownColumns(props.columns)
  const widths = ['58%', '44%', '66%', '50%', '62%']
  return (
    <Loading>
      <div className="data-scroll">
        <table className="data-table" aria-hidden="true">
          <thead>
            <tr>
              {withBoxes && <th scope="col" className="data-box" />}
              {columns.map(({ name, label, width, align, hideLabel }) => (
                <th key={name} scope="col" style={{ width }} className={align && 'data-end'}>
                  {!hideLabel && label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {Array.from({ length: count }, (_, row) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows without content have no other key
              <tr key={row}>
                {withBoxes && <td className="data-box" />}
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
