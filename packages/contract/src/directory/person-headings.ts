import { userFields } from './user-fields.ts'

/** Columns of a sheet of new users. Doesn't import zod, because the browser loads it too. */
export const personFields = [
  'first_name',
  'last_name',
  'email',
  'package',
  'quota',
  'external_email',
] as const

export type PersonField = (typeof personFields)[number]

/** Other accepted headings for user columns, case-insensitive. */
export const personHeadings: Readonly<Record<PersonField, readonly string[]>> = {
  first_name: userFields.first_name.headings,
  last_name: userFields.last_name.headings,
  email: [
    'e-mail address',
    'address',
    'e-mail-adresse',
    'adresse',
    'courriel',
    'adresse e-mail',
    'indirizzo',
  ],
  package: ['paket', 'forfait', 'pacchetto'],
  quota: ['storage', 'speicher', 'speicherplatz', 'stockage', 'spazio', 'gb'],
  external_email: userFields.external_email.headings,
}

/** Ignores case, accents, blanks and punctuation: `E-Mail`, `e_mail` and `email` are the same heading. */
export function plainHeading(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
}
