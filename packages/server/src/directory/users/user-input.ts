import { canonicalAddress } from '@gatehouse/contract/canonical-address'
import { type UserFieldName, userFieldNames, userFields } from '@gatehouse/contract/directory/user-fields'
import type { PersonFacts } from '../../passwords/context-words.ts'
import { newPasswordErrors } from '../../passwords/new-password.ts'
import type { PasswordRequirements } from '../../passwords/requirements.ts'
import { countries } from '../../platform/country-database/countries.ts'
import type { Db } from '../../platform/db/database.ts'
import { type FieldMessages, type Message, message } from '../../platform/http/errors.ts'
import type { EmailAddress } from '../../users/addresses/email-address.ts'
import {
  type AddressAccount,
  type AddressCheck,
  checkNewAddresses,
} from '../../users/addresses/new-address.ts'

/** Input of a call before its types are known. */
export type RawInput = Readonly<Record<string, unknown>>

export type Errors = Readonly<Record<string, FieldMessages>>

type Profile = Readonly<Partial<Record<UserFieldName, string | null | undefined>>>

const currencies = new Set(Object.values(countries).map(([currency]) => currency))

/** Rules of profile fields that the schema cannot say: codes must be those of a country and a currency. */
export function profileErrors(input: RawInput): Errors {
  const { country, currency } = input
  const isCountry = (code: string) => Object.hasOwn(countries, code.toUpperCase())
  return {
    ...(typeof country === 'string' && !isCountry(country) && { country: [message('users.no-country')] }),
    ...(typeof currency === 'string' &&
      !currencies.has(currency.toUpperCase()) && { currency: [message('users.no-currency')] }),
  }
}

/** The settings that an input names; null removes one. */
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

/** What is wrong with a password that somebody types for a user, if one is typed or must be. */
export function passwordErrors(
  input: RawInput,
  requirements: PasswordRequirements,
  isNeeded: boolean,
): Errors {
  const password = asText(input.password)
  const confirmation = asText(input.password_confirmation)
  if (!isNeeded && password === null && confirmation === null) return {}
  return newPasswordErrors(requirements, password, confirmation)
}

/** What an input says of the person whose password comes with it. */
export function personIn(input: RawInput): PersonFacts {
  return {
    first_name: asText(input.first_name),
    last_name: asText(input.last_name),
    organization: asText(input.organization),
    addresses: [asText(input.email), asText(input.external_email)],
  }
}

export interface CheckedAliases {
  /** Aliases that the user has and keeps. */
  readonly kept: readonly string[]
  /** New ones in their canonical form, each once, without those that are refused. */
  readonly added: readonly string[]
  readonly errors: Errors
  /** Place in the input of each new one, for an error that shows only when it is claimed. */
  readonly places: ReadonlyMap<string, number>
}

/** Checks the aliases that are wanted and not there yet; `own` are the user's own addresses. */
export async function checkAliases(
  db: Db,
  account: AddressAccount,
  input: unknown,
  own: readonly string[],
  check: AddressCheck = checkNewAddresses,
): Promise<CheckedAliases> {
  const kept = new Set<string>()
  const places = new Map<string, number>()
  for (const [index, text] of aliasTexts(input)) {
    const alias = canonicalAddress(text)
    if (own.includes(alias)) kept.add(alias)
    else if (!places.has(alias)) places.set(alias, index)
  }
  const checked = await check(db, account, [...places.keys()])
  const problems = new Map<number, Message>()
  for (const [number, index] of [...places.values()].entries()) {
    const result = checked[number]
    if (result !== undefined && result.address === undefined) problems.set(index, result.problem)
  }
  return {
    kept: [...kept],
    added: checked.flatMap((one) => (one.address === undefined ? [] : [one.address.full])),
    errors: problems.size > 0 ? { aliases: problems } : {},
    places,
  }
}

/** The aliases of an input with their places; blanks and what is no text are left to the schema. */
function aliasTexts(input: unknown): [number, string][] {
  const items: unknown[] = Array.isArray(input) ? input : []
  // far longer texts than any address need no look into the database; the schema refuses them
  return items.flatMap<[number, string]>((item, index) =>
    typeof item === 'string' && item.trim() !== '' && item.length <= 1024 ? [[index, item.trim()]] : [],
  )
}

/** The address of a new user. */
export async function checkEmail(
  db: Db,
  account: AddressAccount,
  input: unknown,
  check: AddressCheck = checkNewAddresses,
): Promise<{ readonly email?: EmailAddress; readonly errors: Errors }> {
  if (input == null) return { errors: { email: message('validation.required') } }
  // what is no text or far too long is the schema's to say
  if (typeof input !== 'string' || input.length > 1024) return { errors: {} }
  const [checked] = await check(db, account, [input])
  if (checked?.address !== undefined) return { email: checked.address, errors: {} }
  return { errors: { email: checked?.problem ?? message('validation.invalid') } }
}

export function asText(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}
