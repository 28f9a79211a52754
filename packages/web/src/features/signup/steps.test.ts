import { expect, test } from 'vitest'
import { preselectedDomain, shownStep, stepBefore, wayOf } from './steps.ts'

test('the number of steps depends on the mode', () => {
  expect([wayOf('email'), wayOf('token'), wayOf('mandate')].map(({ length }) => length)).toEqual([3, 2, 1])
  expect(wayOf()).toEqual([1, 2, 3])
})

test.each([
  [3, 'email', true, 2],
  [2, 'email', true, 1],
  [1, 'email', true, 0],
  [1, 'email', false, undefined],
  [3, 'token', true, 1],
  [3, 'mandate', true, 0],
  [0, 'email', true, undefined],
] as const)('back from step %i in mode %s, choice of plans %s: %s', (current, mode, hasChoice, before) => {
  expect(stepBefore(current, mode, hasChoice)).toBe(before)
})

test.each([
  [3, { identity: true, code: true, account: true }, 3],
  [3, { identity: true, code: true, account: false }, 2],
  [3, { identity: true, code: false, account: false }, 1],
  [2, { identity: true, code: true, account: true }, 2],
  [3, { identity: false, code: false, account: false }, 0],
  [0, { identity: true, code: true, account: true }, 0],
])('asked for step %i with %j: step %i', (wanted, reached, shown) => {
  expect(shownStep(wanted, reached)).toBe(shown)
})

test.each([
  [{ domains: ['a.test', 'b.test'], domain: 'b.test' }, 'a.test', 'b.test'],
  [{ domains: ['a.test', 'b.test'], domain: null }, 'b.test', 'b.test'],
  [{ domains: ['a.test', 'b.test'], domain: 'gone.test' }, 'elsewhere.test', 'a.test'],
  [{ domains: [], domain: null }, 'a.test', ''],
])('of %j with %s: %s', (offer, own, selected) => {
  expect(preselectedDomain(offer, own)).toBe(selected)
})
