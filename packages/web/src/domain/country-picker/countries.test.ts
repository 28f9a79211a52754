// @vitest-environment happy-dom
import { beforeAll, expect, test } from 'vitest'
import { activateLanguage, loadMessages } from '../../i18n/i18n.ts'
import {
  countriesByContinent,
  countriesByLetter,
  countryNames,
  regionName,
  searchCountries,
} from './countries.ts'

beforeAll(async () => {
  await activateLanguage('fr')
  await loadMessages('countries')
})

const names = (groups: ReturnType<typeof searchCountries>) =>
  groups.flatMap((group) => group.countries.map(({ name }) => name))

test('contains every country once, in either order', () => {
  const byContinent = countriesByContinent('en').flatMap(({ countries }) => countries)
  const byLetter = countriesByLetter('en').flatMap(({ countries }) => countries)
  expect(new Set(byContinent.map(({ code }) => code)).size).toBe(249)
  expect(byContinent.length).toBe(249)
  expect(byLetter.length).toBe(249)
  expect(byContinent.filter(({ code, name }) => code === name)).toEqual([])
})

test('uses the selected language', () => {
  expect(regionName('DE', 'de')).toBe('Deutschland')
  expect(regionName('DE', 'it')).toBe('Germania')
  expect(countryNames(['CH', 'DE'], 'de')).toBe('Deutschland, Schweiz')
  expect(countriesByContinent('fr').map(({ name }) => name)).toContain('Amérique')
})

test('a code without a name is shown as is', () => {
  expect(regionName('nonsense', 'en')).toBe('nonsense')
})

test.each([
  ['sWitz', ['Switzerland']],
  ['aland', ['Åland Islands', 'New Zealand']],
  ['ch', expect.arrayContaining(['Switzerland', 'Chad'])],
  ['atlantis', []],
])('finds %s', (search, expected) => {
  expect(names(searchCountries(countriesByContinent('en'), search))).toEqual(expected)
})

test('letter groups ignore accents', () => {
  expect(countriesByLetter('de').map(({ name }) => name)).not.toContain('Ä')
})
