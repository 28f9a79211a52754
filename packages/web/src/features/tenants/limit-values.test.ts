// @vitest-environment happy-dom
import { beforeAll, expect, test } from 'vitest'
import { activateLanguage } from '../../i18n/i18n.ts'
import { FieldFault } from './field-fault.ts'
import { type LimitValues, readLimits } from './limit-values.ts'

beforeAll(() => activateLanguage('en'))

const before: LimitValues = {
  ...{ users: '', storage: '10', spend: '', freeMonths: '3', packageDiscount: '50', publicDomains: '5' },
  ...{ signupTokens: '1000', referralAward: '100.00', belowFee: false },
  ...{ email: true, token: true, mandate: true },
}

test('sends only changed limits, and an empty field restores the default', () => {
  expect(readLimits(before, before)).toEqual({})
  const values = {
    ...before,
    storage: ' ',
    freeMonths: '0',
    referralAward: '1,50',
    belowFee: true,
    token: false,
  }
  expect(readLimits(values, before)).toEqual({
    ...{ storage: null, freeMonths: 0, referralAward: 150, belowFee: true },
    planModes: ['email', 'mandate'],
  })
})

test.each<[string, Partial<LimitValues>, string[]]>([
  ['no number', { users: 'many' }, ['users']],
  ['no amount', { spend: '1.234' }, ['spend']],
  ['no mode', { email: false, token: false, mandate: false }, ['planModes']],
  ['two faults', { signupTokens: '-1', publicDomains: '1.5' }, ['publicDomains', 'signupTokens']],
])('%s is told at its field', (_, change, fields) => {
  const found = faultsOf({ ...before, ...change })
  expect(Object.keys(found).sort()).toEqual(fields)
})

function faultsOf(values: LimitValues): Readonly<Record<string, unknown>> {
  try {
    readLimits(values, before)
  } catch (error) {
    if (error instanceof FieldFault) return error.errors
    throw error
  }
  return {}
}
