import { plainHeading } from '@gatehouse/contract/directory/person-headings'
import { plainCell } from '../../platform/csv/write-csv.ts'
import { ValidationError } from '../../platform/http/errors.ts'

/** A column of a file, with its headings in all supported languages. */
export interface Column {
  readonly name: string
  readonly isRequired?: true
  readonly also?: readonly string[]
  /** Only present in our own exports; its cells are ignored. */
  readonly isIgnored?: true
  /** Leading and trailing blanks are part of the value. */
  readonly isVerbatim?: true
}

/** The column of each cell in a row; undefined for ignored cells. */
export type Headings = readonly (Column | undefined)[]

/** Parses the headings of a file. Throws ValidationError at `file` that names the invalid column. */
export function readHeadings(cells: readonly string[], columns: readonly Column[]): Headings {
  const headings = cells.map((cell) => {
    const column = columns.find(({ name, also = [] }) => [name, ...also].some((one) => same(one, cell)))
    // trailing commas create columns without a name
    if (column === undefined && cell.trim() !== '') throw wrong('bulk.column-unknown', cell)
    return column
  })
  for (const column of columns) {
    const found = headings.filter((one) => one === column).length
    if (found > 1) throw wrong('bulk.column-twice', column.name)
    if (found === 0 && column.isRequired === true) throw wrong('bulk.column-missing', column.name)
  }
  return headings
}

/** A row's cells by column name, with null for blank ones; undefined if there are too many or too few. */
export function readCells(
  cells: readonly string[],
  headings: Headings,
): Readonly<Record<string, string | null>> | undefined {
  const isTooLong = cells.slice(headings.length).some((cell) => cell.trim() !== '')
  if (isTooLong || cells.length < headings.length) return undefined
  const values: Record<string, string | null> = {}
  for (const [index, column] of headings.entries()) {
    if (column === undefined || column.isIgnored === true) continue
    const cell = cells[index] ?? ''
    const text = column.isVerbatim === true ? cell : plainCell(cell.trim())
    values[column.name] = text === '' ? null : text
  }
  return values
}

function same(name: string, cell: string): boolean {
  return plainHeading(name) === plainHeading(cell)
}

function wrong(
  key: 'bulk.column-unknown' | 'bulk.column-twice' | 'bulk.column-missing',
  column: string,
): ValidationError {
  return ValidationError.at('file', key, { column: column.trim().slice(0, 80) })
}
