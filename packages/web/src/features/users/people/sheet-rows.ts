import { type PersonField, personFields } from '@gatehouse/contract/directory/person-headings'
import { fullAddress } from '../../../domain/domain-select/full-address.ts'
import type { PastedPerson } from './paste.ts'

/** Maximum number of rows in a sheet; must match the contract. */
export const maxRows = 200

/** A row of the sheet. */
export interface SheetRow {
  /** Stable key of the row, wherever it moves. */
  key: number
  cells: Record<PersonField, string>
}

export interface NamedPackage {
  id: string
  name: string
  title: string
}

/** Returns an empty row. */
export function blankRow(key: number, packageId: string): SheetRow {
  return {
    key,
    cells: { first_name: '', last_name: '', email: '', package: packageId, quota: '', external_email: '' },
  }
}

/** Whether the row is empty; a package alone doesn't count. */
export function isBlank({ cells }: SheetRow): boolean {
  return personFields.every((field) => field === 'package' || cells[field].trim() === '')
}

/** Returns the id of a package by id, title or name; other text is returned unchanged. */
export function packageIdOf(text: string, packages: readonly NamedPackage[]): string {
  const name = text.toLowerCase()
  const found = packages.find((item) =>
    [item.id, item.title, item.name].some((one) => one.toLowerCase() === name),
  )
  return found?.id ?? text
}

export interface Paste {
  /** Focused row and field. */
  key: number
  people: readonly PastedPerson[]
  packages: readonly NamedPackage[]
  packageId: string
  nextKey: () => number
}

/** Inserts pasted people: over the focused row and the blank ones below, then into new rows. */
export function pasteInto(
  rows: readonly SheetRow[],
  { key, people, packages, packageId, nextKey }: Paste,
): { rows: SheetRow[]; left: number } {
  const at = rows.findIndex((row) => row.key === key)
  const next = [...rows]
  let place = Math.max(0, at)
  let left = 0
  for (const [index, person] of people.entries()) {
    // non-empty rows aren't overwritten, except for the one pasted into
    while (index > 0 && next[place] !== undefined && !isBlank(next[place] as SheetRow)) place += 1
    const before = next[place] ?? blankRow(nextKey(), packageId)
    if (place >= maxRows) {
      left += 1
      continue
    }
    next[place] = { ...before, cells: { ...before.cells, ...cellsOf(person, packages) } }
    place += 1
  }
  return { rows: next, left }
}

function cellsOf(person: PastedPerson, packages: readonly NamedPackage[]): PastedPerson {
  return {
    ...person,
    ...(person.package !== undefined && { package: packageIdOf(person.package, packages) }),
    ...(person.quota !== undefined && { quota: person.quota.replace(/\s*(gb|go)$/i, '') }),
  }
}

/** Converts a row to the API format: blank cells become null, addresses without a domain get the sheet's. */
export function toPerson({ cells }: SheetRow, domain: string): Record<PersonField, string | null> {
  const text = (field: PersonField) => cells[field].trim() || null
  return {
    first_name: text('first_name'),
    last_name: text('last_name'),
    email: fullAddress(cells.email, domain) || null,
    package: text('package'),
    quota: text('quota'),
    external_email: text('external_email'),
  }
}

/** Returns the id of a field of a row. */
export function cellId(key: number, field: PersonField): string {
  return `person-${key}-${field}`
}
