import { type PersonField, personFields } from '@gatehouse/contract/directory/person-headings'
import { fullAddress } from '../../../domain/domain-select/full-address.ts'
import type { PastedPerson } from './paste.ts'

/** As many rows as a sheet may have; the contract says so too. */
export const maxRows = 200

/** One row of the sheet. */
export interface SheetRow {
  /** Stays the row's own, wherever it moves. */
  key: number
  cells: Record<PersonField, string>
}

export interface NamedPackage {
  id: string
  name: string
  title: string
}

/** What a new row begins with. */
export function blankRow(key: number, packageId: string): SheetRow {
  return {
    key,
    cells: { first_name: '', last_name: '', email: '', package: packageId, quota: '', external_email: '' },
  }
}

/** Nothing was typed into the row; its package alone makes no user. */
export function isBlank({ cells }: SheetRow): boolean {
  return personFields.every((field) => field === 'package' || cells[field].trim() === '')
}

/** The id of a package by its id, title or name; a text that is none of them stays as it is. */
export function packageIdOf(text: string, packages: readonly NamedPackage[]): string {
  const name = text.toLowerCase()
  const found = packages.find((item) =>
    [item.id, item.title, item.name].some((one) => one.toLowerCase() === name),
  )
  return found?.id ?? text
}

export interface Paste {
  /** The row and field that have the focus. */
  key: number
  people: readonly PastedPerson[]
  packages: readonly NamedPackage[]
  packageId: string
  nextKey: () => number
}

/** Puts pasted people into the sheet: over the row that has the focus and the blank ones below, then into new rows. */
export function pasteInto(
  rows: readonly SheetRow[],
  { key, people, packages, packageId, nextKey }: Paste,
): { rows: SheetRow[]; left: number } {
  const at = rows.findIndex((row) => row.key === key)
  const next = [...rows]
  let place = Math.max(0, at)
  let left = 0
  for (const [index, person] of people.entries()) {
    // rows that say something already are not written over, save the one that it is pasted into
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

/** A row as the server takes it: blank cells are null, and an address without a domain gets that of the sheet. */
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

/** The id of a field of a row. */
export function cellId(key: number, field: PersonField): string {
  return `person-${key}-${field}`
}
