import { expect, test } from 'vitest'
import { isDirect, preselectedDomain, shownStep, stepBefore, wayOf } from './steps.ts'

const asked = { invited: false }
const invited = { invited: true }

test('the number of steps depends on the mode, and an invitation has just one', () => {
  const modes = ['email', 'token', 'mandate'] as const
  expect(modes.map((mode) => wayOf({ mode, ...asked }).length)).toEqual([3, 2, 1])
  expect(modes.map((mode) => wayOf({ mode, ...invited }).length)).toEqual([1, 1, 1])
  expect(wayOf({ mode: undefined, ...asked })).toEqual([1, 2, 3])
})

test('users who pay at once or are invited start with the account step', () => {
  const modes = ['email', 'token', 'mandate'] as const
  expect(modes.map((mode) => isDirect({ mode, ...asked }))).toEqual([false, false, true])
  expect(modes.map((mode) => isDirect({ mode, ...invited }))).toEqual([true, true, true])
})

test.each([
  [3, 'email', asked, true, 2],
  [2, 'email', asked, true, 1],
  [1, 'email', asked, true, 0],
  [1, 'email', asked, false, undefined],
  [3, 'token', asked, true, 1],
  [3, 'mandate', asked, true, 0],
  [3, 'mandate', asked, false, undefined],
  [4, 'mandate', asked, true, 3],
  [4, 'mandate', asked, false, 3],
  [3, 'email', invited, true, 0],
  [3, 'token', invited, true, 0],
  [3, 'email', invited, false, undefined],
  [4, 'mandate', invited, true, 3],
  [0, 'email', asked, true, undefined],
] as const)(
  'back from step %i in mode %s (%j), choice of plans %s: %s',
  (current, mode, way, choice, before) => {
    expect(stepBefore(current, { mode, ...way }, choice)).toBe(before)
  },
)

test.each([
  [3, { identity: true, code: true, account: true, summary: false }, 3],
  [3, { identity: true, code: true, account: false, summary: false }, 2],
  [3, { identity: true, code: false, account: false, summary: false }, 1],
  [2, { identity: true, code: true, account: true, summary: false }, 2],
  [3, { identity: false, code: false, account: false, summary: false }, 0],
  [0, { identity: true, code: true, account: true, summary: true }, 0],
  [4, { identity: false, code: false, account: true, summary: true }, 4],
  [4, { identity: false, code: false, account: true, summary: false }, 3],
  [1, { identity: false, code: false, account: true, summary: false }, 0],
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
