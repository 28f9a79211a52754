import { wireDate } from '../clock.ts'

/** Characters that start a formula in spreadsheets, including full-width and small forms. */
const signs = '=+\\-@\\u2212\\uff1d\\uff0b\\uff0d\\uff20\\ufe66\\ufe62\\ufe63\\ufe6b'

/**
 * Where a formula can begin: at the start of the cell and after everything that starts another cell or row in
 * some spreadsheet, which may split at `;`, tabs or bars and then lose track of the quotes. Leading spaces,
 * control characters and quotes don't prevent it.
 */
const place = '(^|[;|\\t\\r\\n])([\\s\\p{Cc}\\p{Cf}"]*)'

const exposed = new RegExp(`${place}('*[${signs}])`, 'gu')
const guarded = new RegExp(`${place}'('*[${signs}])`, 'gu')

/** A cell that is written unchanged. */
class PlainCell {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** A text, a number, nothing, or an amount or timestamp created by the functions here. */
export type CsvCell = string | number | null | PlainCell

/** Formats an amount in cents in major units with a decimal point. */
export function amountCell(cents: number): CsvCell {
  return new PlainCell((cents / 100).toFixed(2))
}

/** Formats a date as `YYYY-MM-DD HH:MM:SS` in UTC. */
export function momentCell(moment: Date): CsvCell {
  return new PlainCell(wireDate(moment))
}

/**
 * Formats a row of a CSV file (RFC 4180). Texts are quoted, and wherever a spreadsheet might detect a formula
 * in them an apostrophe is inserted, which `plainCell` removes. Numbers, amounts and timestamps are unchanged.
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

/**
 * Adds an apostrophe before each formula character, in addition to existing ones, and before a leading space.
 */
function guardedText(text: string): string {
  return text.replaceAll(exposed, "$1$2'$3").replace(/^(?='*[\t\r\n])/, "'")
}

/** Removes the apostrophes added by `csvRow` and keeps all others. */
export function plainCell(cell: string): string {
  return cell.replace(/^'(?='*[\t\r\n])/, '').replaceAll(guarded, '$1$2$3')
}

/** Lets spreadsheets recognise a file as UTF-8. */
export const byteOrderMark = '\uFEFF'
