import { expect, test } from 'vitest'
import { type Access, accesses, accessOf, type StoredAccess, storedAccess } from './sender-access.ts'

const domains = ['acme.test', 'xn--bcher-kva.test']

test.each<[string, StoredAccess, Access]>([
  ['nothing', { sender_policy: [], members_may_send: false }, 'everyone'],
  ['all domains of the account', { sender_policy: domains, members_may_send: false }, 'organisation'],
  [
    'the same in another order and spelling',
    { sender_policy: ['bücher.test', 'ACME.test'], members_may_send: false },
    'organisation',
  ],
  ['one of the domains', { sender_policy: ['acme.test'], members_may_send: false }, 'chosen'],
  ['a domain more', { sender_policy: [...domains, 'b.test'], members_may_send: false }, 'chosen'],
  ['members', { sender_policy: [], members_may_send: true }, 'members'],
  ['members and the domains', { sender_policy: domains, members_may_send: true }, 'chosen'],
  ['a person', { sender_policy: ['jane@acme.test'], members_may_send: false }, 'chosen'],
])('%s shows as the choice that says exactly that', (_, stored, access) => {
  expect(accessOf(stored, domains)).toBe(access)
})

test('without domains, an empty sender list means everyone, not the organization', () => {
  expect(accessOf({ sender_policy: [], members_may_send: false }, [])).toBe('everyone')
})

test.each(accesses)('%s is restored from its stored value', (access) => {
  const chosen = { sender_policy: ['jane@acme.test'], members_may_send: false }
  expect(accessOf(storedAccess(access, chosen, domains), domains)).toBe(access)
})
