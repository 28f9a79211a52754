import {
  type PersonField,
  personFields,
  personHeadings,
  plainHeading,
} from '@gatehouse/contract/directory/person-headings'

/** Data of a person from a pasted row. */
export type PastedPerson = Partial<Record<PersonField, string>>

export interface Pasted {
  people: PastedPerson[]
  /** The first row contained headings. */
  hasHeadings: boolean
}

/** A pasted column: a field, a full name, or unknown. */
type Column = PersonField | 'name' | undefined

/** Headings of a full name, which is split. */
const nameHeadings = ['name', 'full name', 'vollständiger name', 'nom complet', 'nome completo']

/**
 * Parses spreadsheet cells from the clipboard or CSV rows; undefined: plain text for one field. `packages`
 * are names accepted for packages; `at` is the field it is pasted into.
 */
export function readPasted(
  text: string,
  { at, packages }: { at: PersonField; packages: readonly string[] },
): Pasted | undefined {
  const separator = separatorOf(text)
  if (separator === undefined) return undefined
  const rows = splitRows(text, separator).filter((cells) => cells.some((cell) => cell !== ''))
  const [first = [], ...rest] = rows
  const headings = headingsOf(first)
  const body = headings ? rest : rows
  const columns = headings ?? guessColumns(body, packages) ?? columnsFrom(at)
  return { people: body.map((cells) => toPerson(cells, columns)), hasHeadings: headings !== undefined }
}

/**
 * Detects tabs, or semicolons or commas if there are several rows; a single line needs at least three cells.
 */
function separatorOf(text: string): string | undefined {
  if (text.includes('\t')) return '\t'
  const lines = text.split(/\r\n?|\n/).filter((line) => line.trim() !== '')
  const found = [';', ','].find((one) => lines.every((line) => line.includes(one)))
  if (lines.length > 1) return found ?? '\t'
  return found !== undefined && (lines[0]?.split(found).length ?? 0) > 2 ? found : undefined
}

/** Splits rows into cells; quoted ones may contain separators, line breaks and doubled quotation marks. */
function splitRows(text: string, separator: string): string[][] {
  const rows: string[][] = []
  let cells: string[] = []
  let cell = ''
  let isQuoted = false
  const endCell = () => {
    cells.push(cell.trim())
    cell = ''
  }
  const endRow = () => {
    endCell()
    rows.push(cells)
    cells = []
  }
  const characters = text.replace(/\r\n?/g, '\n')
  for (let index = 0; index < characters.length; index += 1) {
    const character = characters[index] ?? ''
    if (isQuoted) {
      if (character !== '"') cell += character
      else if (characters[index + 1] === '"') {
        cell += '"'
        index += 1
      } else isQuoted = false
    } else if (character === '"' && cell.trim() === '') {
      isQuoted = true
      cell = ''
    } else if (character === separator) endCell()
    else if (character === '\n') endRow()
    else cell += character
  }
  if (cell !== '' || cells.length > 0) endRow()
  return rows
}

/** Returns the columns named by a heading row; undefined if it is a person's row. */
function headingsOf(cells: readonly string[]): Column[] | undefined {
  const columns = cells.map(headingOf)
  const isNamed = columns.includes('email') && columns.filter((one) => one !== undefined).length > 1
  return isNamed ? columns : undefined
}

function headingOf(cell: string): Column {
  const text = plainHeading(cell)
  const isOneOf = (names: readonly string[]) => names.some((name) => plainHeading(name) === text)
  if (isOneOf(nameHeadings)) return 'name'
  return personFields.find((field) => isOneOf([field, ...personHeadings[field]]))
}

/** Guesses columns without headings by content; undefined if no column has addresses. */
function guessColumns(rows: readonly string[][], packages: readonly string[]): Column[] | undefined {
  const width = Math.max(0, ...rows.map((cells) => cells.length))
  const known = new Set(packages.map((name) => name.toLowerCase()))
  const columnHas = (column: number, is: (cell: string) => boolean) => {
    const cells = rows.map((row) => row[column] ?? '').filter((cell) => cell !== '')
    return cells.length > 0 && cells.every(is)
  }
  const columns: Column[] = []
  const take = (column: number, ...fields: PersonField[]) => {
    columns[column] = fields.find((field) => !columns.includes(field))
  }
  for (let column = 0; column < width; column += 1) {
    if (columnHas(column, (cell) => cell.includes('@'))) take(column, 'email', 'external_email')
    else if (columnHas(column, (cell) => /^\d+$/.test(cell))) take(column, 'quota')
    else if (columnHas(column, (cell) => known.has(cell.toLowerCase()))) take(column, 'package')
    else columns[column] = undefined
  }
  if (!columns.includes('email')) return undefined
  const names = columns.flatMap((column, index) => (column === undefined ? [index] : []))
  const [one, other] = names
  if (one !== undefined && other === undefined) columns[one] = 'name'
  if (one !== undefined && other !== undefined) {
    columns[one] = 'first_name'
    columns[other] = 'last_name'
  }
  return columns
}

/** Fields of the sheet in order, starting at one. */
function columnsFrom(at: PersonField): Column[] {
  return personFields.slice(personFields.indexOf(at))
}

function toPerson(cells: readonly string[], columns: readonly Column[]): PastedPerson {
  const person: PastedPerson = {}
  for (const [index, cell] of cells.entries()) {
    const column = columns[index]
    if (column === undefined || cell === '') continue
    if (column !== 'name') person[column] = cell
    else {
      const [first = '', ...last] = cell.split(/\s+/)
      person.first_name = first
      if (last.length > 0) person.last_name = last.join(' ')
    }
  }
  return person
}
