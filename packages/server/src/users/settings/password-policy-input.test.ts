import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatPolicy } from './effective-settings.ts'
import { effectivePolicy, parsePasswordPolicy } from './password-policy.ts'
import { passwordPolicyProblem } from './password-policy-input.ts'

const plain = 'min:6,max:255'
const strict = 'min:8,max:100,upper,digit,last:3'

describe("an account's password policy", () => {
  test.each([
    [plain, 'min:6,max:255', undefined],
    [plain, 'max:255,min:6', undefined],
    [plain, 'min:11,max:120,upper', undefined],
    [plain, 'min:8,max:8,lower,upper,digit,special,last:24', undefined],
    [plain, 'min:06,max:0100', undefined],
    [plain, 'min:5,max:255', 'policies.password-policy-min-len-error'],
    [plain, 'min:0,max:255', 'policies.password-policy-min-len-error'],
    ['max:255', 'min:0,max:255', 'policies.password-policy-min-len-error'],
    [plain, 'min:6,max:256', 'policies.password-policy-max-len-error'],
    [plain, 'min:20,max:10', 'policies.password-policy-order-error'],
    [plain, 'min:6,max:255,last:0', 'policies.password-policy-last-range-error'],
    [plain, 'min:6,max:255,last:25', 'policies.password-policy-last-range-error'],
    [plain, 'min:6,max:255,last:9999', 'policies.password-policy-last-range-error'],
    [strict, 'min:8,max:100,upper,digit,last:3', undefined],
    [strict, 'min:8,max:100,upper,digit,special,last:4', undefined],
    [strict, 'min:8,max:100,upper,digit', 'policies.password-policy-last-error'],
    [strict, 'min:8,max:100,upper,digit,last:2', 'policies.password-policy-last-error'],
    [strict, 'min:8,max:100,digit,last:3', 'policies.password-policy-class-error'],
    [strict, 'min:8,max:101,upper,digit,last:3', 'policies.password-policy-max-len-error'],
    ['min:6,max:255,last:40', 'min:6,max:255,last:40', undefined],
    ['min:6,max:255,last:40', 'min:6,max:255,last:41', 'policies.password-policy-last-range-error'],
  ])('on top of %s may be %s: %s', (system, text, key) => {
    expect(passwordPolicyProblem(text, parsePasswordPolicy(system))?.key).toBe(key)
  })

  test.each([
    '',
    ',',
    'min:6',
    'max:255',
    'lower',
    'min:6,max:255,',
    ',min:6,max:255',
    'min:6,,max:255',
    'min:6, max:255',
    'MIN:6,max:255',
    'min:6,max:255,Upper',
    'min,max',
    'min:,max:255',
    'min:-6,max:255',
    'min:6.5,max:255',
    'min:6e0,max:255',
    'min:6,max:25500',
    'min:6,max:255,min:7',
    'min:6,max:255,upper,upper',
    'min:6,max:255,upper:1',
    'min:6,max:255,last',
    'min:6,max:255,emoji',
    'min:6:7,max:255',
    'min:6;max:255',
    'min:６,max:255',
    'min:6,max:255\n',
    '__proto__:1,min:6,max:255',
  ])('%j is not well-formed', (text) => {
    const problem = passwordPolicyProblem(text, parsePasswordPolicy(plain))
    expect(problem?.key).toBe('policies.invalid-password-policy')
  })

  test('takes effect as stated if accepted', () => {
    const rule = fc.oneof(
      fc.tuple(fc.constantFrom('min', 'max', 'last'), fc.nat(300)).map(([name, n]) => `${name}:${n}`),
      fc.constantFrom('lower', 'upper', 'digit', 'special'),
    )
    const policy = fc.array(rule, { maxLength: 7 }).map((rules) => rules.join(','))
    const system = parsePasswordPolicy(strict)
    fc.assert(
      fc.property(policy, (text) => {
        if (passwordPolicyProblem(text, system) !== undefined) return
        expect(formatPolicy(effectivePolicy(system, parsePasswordPolicy(text)))).toBe(text)
      }),
      { numRuns: 2000 },
    )
  })
})
