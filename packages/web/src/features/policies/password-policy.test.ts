// @vitest-environment happy-dom
import type { AccountPolicies, PolicyRule } from '@gatehouse/contract/policies'
import { expect, test } from 'vitest'
import { ageMonths, numberFaults, passwordValues, policyText } from './password-policy.ts'
import { tidyDomains } from './use-policy-forms.ts'

const rule = (
  label: PolicyRule['label'],
  param: string | null,
  enabled: boolean,
  limit: number | null = null,
) => ({
  ...{ label, name: label, param, enabled, limit },
  required: limit !== null,
})

const policies: AccountPolicies = {
  staffAccess: { own: null, usual: true, effective: { value: true, source: 'system' } },
  password: [
    rule('min', '8', true, 6),
    rule('max', '200', true, 255),
    rule('lower', null, false),
    rule('upper', null, true),
    rule('digit', null, false),
    rule('special', null, false),
    rule('last', '3', false),
  ],
  mailDelivery: ['greylist_policy'],
  config: { max_password_age: null, greylist_policy: true },
  second_factor: { value: 'optional', source: 'system', required: false },
  ownerId: 1,
}

const values = passwordValues(policies)

test('reads and writes the policy in the API format', () => {
  expect(policyText(values)).toBe('min:8,max:200,upper')
  expect(policyText({ ...values, last: true, digit: true, lastCount: '4' })).toBe(
    'min:8,max:200,upper,digit,last:4',
  )
})

test('a disabled retention is 0 months and suggests 6', () => {
  expect(ageMonths(values)).toBe(0)
  expect(ageMonths({ ...values, retention: true })).toBe(6)
})

test.each([
  ['8', '200', []],
  ['5', '200', [{ field: 'min', fault: 'limit' }]],
  ['6', '256', [{ field: 'max', fault: 'limit' }]],
  ['9', '8', [{ field: 'max', fault: 'crossed' }]],
  [
    '1.5',
    '',
    [
      { field: 'min', fault: 'whole' },
      { field: 'max', fault: 'whole' },
    ],
  ],
  [
    '-7',
    '0',
    [
      { field: 'min', fault: 'whole' },
      { field: 'max', fault: 'whole' },
    ],
  ],
])('%s to %s characters', (min, max, faults) => {
  expect(numberFaults({ ...values, min, max }, policies.password)).toEqual(faults)
})

test('normalizes domains like the server', () => {
  expect(tidyDomains([' Partner.Example ', 'partner.example', '', 'b.test'])).toEqual([
    'partner.example',
    'b.test',
  ])
})
