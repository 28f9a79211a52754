import { userSortKeys, userStates } from '@gatehouse/contract/directory/users'
import { expect, test } from 'vitest'
import { fullAddress } from '../../domain/domain-select/full-address.ts'
import { domainsOf } from '../../domain/new-objects/user-fields.tsx'
import { initials } from '../../ui/facts/avatar.tsx'
import { countryOptions } from './countries.ts'
import { listOptions } from './users-place.ts'

test('sort keys and states match the contract', () => {
  expect(listOptions.sorts).toEqual(userSortKeys)
  expect(listOptions.filters.status).toEqual(userStates)
})

test.each([
  ['Olivia Berger', 'owner@acme.test', 'OB'],
  ['Élodie van der Meer', 'x@y.test', 'ÉM'],
  ['Cher', 'x@y.test', 'C'],
  ['', 'lukas.mueller@acme.test', 'LM'],
  ['', 'info@acme.test', 'I'],
])('the initials of %j <%s> are %s', (name, email, letters) => {
  expect(initials(name, email)).toBe(letters)
})

test.each([
  ['jane', 'acme.test', 'jane@acme.test'],
  [' jane ', ' acme.test ', 'jane@acme.test'],
  ['jane@other.test', 'acme.test', 'jane@other.test'],
  ['', 'acme.test', ''],
])('%j at %j is the address %j', (local, domain, address) => {
  expect(fullAddress(local, domain)).toBe(address)
})

test("lists the account's own domain first, public or not, then the others by name", () => {
  expect(domainsOf('owner@zeta.test', ['acme.test', 'zeta.test'])).toEqual(['zeta.test', 'acme.test'])
  expect(domainsOf('solo@public.test', ['acme.test'])).toEqual(['public.test', 'acme.test'])
  expect(domainsOf('owner@acme.test', [])).toEqual(['acme.test'])
})

test('names and sorts countries in the language', () => {
  const countries = { CH: ['CHF', 'Switzerland'], AT: ['EUR', 'Austria'], DE: ['EUR', 'Germany'] } as const
  expect(countryOptions(countries, 'en').map(({ label }) => label)).toEqual([
    ...['Austria', 'Germany', 'Switzerland'],
  ])
  expect(countryOptions(countries, 'de').map(({ value }) => value)).toEqual(['DE', 'AT', 'CH'])
})
