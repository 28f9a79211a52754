/** Signs with which a spreadsheet begins to calculate; a negative number alone is just that. */
const formula = /^(?:[=+@\t\r]|-(?!\d+(?:\.\d+)?$))/

/**
 * One row of a CSV file (RFC 4180). A cell that a spreadsheet would take for a formula gets an apostrophe in
 * front, which spreadsheets hide and `plainCell` takes away again.
 */
export function csvRow(cells: readonly (string | number | null)[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}

function csvCell(value: string | number | null): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const text = formula.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) || text !== text.trim() ? `"${text.replaceAll('"', '""')}"` : text
}

/** A cell as it was meant: without the apostrophe that keeps it from being a formula. */
export function plainCell(cell: string): string {
  return cell.startsWith("'") && formula.test(cell.slice(1)) ? cell.slice(1) : cell
}

/** What tells spreadsheets that a file is UTF-8. */
export const byteOrderMark = '\uFEFF'
