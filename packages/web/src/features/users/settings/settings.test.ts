import type { UserConfig } from '@gatehouse/contract/directory/users'
import type { EffectiveSettings } from '@gatehouse/contract/policies'
import { expect, test } from 'vitest'
import { defaultOf, mailChoices, mailInput, mailSwitches } from './configuration.ts'

const config: UserConfig = {
  greylist_policy: false,
  itip_policy: true,
  externalsender_policy: false,
  externalsender_policy_domains: [],
  password_policy: null,
  max_password_age: null,
  greylist_enabled: null,
  itip_config: false,
  externalsender_config: true,
  guam_enabled: false,
  limit_geo: [],
  staff_access_policy: null,
  second_factor_policy: null,
}

test('maps default, on and off to null, true and false', () => {
  const choices = mailChoices(config)
  expect(choices).toEqual({ greylist_enabled: 'default', itip_config: 'off', externalsender_config: 'on' })
  expect(mailInput(choices, mailSwitches)).toEqual({
    ...{ greylist_enabled: null, itip_config: false, externalsender_config: true },
  })
})

test('sends only options that are shown', () => {
  expect(mailInput(mailChoices(config), mailSwitches.slice(0, 1))).toEqual({ greylist_enabled: null })
})

test('the default is the effective value; the policy if the user overrides it', () => {
  const effective = {
    greylist: { value: true, source: 'system' },
    itip: { value: false, source: 'user' },
  } as EffectiveSettings // other settings aren't read
  const [greylist, itip] = mailSwitches
  expect(defaultOf(greylist, config, effective)).toEqual({ value: true, source: 'system' })
  expect(defaultOf(itip, config, effective)).toEqual({ value: true })
  expect(defaultOf(greylist, config, undefined)).toEqual({ value: false })
})
