/**
 * The personal fields of a user: schema, forms, import, export, activity, cockpit and back end are made from this
 * list. Each is a row of `user_settings` under its name and has its label in the texts `userfields.<name>`.
 * Without zod, because the browser reads it too.
 */

/** What a value may be: one line, several lines, or a text with a form of its own. */
export type UserFieldKind = 'line' | 'lines' | 'phone' | 'email' | 'country' | 'currency'

interface UserField {
  readonly kind: UserFieldKind
  /** Characters. */
  readonly max: number
  /** Section of the form; a field without one isn't shown to people. */
  readonly section?: 'name' | 'contact' | 'billing'
  /** The lists of users have it, as the person's name. */
  readonly isListed?: true
  /** The forms of a new user ask for it. */
  readonly isAskedFirst?: true
  /** A column of exports and imports; other headings that an import takes for it. */
  readonly headings?: readonly string[]
  /** What the record of the back end calls it. */
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

/** Names of the fields that have a property. */
export type FieldWith<P extends keyof UserField> = {
  [N in UserFieldName]: (typeof userFields)[N] extends Readonly<Record<P, unknown>> ? N : never
}[UserFieldName]

// Object.keys forgets the key type; the keys are exactly the fields
export const userFieldNames = Object.keys(userFields) as readonly UserFieldName[]

/** The fields that have a property, in the order of the list. */
export function fieldsWith<P extends keyof UserField>(property: P): readonly FieldWith<P>[] {
  const has = (name: UserFieldName): name is FieldWith<P> => property in userFields[name]
  return userFieldNames.filter(has)
}

/** What the back end's record calls the fields that it has. */
export type BackendFieldName = (typeof userFields)[FieldWith<'backend'>]['backend']

/** An object with a value for each of the fields. */
export function forFields<N extends UserFieldName, V>(
  names: readonly N[],
  value: (name: N) => V,
): Record<N, V> {
  // fromEntries forgets the key type; the keys are exactly the names
  return Object.fromEntries(names.map((name) => [name, value(name)])) as Record<N, V>
}
