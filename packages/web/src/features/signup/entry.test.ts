import { expect, test } from 'vitest'
import { planPath, readEntry } from './entry.ts'

test.each([
  ['', { kind: 'plans' }],
  ['voucher/TEST-10', { kind: 'voucher', voucher: 'TEST-10' }],
  ['referral/AB23CD45', { kind: 'referral', referral: 'AB23CD45' }],
  ['invite/0190-7f', { kind: 'invitation', id: '0190-7f' }],
  ['AB23C-0aZ9', { kind: 'link', shortCode: 'AB23C', code: '0aZ9' }],
  ['individual', { kind: 'plan', title: 'individual' }],
  ['Group_Plus', { kind: 'plan', title: 'Group_Plus' }],
  // letters only, so it is a plan rather than an incomplete other entry
  ['voucher', { kind: 'plan', title: 'voucher' }],
])('%j is %j', (rest, entry) => {
  expect(readEntry(rest)).toEqual(entry)
})

test.each([
  'plan-2',
  'ab23c-xyz',
  'AB23C-',
  'AB23C-x-y',
  'voucher/',
  'voucher/a/b',
  'else/where',
  'plan2',
  'é',
  '.',
])('%j is nothing', (rest) => {
  expect(readEntry(rest)).toEqual({ kind: 'unknown' })
})

test('stays on the start page for a plan no path can name', () => {
  expect(planPath('group')).toBe('/signup/group')
  expect(planPath('group-2')).toBe('/signup')
})
