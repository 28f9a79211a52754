import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { contextWords } from '../../passwords/context-words.ts'
import { newPasswordErrors } from '../../passwords/new-password.ts'
import { createTranslator } from '../../platform/i18n/translator.ts'
import {
  effectivePolicy,
  meetsPolicy,
  meetsRule,
  parsePasswordPolicy,
  presentPolicy,
} from './password-policy.ts'

const rulesOf = (text: string) => [...parsePasswordPolicy(text)]

describe('parsing a policy', () => {
  test.each([
    [
      'min:6,max:255',
      [
        ['min', 6],
        ['max', 255],
      ],
    ],
    [
      'UPPER,Lower,digit,special',
      [
        ['upper', undefined],
        ['lower', undefined],
        ['digit', undefined],
        ['special', undefined],
      ],
    ],
    [
      ' min:8 , last:3 ',
      [
        ['min', 8],
        ['last', 3],
      ],
    ],
    ['min:6,min:9', [['min', 9]]],
    ['min,max:,last:x', []],
    ['min:-1,max:1e9,last:99999', []],
    ['entropy:9,haha', []],
    ['', []],
    [',,,', []],
    ['upper:7', [['upper', undefined]]],
    ['__proto__:1,constructor', []],
  ])('%s', (text, rules) => {
    expect(rulesOf(text)).toEqual(rules)
  })

  test('never fails, for any input', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => parsePasswordPolicy(text) instanceof Map))
  })
})

describe('an account policy', () => {
  const effective = (system: string, account: string) => [
    ...effectivePolicy(parsePasswordPolicy(system), parsePasswordPolicy(account)),
  ]
  test.each([
    [
      'asks for more',
      'min:6,max:255',
      'min:12,max:100',
      [
        ['min', 12],
        ['max', 100],
      ],
    ],
    [
      'cannot ask for less',
      'min:6,max:255',
      'min:2,max:999',
      [
        ['min', 6],
        ['max', 255],
      ],
    ],
    [
      'cannot drop a class',
      'min:6,upper,special',
      'min:8',
      [
        ['min', 8],
        ['upper', undefined],
        ['special', undefined],
      ],
    ],
    ['cannot drop the memory', 'last:4', 'last:2', [['last', 4]]],
    [
      'adds rules of its own',
      'min:6',
      'digit,last:3,min:6',
      [
        ['digit', undefined],
        ['last', 3],
        ['min', 6],
      ],
    ],
    [
      'is the floor when empty',
      'min:6,lower',
      '',
      [
        ['min', 6],
        ['lower', undefined],
      ],
    ],
  ])('%s', (_, system, account, expected) => {
    expect(effective(system, account)).toEqual(expected)
  })

  test('never accepts a password that the system rejects', () => {
    const policy = fc
      .uniqueArray(
        fc.oneof(
          fc.constantFrom('lower', 'upper', 'digit', 'special'),
          fc.integer({ min: 0, max: 20 }).map((n) => `min:${n}`),
          fc.integer({ min: 0, max: 40 }).map((n) => `max:${n}`),
        ),
      )
      .map((rules) => parsePasswordPolicy(rules.join(',')))
    fc.assert(
      fc.property(
        policy,
        policy,
        fc.string({ unit: 'grapheme', maxLength: 40 }),
        (system, account, password) => {
          const both = effectivePolicy(system, account)
          return (
            !meetsPolicy(both, password) || (meetsPolicy(system, password) && meetsPolicy(account, password))
          )
        },
      ),
      { numRuns: 500 },
    )
  })
})

describe('a password meets', () => {
  test.each([
    ['min', 6, 'abcde', false],
    ['min', 6, 'abcdef', true],
    ['min', 6, '🔑🔑🔑🔑🔑', false],
    ['min', 6, '🔑🔑🔑🔑🔑🔑', true],
    ['min', 6, 'äöüäöü', true],
    ['min', 6, 'äöüäö', false],
    ['min', 0, '', true],
    ['max', 5, '', false],
    ['max', 5, 'abcde', true],
    ['max', 5, '🔑🔑🔑🔑🔑', true],
    ['max', 5, 'äöüäö', true],
    ['max', 5, 'abcdef', false],
    ['lower', undefined, 'ABCä1', false],
    ['lower', undefined, 'ABCd', true],
    ['upper', undefined, 'abcÄ', false],
    ['upper', undefined, 'abcD', true],
    ['digit', undefined, 'abc٣', false],
    ['digit', undefined, '0', true],
    ['special', undefined, 'abc ABC 123 äß€', false],
    ['last', 3, '', false],
    ['last', 3, 'any', true],
  ] as const)('%s:%s with "%s": %s', (rule, param, password, expected) => {
    expect(meetsRule(rule, param, password)).toBe(expected)
  })

  test('the special class with each of the 32 ASCII symbols, and nothing else', () => {
    const marks = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~'
    expect(marks).toHaveLength(32)
    for (let code = 0; code < 128; code++) {
      const character = String.fromCharCode(code)
      expect(meetsRule('special', undefined, character), JSON.stringify(character)).toBe(
        marks.includes(character),
      )
    }
  })

  test('lengths in characters, not bytes or surrogates', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', 'ä', '€', '🔑', '𝒳'), { maxLength: 30 }), (characters) => {
        const password = characters.join('')
        expect(meetsRule('min', characters.length, password)).toBe(true)
        expect(meetsRule('min', characters.length + 1, password)).toBe(false)
        if (characters.length > 0) expect(meetsRule('max', characters.length, password)).toBe(true)
        if (characters.length > 1) expect(meetsRule('max', characters.length - 1, password)).toBe(false)
      }),
    )
  })
})

test('a policy is shown in order, each rule with name, number and whether it is met', () => {
  const policy = parsePasswordPolicy('min:8,max:20,lower,upper,digit,special,last:3')
  const shown = presentPolicy(policy, 'Abc1', createTranslator('en'))
  expect(shown).toEqual([
    { label: 'min', name: 'At least 8 characters', param: '8', enabled: true, status: false },
    { label: 'max', name: 'At most 20 characters', param: '20', enabled: true, status: true },
    { label: 'lower', name: 'A lowercase letter', param: null, enabled: true, status: true },
    { label: 'upper', name: 'An uppercase letter', param: null, enabled: true, status: true },
    { label: 'digit', name: 'A digit', param: null, enabled: true, status: true },
    { label: 'special', name: 'A special character', param: null, enabled: true, status: false },
    { label: 'last', name: 'Different from the last 3 passwords', param: '3', enabled: true, status: true },
  ])
})

describe('a new password', () => {
  const policy = parsePasswordPolicy('min:6')
  const words = contextWords({ firstName: 'Kunibert', addresses: [] }, [])
  test.each([
    [null, null, ['validation.required']],
    ['', '', ['validation.required']],
    ['anchor of tulips', 'anchor of tulips', undefined],
    ['anchor of tulips', 'anchor of tulip', ['validation.confirmed']],
    ['anchor of tulips', null, ['validation.confirmed']],
    ['password', 'password', ['validation.password-common']],
    ['kunibert', 'kunibert', ['validation.password-personal']],
    ['kunibert12', 'kunibert21', ['validation.confirmed', 'validation.password-personal']],
    ['abc', 'abc', ['validation.password-policy-error']],
    ['abc', 'abd', ['validation.confirmed', 'validation.password-policy-error']],
    ['e\u0301milie et la ne\u0301ige', '\u00e9milie et la n\u00e9ige', ['validation.confirmed']],
  ])('%s confirmed by %s', (password, confirmation, keys) => {
    const errors = newPasswordErrors({ policy, words }, password, confirmation)
    expect(errors).toEqual(keys === undefined ? {} : { password: keys.map((key) => ({ key })) })
  })
})
