/** Accepted column headings of a file, in all languages of the product. */
const headings = {
  email: [
    'email',
    'email address',
    'mail',
    'address',
    'e mail adresse',
    'mailadresse',
    'adresse',
    'indirizzo',
  ],
  first: ['first name', 'given name', 'vorname', 'prénom', 'prenom', 'nome'],
  last: [
    'last name',
    'surname',
    'family name',
    'nachname',
    'familienname',
    'nom',
    'nom de famille',
    'cognome',
  ],
  full: ['name', 'full name', 'nom complet', 'nome completo'],
} as const satisfies Record<string, readonly string[]>

type Column = keyof typeof headings

interface Cells {
  readonly email: string
  readonly firstName: string | null
  readonly lastName: string | null
}

/** Maximum characters of a name, as at sign-up. */
const longestName = 50

/**
 * Determines the columns of a file from its first line: by headings, otherwise address, first name, last name.
 */
export function readColumns(first: readonly string[]): {
  readonly isHeading: boolean
  readonly read: (cells: readonly string[]) => Cells
} {
  const columns = first.map(columnOf)
  const isHeading = columns.includes('email') && !first.some((cell) => cell.includes('@'))
  const order = isHeading ? columns : (['email', first.length === 2 ? 'full' : 'first', 'last'] as const)
  return {
    isHeading,
    read: (cells) => {
      const at = (column: Column) => cells[order.indexOf(column)] ?? ''
      return { email: at('email'), ...namesOf(at('first'), at('last'), at('full')) }
    },
  }
}

function columnOf(cell: string): Column | undefined {
  const text = cell.toLowerCase().replaceAll(/[\s_-]+/g, ' ')
  // Normalizes all spellings of "E-mail".
  const name = text.replace(/^e mail/, 'email')
  const entries = Object.entries(headings) as [Column, readonly string[]][] // the keys of an object literal
  return entries.find(([, names]) => names.includes(name) || names.includes(text))?.[0]
}

function namesOf(first: string, last: string, full: string): Omit<Cells, 'email'> {
  if (first !== '' || last !== '') return { firstName: readName(first), lastName: readName(last) }
  const end = full.lastIndexOf(' ')
  return end < 0
    ? { firstName: readName(full), lastName: null }
    : { firstName: readName(full.slice(0, end)), lastName: readName(full.slice(end + 1)) }
}

/** Returns a name that sign-up accepts (it contains no "/" and hence no URL), or null. */
function readName(text: string): string | null {
  return text.replaceAll('/', ' ').trim().slice(0, longestName).trim() || null
}
