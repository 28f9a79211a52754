import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { amountCell, csvRow, momentCell, plainCell } from './write-csv.ts'

/** Parses a file into cells like a spreadsheet with the given list separator. */
function cellsOf(file: string, delimiter: string): string[] {
  const rows: string[][] = parse(file, { delimiter, relax_quotes: true, relax_column_count: true })
  return rows.flat()
}

/**
 * Parses cells like a spreadsheet that handles quotes loosely: a quote opens a cell only at its start, and
 * after the closing quote everything up to the separator belongs to the cell.
 */
function looseCellsOf(file: string, separator: string): string[] {
  const cells: string[] = []
  let at = 0
  while (at < file.length) {
    let cell = ''
    if (file[at] === '"') {
      at++
      while (at < file.length && (file[at] !== '"' || file[at + 1] === '"')) {
        cell += file[at]
        at += file[at] === '"' ? 2 : 1
      }
      at++
    }
    while (at < file.length && file[at] !== separator && !/[\r\n]/.test(file[at] ?? '')) cell += file[at++]
    at++
    cells.push(cell)
  }
  return cells
}

/** Parses cells like a reader that doesn't support quotes. */
const bareCellsOf = (file: string, separator: string) =>
  file.split(/\r|\n/).flatMap((line) => line.split(separator))

const dangerous = /^[\s\p{Cc}\p{Cf}"]*[=+\-@−＝＋－＠﹦﹢﹣﹫]/u

/** Texts with many significant characters. */
const text = fc
  .array(
    fc.oneof(
      fc.constantFrom('=', '+', '-', '@', '＝', '＋', '－', '＠', '−', ';', ',', '\t', '|', '\r', '\n'),
      fc.constantFrom("'", '"', ' ', '\u00a0', '\ufeff', '\u200b', '\0', 'cmd', 'A1', '!', 'é', '🔑'),
      fc.string({ unit: 'binary', maxLength: 3 }),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''))

test("a first name of x;=cmd|'/C calc'!A1;y does not become a cell", () => {
  const row = csvRow(['jane@acme.test', "x;=cmd|'/C calc'!A1;y", 'Favre', 5])
  expect(row).toBe(`"jane@acme.test","x;'=cmd|'/C calc'!A1;y","Favre",5\r\n`)
  for (const read of [cellsOf, looseCellsOf, bareCellsOf]) {
    expect(read(row, ';').filter((cell) => dangerous.test(cell))).toEqual([])
  }
})

describe('no cell begins like a formula', () => {
  test.each([';', '\t', '|'])('in a spreadsheet that splits at %j', (separator) => {
    fc.assert(
      fc.property(fc.array(fc.array(text, { minLength: 1, maxLength: 4 }), { maxLength: 3 }), (rows) => {
        const file = rows.map(csvRow).join('')
        for (const read of [looseCellsOf, bareCellsOf]) {
          expect(read(file, separator).filter((cell) => dangerous.test(cell))).toEqual([])
        }
      }),
      { numRuns: 1000 },
    )
  })

  test('in a spreadsheet that splits at commas', () => {
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 4 }), (row) => {
        const cells = cellsOf(csvRow(row), ',')
        expect(cells).toHaveLength(row.length)
        expect(cells.filter((cell) => dangerous.test(cell) || /^[\t\r\n]/.test(cell))).toEqual([])
      }),
      { numRuns: 1000 },
    )
  })

  test.each([
    ['=1+1', "'=1+1"],
    ['+41 44 123', "'+41 44 123"],
    ['-5', "'-5"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['＝1', "'＝1"],
    ['  =1', "  '=1"],
    ['\u200b=1', "\u200b'=1"],
    ['\tx', "'\tx"],
    ['\r\nx', "'\r\nx"],
    ['"=1', `""'=1`],
    ['a\n=1', "a\n'=1"],
    ["'=1", "''=1"],
    ['a;;\t @b', "a;;\t '@b"],
  ])('%j is written as %j', (value, cell) => {
    expect(csvRow([value])).toBe(`"${cell}"\r\n`)
  })

  test.each(['a=b', 'a-b', 'a, -b', 'jane@acme.test', "it's", "'", 'x;y', '3 - 2', ''])(
    '%j is written as it is',
    (value) => {
      expect(csvRow([value])).toBe(value === '' ? '\r\n' : `"${value}"\r\n`)
    },
  )
})

test('numbers, amounts and timestamps are neither quoted nor changed', () => {
  const row = csvRow([-7, 0, amountCell(-1234), amountCell(5), momentCell(new Date(0)), null, ''])
  expect(row).toBe('-7,0,-12.34,0.05,1970-01-01 00:00:00,,\r\n')
})

test('cells survive a round trip', () => {
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 4 }), (row) => {
      expect(cellsOf(csvRow(row), ',').map(plainCell)).toEqual(row)
    }),
    { numRuns: 2000 },
  )
})

test('apostrophes in cells written by others are kept', () => {
  for (const cell of ["it's", "'quoted'", "rock 'n' roll", "O'=x"]) expect(plainCell(cell)).toBe(cell)
})
