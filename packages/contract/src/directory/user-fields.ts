/**
 * The personal fields of a user. Schema, forms, import, export, activity, cockpit and back end are derived
 * from this list. Each is a row in `user_settings` under its name and has its label in `userfields.<name>`.
 * Doesn't import zod, because the browser loads it too.
 */

/** Format of a value: one line, several lines, or text in a specific format. */
export type UserFieldKind = 'line' | 'lines' | 'phone' | 'email' | 'country' | 'currency'

interface UserField {
  readonly kind: UserFieldKind
  /** Maximum characters. */
  readonly max: number
  /** Section of the form; fields without one aren't displayed. */
  readonly section?: 'name' | 'contact' | 'billing'
  /** Shown in user lists as part of the person's name. */
  readonly isListed?: true
  /** Shown in the forms for new users. */
  readonly isAskedFirst?: true
  /** Column in exports and imports, with other headings that an import accepts. */
  readonly headings?: readonly string[]
  /** Its name in the back end's record. */
  readonly backend?: string
}

/** In the order of forms and columns. */
export const userFields = {
  first_name: {
    kind: 'line',
    max: 128,
    section: 'name',
    isListed: true,
    isAskedFirst: true,
    headings: ['vorname', 'prénom', 'nome', 'given name'],
    backend: 'firstName',
  },
  last_name: {
    kind: 'line',
    max: 128,
    section: 'name',
    isListed: true,
    isAskedFirst: true,
    headings: ['nachname', 'nom', 'cognome', 'surname', 'family name'],
    backend: 'lastName',
  },
  organization: {
    kind: 'line',
    max: 512,
    section: 'name',
    isAskedFirst: true,
    headings: ['organisation', 'company', 'firma', 'entreprise', 'organizzazione', 'azienda'],
    backend: 'organization',
  },
  department: {
    kind: 'line',
    max: 512,
    section: 'name',
    isAskedFirst: true,
    headings: ['abteilung', 'département', 'service', 'reparto', 'dipartimento'],
    backend: 'department',
  },
  phone: {
    kind: 'phone',
    max: 64,
    section: 'contact',
    headings: ['telephone', 'telefon', 'téléphone', 'telefono'],
  },
  external_email: {
    kind: 'email',
    max: 191,
    section: 'contact',
    headings: [
      'external address',
      'externe e-mail',
      'externe e-mail-adresse',
      'e-mail externe',
      'e-mail esterna',
    ],
  },
  billing_address: { kind: 'lines', max: 1024, section: 'billing' },
  country: { kind: 'country', max: 2, section: 'billing', headings: ['land', 'pays', 'paese'] },
  currency: { kind: 'currency', max: 3 },
} as const satisfies Readonly<Record<string, UserField>>

export type UserFieldName = keyof typeof userFields

/** Names of the fields that have this property. */
export type FieldWith<P extends keyof UserField> = {
  [N in UserFieldName]: (typeof userFields)[N] extends Readonly<Record<P, unknown>> ? N : never
}[UserFieldName]

// Object.keys loses the type of the keys, which are exactly the fields
export const userFieldNames = Object.keys(userFields) as readonly UserFieldName[]

/** The fields that have this property, in list order. */
export function fieldsWith<P extends keyof UserField>(property: P): readonly FieldWith<P>[] {
  const has = (name: UserFieldName): name is FieldWith<P> => property in userFields[name]
  return userFieldNames.filter(has)
}

/** Names of fields in the back end's record. */
export type BackendFieldName = (typeof userFields)[FieldWith<'backend'>]['backend']

/** Returns an object with one value per field. */
export function forFields<N extends UserFieldName, V>(
  names: readonly N[],
  value: (name: N) => V,
): Record<N, V> {
  // fromEntries loses the type of the keys, which are exactly the names
  return Object.fromEntries(names.map((name) => [name, value(name)])) as Record<N, V>
}
