import type { EffectiveSettings, SettingSource } from '@gatehouse/contract/policies'
import type { Role } from '../../platform/http/callers/principal.ts'
import { effectivePolicy, type PasswordPolicy, parsePasswordPolicy } from './password-policy.ts'
import {
  effectiveSecondFactor,
  readSecondFactorPolicy,
  type SecondFactorRules,
} from './second-factor-policy.ts'
import { readFlag, readList, readMonths } from './stored-value.ts'

type Stored = Readonly<Record<string, string | undefined>>

/** Defaults if neither the user nor the account has a setting. */
export const systemDefaults = { greylist: true, itip: false, externalsender: false } as const

/** Requirements of the installation. */
export interface SystemRules {
  readonly password: PasswordPolicy
  readonly secondFactor: SecondFactorRules
}

/** A value and its origin. */
interface Found<T> {
  value: T
  source: SettingSource
}

/** The mail delivery policies of an account, from its owner's settings. */
export function accountDelivery(owner: Stored) {
  return {
    greylist: firstOf(systemDefaults.greylist, [readFlag(owner.greylist_policy), 'account']),
    itip: firstOf(systemDefaults.itip, [readFlag(owner.itip_policy), 'account']),
    externalsender: firstOf(systemDefaults.externalsender, [
      readFlag(owner.externalsender_policy),
      'account',
    ]),
    externalsender_domains: listOf(owner.externalsender_policy_domains, 'account'),
  }
}

/**
 * Effective settings of a user: the user's own, otherwise the account's policy, otherwise the system default.
 * An account's password policy adds to the system's.
 */
export function effectiveSettings(
  settings: { readonly config: Stored; readonly ownerConfig: Stored },
  system: SystemRules,
  role: Role | null,
): EffectiveSettings {
  const { config: own, ownerConfig: owner } = settings
  const delivery = accountDelivery(owner)
  const policy = owner.password_policy
  return {
    greylist: ownOr(own.greylist_enabled, delivery.greylist),
    itip: ownOr(own.itip_config, delivery.itip),
    externalsender: ownOr(own.externalsender_config, delivery.externalsender),
    externalsender_domains: delivery.externalsender_domains,
    password_policy: {
      value: formatPolicy(
        effectivePolicy(system.password, policy === undefined ? undefined : parsePasswordPolicy(policy)),
      ),
      source: policy === undefined ? 'system' : 'account',
    },
    max_password_age: firstOf<number | null>(null, [readMonths(owner.max_password_age), 'account']),
    limit_geo: listOf(own.limit_geo, 'user'),
    second_factor: effectiveSecondFactor(
      system.secondFactor,
      role,
      readSecondFactorPolicy(owner.second_factor_policy),
    ),
  }
}

/** Returns a policy in its stored form: `min:8,max:255,lower`. */
export function formatPolicy(policy: PasswordPolicy): string {
  return [...policy].map(([rule, number]) => (number === undefined ? rule : `${rule}:${number}`)).join(',')
}

function firstOf<T>(fallback: T, [value, source]: [T | null, SettingSource]): Found<T> {
  return value === null ? { value: fallback, source: 'system' } : { value, source }
}

function ownOr(setting: string | undefined, account: Found<boolean>): Found<boolean> {
  const own = readFlag(setting)
  return own === null ? account : { value: own, source: 'user' }
}

function listOf(setting: string | undefined, source: SettingSource): Found<string[]> {
  const value = readList(setting)
  return { value, source: value.length === 0 ? 'system' : source }
}
