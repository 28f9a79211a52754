import { plainHeading } from '@gatehouse/contract/directory/person-headings'
import { plainCell } from '../../platform/csv/write-csv.ts'
import { ValidationError } from '../../platform/http/errors.ts'

/** A column of a file by its name, with what people call it in the languages of the product. */
export interface Column {
  readonly name: string
  readonly isRequired?: true
  readonly also?: readonly string[]
  /** Only our own exports have it; its cells mean nothing. */
  readonly isIgnored?: true
  /** Blanks at the ends belong to the value. */
  readonly isVerbatim?: true
}

/** The column that each cell of a row belongs to; undefined: its cells mean nothing. */
export type Headings = readonly (Column | undefined)[]

/** Reads the headings of a file. Throws ValidationError at `file`, which names the column that is wrong. */
export function readHeadings(cells: readonly string[], columns: readonly Column[]): Headings {
  const headings = cells.map((cell) => {
    const column = columns.find(({ name, also = [] }) => [name, ...also].some((one) => same(one, cell)))
    // a comma at the end of each line makes a column without name
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

/** The cells of a row by the names of their columns, blank ones null; undefined when there are too many or too few. */
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
