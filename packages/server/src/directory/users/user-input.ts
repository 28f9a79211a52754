import { canonicalAddress } from '@gatehouse/contract/canonical-address'
import { type UserFieldName, userFieldNames, userFields } from '@gatehouse/contract/directory/user-fields'
import type { PersonFacts } from '../../passwords/context-words.ts'
import { newPasswordErrors } from '../../passwords/new-password.ts'
import type { PasswordRequirements } from '../../passwords/requirements.ts'
import { countries } from '../../platform/country-database/countries.ts'
import type { Db } from '../../platform/db/database.ts'
import { type Message, message } from '../../platform/http/errors.ts'
import { type Checked, type Errors, unless } from '../../platform/http/validation.ts'
import type { EmailAddress } from '../../users/addresses/email-address.ts'
import {
  type AddressAccount,
  type AddressCheck,
  checkNewAddresses,
} from '../../users/addresses/new-address.ts'

type Text = string | null | undefined

type Profile = Readonly<Partial<Record<UserFieldName, Text>>>

type Passwords = Readonly<Partial<Record<'password' | 'password_confirmation', Text>>>

const currencies = new Set(Object.values(countries).map(([currency]) => currency))

/** Validates profile fields beyond the schema: country and currency codes must exist. */
export function profileErrors({ country, currency }: Profile): Errors {
  const isCountry = country == null || Object.hasOwn(countries, country.toUpperCase())
  const isCurrency = currency == null || currencies.has(currency.toUpperCase())
  return {
    ...(!isCountry && { country: [message('users.no-country')] }),
    ...(!isCurrency && { currency: [message('users.no-currency')] }),
  }
}

/** Returns the settings in the input; null removes one. */
export function profileSettings(input: Profile): Record<string, string | null> {
  const settings: Record<string, string | null> = {}
  for (const name of userFieldNames) {
    const value = input[name]
    if (value === undefined) continue
    const { kind } = userFields[name]
    settings[name] = kind === 'country' || kind === 'currency' ? (value?.toUpperCase() ?? null) : value
  }
  return settings
}

/** Validates a password typed for a user, if there is one or it is required. */
export function passwordErrors(
  { password, password_confirmation: confirmation }: Passwords,
  requirements: PasswordRequirements,
  isNeeded: boolean,
): Errors {
  if (!isNeeded && password == null && confirmation == null) return {}
  return newPasswordErrors(requirements, password, confirmation)
}

/** Returns the personal data submitted along with a password. */
export function personIn(fields: Profile & { readonly email?: Text }): PersonFacts {
  const { first_name, last_name, organization, email, external_email } = fields
  return { firstName: first_name, lastName: last_name, organization, addresses: [email, external_email] }
}

/** Aliases as sent by a client: blank ones are null. */
export type SentAliases = readonly (string | null)[] | null | undefined

export interface CheckedAliases {
  /** Current aliases that are kept. */
  readonly kept: readonly string[]
  /** New aliases in canonical form, without duplicates. */
  readonly added: readonly string[]
  /** Input position of each new alias, for errors that only occur when it is claimed. */
  readonly places: ReadonlyMap<string, number>
}

/** Validates the aliases to be added; `own` are the user's own addresses. */
export async function checkAliases(
  db: Db,
  account: AddressAccount,
  sent: SentAliases,
  own: readonly string[],
  check: AddressCheck = checkNewAddresses,
): Promise<Checked<CheckedAliases>> {
  const kept = new Set<string>()
  const places = new Map<string, number>()
  for (const [index, text] of (sent ?? []).entries()) {
    if (text === null || text.trim() === '') continue
    const alias = canonicalAddress(text.trim())
    if (own.includes(alias)) kept.add(alias)
    else if (!places.has(alias)) places.set(alias, index)
  }
  const checked = await check(db, account, [...places.keys()])
  const problems = new Map<number, Message>()
  for (const [number, index] of [...places.values()].entries()) {
    const result = checked[number]
    if (result !== undefined && result.address === undefined) problems.set(index, result.problem)
  }
  const added = checked.flatMap((one) => (one.address === undefined ? [] : [one.address.full]))
  return unless(problems.size > 0 ? { aliases: problems } : {}, { kept: [...kept], added, places })
}

/** Validates the address of a new user. */
export async function checkEmail(
  db: Db,
  account: AddressAccount,
  text: Text,
  check: AddressCheck = checkNewAddresses,
): Promise<Checked<EmailAddress>> {
  if (text == null) return { errors: { email: message('validation.required') } }
  const [checked] = await check(db, account, [text])
  if (checked?.address !== undefined) return { value: checked.address }
  return { errors: { email: checked?.problem ?? message('validation.invalid') } }
}
