import { type AccountPolicies, mailDeliveryPolicies, type PolicyRule } from '@gatehouse/contract/policies'
import type { PasswordRuleName } from '@gatehouse/contract/sessions/passwords'
import { passwordRules } from '@gatehouse/contract/sessions/passwords'
import type { Translate } from '../../platform/i18n/translator.ts'
import type { UserSettings } from '../user-settings.ts'
import { effectivePolicy, type PasswordPolicy, parsePasswordPolicy } from './password-policy.ts'
import { effectiveSecondFactor, isRequiredBySystem, type SecondFactorRules } from './second-factor-policy.ts'
import { staffAccess } from './staff-access.ts'
import { userConfig } from './user-config.ts'

/** Data for the policies page. */
export interface PolicyFacts {
  readonly ownerId: number
  /** The settings of the account's owner. */
  readonly ownerConfig: Readonly<Record<string, string>>
  readonly system: PasswordPolicy
  readonly secondFactor: SecondFactorRules
  readonly withMailfilter: boolean
  readonly config: Pick<UserSettings, 'STAFF_ACCESS'>
  readonly t: Translate
}

/** Suggested numbers for rules that aren't in force. */
const offered: ReadonlyMap<PasswordRuleName, number> = new Map([
  ['min', 6],
  ['max', 255],
  ['last', 3],
])

/** The policies of an account as shown to its controllers; reference api-objects §14.1. */
export function presentPolicies(facts: PolicyFacts): AccountPolicies {
  const { ownerConfig, withMailfilter } = facts
  const config = userConfig({ config: ownerConfig, ownerConfig })
  return {
    password: passwordRules.map((rule) => presentRule(rule, facts)),
    mailDelivery: withMailfilter ? [...mailDeliveryPolicies] : ['greylist_policy'],
    config: {
      max_password_age: config.max_password_age,
      greylist_policy: config.greylist_policy,
      ...(withMailfilter && {
        itip_policy: config.itip_policy,
        externalsender_policy: config.externalsender_policy,
        externalsender_policy_domains: config.externalsender_policy_domains,
      }),
    },
    staffAccess: {
      own: config.staff_access_policy,
      usual: facts.config.STAFF_ACCESS,
      effective: staffAccess(ownerConfig, facts.config),
    },
    second_factor: {
      ...effectiveSecondFactor(facts.secondFactor, null, config.second_factor_policy),
      required: isRequiredBySystem(facts.secondFactor, null),
    },
    ownerId: facts.ownerId,
  }
}

function presentRule(label: PasswordRuleName, facts: PolicyFacts): PolicyRule {
  const stored = facts.ownerConfig.password_policy
  const account = stored === undefined ? undefined : parsePasswordPolicy(stored)
  const policy = effectivePolicy(facts.system, account)
  const limit = facts.system.get(label)
  const number = policy.get(label) ?? offered.get(label)
  return {
    label,
    name: facts.t(`app.password-rule-${label}`, { param: number ?? 0 }),
    param: number === undefined ? null : String(number),
    enabled: policy.has(label),
    // lengths are part of every policy
    required: label === 'min' || label === 'max' || facts.system.has(label),
    limit: limit ?? null,
  }
}
