import type { SignupPlan } from '@gatehouse/contract/signup'
import { expect, test } from 'vitest'
import { differences } from './plan-differences.ts'

const mailbox = { title: 'mailbox', name: 'Mailbox', quantity: 1, unit: null }
const plan: SignupPlan = {
  ...{ id: '', title: 'individual', name: 'Individual', button: '', description: '', mode: 'email' },
  ...{ isDomain: false, cost: 990, price: 990, currency: 'CHF', months: 1, freeMonths: 1, users: 1 },
  includes: [mailbox, { title: 'storage', name: 'Storage', quantity: 5, unit: 'GB' }],
}

test.each<[string, Partial<SignupPlan>, string[]]>([
  ['nothing', {}, []],
  ['what both hold in another order', { includes: plan.includes.toReversed() }, []],
  ['a custom domain', { isDomain: true }, ['users', 'address']],
  ['the number of users', { users: 5 }, ['users']],
  ['the way to sign up', { mode: 'token' }, ['proof']],
  ['the subscriptions', { includes: [mailbox] }, ['includes']],
])('tells plans apart by %s', (_, change, expected) => {
  expect(differences([plan, { ...plan, ...change }])).toEqual(expected)
})

test('a single plan has no differences', () => {
  expect(differences([plan])).toEqual([])
})
