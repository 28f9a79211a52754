import { canonicalAddress } from '@gatehouse/contract/canonical-address'
import { personHeadings } from '@gatehouse/contract/directory/person-headings'
import { fieldsWith, userFields } from '@gatehouse/contract/directory/user-fields'
import type { Column } from '../csv/columns.ts'
import type { Cells, ReadRow } from './importer.ts'

/** Columns of a user file for export and import, with their names in other languages. */
export const userColumns: readonly Column[] = [
  {
    name: 'email',
    isRequired: true,
    also: personHeadings.email,
  },
  ...fieldsWith('headings').map((name) => ({ name, also: userFields[name].headings })),
  { name: 'aliases', also: ['alias', 'aliasse', 'alias addresses'] },
  { name: 'package', also: personHeadings.package },
  { name: 'quota', also: personHeadings.quota },
  { name: 'password', also: ['passwort', 'mot de passe', 'parola chiave'], isVerbatim: true },
  { name: 'id', isIgnored: true },
  { name: 'mail_used', isIgnored: true },
  { name: 'status', isIgnored: true },
  { name: 'created_at', isIgnored: true },
  { name: 'deleted_at', isIgnored: true },
]

/** Parses a row of a user file. */
export function readUserRow({ password = null, aliases = null, ...cells }: Cells): ReadRow {
  const list = (aliases ?? '').split(/[\s,;|]+/).filter((alias) => alias !== '')
  const email = cells.email ?? ''
  return {
    label: email,
    input: { ...cells, aliases: list },
    ...(password !== null && { secret: password }),
    addresses: [email, ...list].filter((text) => text !== '').map(canonicalAddress),
  }
}
