import type { UserConfig } from '@gatehouse/contract/directory/users'
import { accountDelivery } from './effective-settings.ts'
import { readSecondFactorPolicy } from './second-factor-policy.ts'
import { readFlag, readList } from './stored-value.ts'

/** Settings that store a user's configuration and an account's policies. */
export const configSettings = [
  'greylist_policy',
  'itip_policy',
  'externalsender_policy',
  'externalsender_policy_domains',
  'password_policy',
  'max_password_age',
  'greylist_enabled',
  'itip_config',
  'externalsender_config',
  'guam_enabled',
  'limit_geo',
  'staff_access_policy',
  'second_factor_policy',
] as const

type Setting = (typeof configSettings)[number]

/** The settings of the user and of the account's owner. */
export interface ConfigFacts {
  readonly config: Readonly<Record<string, string>>
  readonly ownerConfig: Readonly<Record<string, string>>
}

/** A user's configuration; reference api-objects §14.1. Policies are those of the account's owner. */
export function userConfig(facts: ConfigFacts): UserConfig {
  const own = (key: Setting) => facts.config[key]
  const account = accountDelivery(facts.ownerConfig)
  return {
    greylist_policy: account.greylist.value,
    itip_policy: account.itip.value,
    externalsender_policy: account.externalsender.value,
    externalsender_policy_domains: account.externalsender_domains.value,
    password_policy: facts.ownerConfig.password_policy ?? null,
    max_password_age: own('max_password_age') ?? null,
    greylist_enabled: readFlag(own('greylist_enabled')),
    itip_config: readFlag(own('itip_config')),
    externalsender_config: readFlag(own('externalsender_config')),
    guam_enabled: readFlag(own('guam_enabled')) ?? false,
    limit_geo: readList(own('limit_geo')),
    staff_access_policy: readFlag(facts.ownerConfig.staff_access_policy),
    second_factor_policy: readSecondFactorPolicy(facts.ownerConfig.second_factor_policy),
  }
}
