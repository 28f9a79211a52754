import type { SecondFactorPolicy } from '@gatehouse/contract/directory/users'
import {
  accountPolicyKeys,
  userConfigInput as schema,
  type userConfigInput,
} from '@gatehouse/contract/policies'
import type { z } from 'zod'
import { countries } from '../../platform/country-database/countries.ts'
import { type Message, message } from '../../platform/http/errors.ts'
import { type Checked, unless } from '../../platform/http/validation.ts'
import { normaliseDomain } from '../addresses/domain-name.ts'
import type { PasswordPolicy } from './password-policy.ts'
import { passwordPolicyProblem } from './password-policy-input.ts'
import { storeFlag, storeList } from './stored-value.ts'
import { unknownKeyErrors } from './unknown-keys.ts'

type Key = keyof typeof schema.shape
type Values = z.output<typeof userConfigInput>

/** What validation depends on. */
export interface ConfigContext {
  readonly system: PasswordPolicy
  /** The user is the account's owner, who stores the account's policies. */
  readonly isOwner: boolean
  /** The installation requires a second factor of everyone. */
  readonly isFactorRequired: boolean
  /** The caller's country when they set their own geo-lock; undefined: set for another user. */
  readonly ownCountry: { readonly code: string | undefined } | undefined
}

/** The keys sent, known or unknown, with values of any type. */
export type Entries = Readonly<Record<string, unknown>>

const accountKeys: readonly string[] = accountPolicyKeys

/** Whether an input has account policies. */
export function namesAccountPolicy(entries: Entries): boolean {
  return Object.keys(entries).some((key) => accountKeys.includes(key))
}

/** Whether an input has user settings. */
export function namesUserSetting(entries: Entries): boolean {
  return Object.keys(entries).some((key) => isKey(key) && !accountKeys.includes(key))
}

/**
 * Validates a configuration key by key; reference api-objects §14.1. Returns the settings to write; null
 * deletes one.
 */
export function checkConfig(
  entries: Entries,
  context: ConfigContext,
): Checked<Readonly<Record<string, string | null>>> {
  const settings: [string, string | null][] = []
  const errors = Object.entries(unknownKeyErrors(entries, isKey))
  for (const [key, value] of Object.entries(entries)) {
    if (!isKey(key)) continue
    if (accountKeys.includes(key) && !context.isOwner) {
      errors.push([key, message('policies.account-policy-only')])
    } else {
      const result = checkKey(key, value, context)
      if (typeof result === 'object' && result !== null) errors.push([key, result])
      else settings.push([key, result])
    }
  }
  return unless(Object.fromEntries(errors), Object.fromEntries(settings))
}

function isKey(key: string): key is Key {
  return Object.hasOwn(schema.shape, key)
}

/** Returns the value to store for a key, or an error. */
function checkKey(key: Key, value: unknown, context: ConfigContext): string | null | Message {
  const parsed = schema.safeParse({ [key]: value })
  if (!parsed.success) return formProblems[key]
  const sent: Values = parsed.data
  switch (key) {
    case 'externalsender_policy_domains':
      return checkDomains(sent.externalsender_policy_domains ?? [])
    case 'limit_geo':
      return checkCountries(sent.limit_geo ?? [], context.ownCountry)
    case 'password_policy':
      return checkPasswordPolicy(sent.password_policy ?? null, context.system)
    case 'max_password_age':
      return sent.max_password_age ? String(sent.max_password_age) : null
    case 'second_factor_policy':
      return checkSecondFactor(sent.second_factor_policy ?? null, context.isFactorRequired)
    case 'guam_enabled':
      return sent.guam_enabled === true ? 'true' : null
    default:
      return storeFlag(sent[key] ?? null)
  }
}

const formProblems: Readonly<Record<Key, Message>> = {
  greylist_policy: message('validation.boolean'),
  itip_policy: message('validation.boolean'),
  externalsender_policy: message('validation.boolean'),
  externalsender_policy_domains: message('policies.invalid-externalsender-domains'),
  password_policy: message('policies.invalid-password-policy'),
  max_password_age: message('policies.invalid-max-password-age'),
  greylist_enabled: message('validation.boolean'),
  itip_config: message('validation.boolean'),
  externalsender_config: message('validation.boolean'),
  guam_enabled: message('validation.boolean'),
  limit_geo: message('policies.invalid-limit-geo'),
  staff_access_policy: message('validation.boolean'),
  second_factor_policy: message('policies.invalid-second-factor'),
}

/** What the installation requires can't be disabled; having no own setting is always allowed. */
function checkSecondFactor(policy: SecondFactorPolicy | null, isRequired: boolean): string | null | Message {
  return isRequired && policy === 'optional' ? message('policies.second-factor-required') : policy
}

function checkDomains(domains: readonly string[]): string | null | Message {
  const names = domains.map(normaliseDomain)
  const wrong = domains.find((_, index) => names[index] === undefined)
  if (wrong !== undefined) {
    return message('policies.invalid-externalsender-domain', { domain: wrong.slice(0, 100) })
  }
  return storeList([...new Set(names.filter((name) => name !== undefined))])
}

function checkCountries(codes: readonly string[], own: ConfigContext['ownCountry']): string | null | Message {
  // plain letters only: the upper case of ß is a country code
  const wrong = codes.find(
    (code) => !/^[a-z]{2}$/i.test(code) || !Object.hasOwn(countries, code.toUpperCase()),
  )
  if (wrong !== undefined) return message('policies.invalid-limit-geo-code', { code: wrong })
  const wanted = [...new Set(codes.map((code) => code.toUpperCase()))]
  if (wanted.length > 0 && own !== undefined) {
    // any list would lock out users whose country is unknown
    if (own.code === undefined) return message('policies.invalid-limit-geo-unknown-current')
    if (!wanted.includes(own.code)) {
      return message('policies.invalid-limit-geo-missing-current', { code: own.code })
    }
  }
  return storeList(wanted)
}

function checkPasswordPolicy(policy: string | null, system: PasswordPolicy): string | null | Message {
  if (policy === null) return null
  return passwordPolicyProblem(policy, system) ?? policy
}
