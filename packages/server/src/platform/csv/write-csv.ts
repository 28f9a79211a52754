import { wireDate } from '../clock.ts'

/** Signs with which a spreadsheet begins to calculate, full-width and small forms included. */
const signs = '=+\\-@\\u2212\\uff1d\\uff0b\\uff0d\\uff20\\ufe66\\ufe62\\ufe63\\ufe6b'

/**
 * Where a formula would begin: at the start of the cell and after everything that begins another cell or row in
 * some spreadsheet, which may split at `;`, tabs or bars and then lose track of the quotes. Blanks, control
 * characters and quotes before the sign do not help.
 */
const place = '(^|[;|\\t\\r\\n])([\\s\\p{Cc}\\p{Cf}"]*)'

const exposed = new RegExp(`${place}('*[${signs}])`, 'gu')
const guarded = new RegExp(`${place}'('*[${signs}])`, 'gu')

/** A cell that is written as it stands. */
class PlainCell {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** A text, a number, nothing, or an amount or a moment made by the functions here. */
export type CsvCell = string | number | null | PlainCell

/** An amount in cents as a number in major units, with a point. */
export function amountCell(cents: number): CsvCell {
  return new PlainCell((cents / 100).toFixed(2))
}

/** A moment as `YYYY-MM-DD HH:MM:SS` in UTC. */
export function momentCell(moment: Date): CsvCell {
  return new PlainCell(wireDate(moment))
}

/**
 * One row of a CSV file (RFC 4180). Texts are quoted, and wherever a spreadsheet could find the beginning of a
 * formula in them an apostrophe stands in front, which `plainCell` takes away again. Numbers, amounts and moments
 * stay as they are.
 */
export function csvRow(cells: readonly CsvCell[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}

function csvCell(value: CsvCell): string {
  if (value === null || value === '') return ''
  if (typeof value === 'number') return String(value)
  if (value instanceof PlainCell) return value.text
  return `"${guardedText(value).replaceAll('"', '""')}"`
}

/** Adds an apostrophe to those, if any, that stand before each sign, and before a blank that begins the text. */
function guardedText(text: string): string {
  return text.replaceAll(exposed, "$1$2'$3").replace(/^(?='*[\t\r\n])/, "'")
}

/** A cell as it was meant: without the apostrophes that `csvRow` adds, and with all others. */
export function plainCell(cell: string): string {
  return cell.replace(/^'(?='*[\t\r\n])/, '').replaceAll(guarded, '$1$2$3')
}

/** What tells spreadsheets that a file is UTF-8. */
export const byteOrderMark = '\uFEFF'
