import { describe, expect, test } from 'vitest'
import { effectiveSettings } from './effective-settings.ts'
import { parsePasswordPolicy } from './password-policy.ts'

const system = parsePasswordPolicy('min:6,max:255')

const settings = (own: Record<string, string> = {}, owner: Record<string, string> = {}, floor = system) =>
  effectiveSettings(
    { config: own, ownerConfig: owner },
    { password: floor, secondFactor: { everybody: 'optional', staff: 'optional', withCompanions: true } },
    null,
  )

describe('effective settings', () => {
  test("without stored settings are the system's", () => {
    expect(settings()).toEqual({
      greylist: { value: true, source: 'system' },
      itip: { value: false, source: 'system' },
      externalsender: { value: false, source: 'system' },
      externalsender_domains: { value: [], source: 'system' },
      password_policy: { value: 'min:6,max:255', source: 'system' },
      max_password_age: { value: null, source: 'system' },
      limit_geo: { value: [], source: 'system' },
      second_factor: { value: 'optional', source: 'system' },
    })
  })

  const names = [
    ['greylist', 'greylist_enabled', 'greylist_policy', true],
    ['itip', 'itip_config', 'itip_policy', false],
    ['externalsender', 'externalsender_config', 'externalsender_policy', false],
  ] as const
  const sources: [
    own: string | undefined,
    account: string | undefined,
    value: boolean | null,
    from: string,
  ][] = [
    [undefined, undefined, null, 'system'],
    [undefined, 'true', true, 'account'],
    [undefined, 'false', false, 'account'],
    ['true', 'false', true, 'user'],
    ['false', 'true', false, 'user'],
    ['false', undefined, false, 'user'],
    ['1', '0', true, 'user'],
    ['nonsense', 'true', true, 'account'],
    ['nonsense', 'nonsense', null, 'system'],
  ]
  test.each(names)(
    '%s is the user setting, otherwise the policy, otherwise the default',
    (name, ownKey, policyKey, usual) => {
      for (const [own, account, value, source] of sources) {
        const found = settings(
          own === undefined ? {} : { [ownKey]: own },
          account === undefined ? {} : { [policyKey]: account },
        )
        expect(found[name], `${own} ${account}`).toEqual({ value: value ?? usual, source })
      }
    },
  )

  test('for policies come from the owner only', () => {
    const own = {
      greylist_policy: 'false',
      externalsender_policy_domains: '["a.test"]',
      password_policy: 'min:20,max:30',
      max_password_age: '3',
    }
    expect(settings(own)).toEqual(settings())
    expect(settings({}, own)).toMatchObject({
      externalsender_domains: { value: ['a.test'], source: 'account' },
      password_policy: { value: 'min:20,max:30', source: 'account' },
      max_password_age: { value: 3, source: 'account' },
    })
  })

  test('for countries come from the user only', () => {
    expect(settings({}, { limit_geo: '["CH"]' }).limit_geo).toEqual({ value: [], source: 'system' })
    expect(settings({ limit_geo: '["CH"]' }).limit_geo).toEqual({ value: ['CH'], source: 'user' })
  })

  test("for passwords are never weaker than the system's", () => {
    const floor = parsePasswordPolicy('min:8,max:100,digit')
    expect(settings({}, { password_policy: 'min:6,max:255,lower' }, floor).password_policy.value).toBe(
      'min:8,max:100,lower,digit',
    )
  })

  test.each(['0', '-1', 'x', '1.5', '', '9999'])('an age of %j is none', (max_password_age) => {
    expect(settings({}, { max_password_age }).max_password_age).toEqual({ value: null, source: 'system' })
  })

  test.each(['', 'x', '{}', '"a"', '[1]', 'null'])('a list of %j is empty', (text) => {
    const found = settings({ limit_geo: text }, { externalsender_policy_domains: text })
    expect([found.limit_geo.value, found.externalsender_domains.value]).toEqual([[], []])
  })
})
