import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { contextWords, isMadeOf } from './context-words.ts'

const words = contextWords(
  {
    firstName: 'Änne',
    lastName: 'Favre-Müller',
    organization: 'Acme Industries AG',
    addresses: ['anne.fm1985@mail.acme.test', null],
  },
  ['Gatehouse'],
)

describe('context words', () => {
  test('are the parts of names, organization, addresses and product, and each as a whole', () => {
    for (const word of [
      ...['anne', 'favre', 'muller', 'favremuller', 'annefavremuller'],
      ...['acme', 'industries', 'acmeindustriesag'],
      ...['anne.fm1985@mail.acme.test', 'anne.fm1985', 'fm1985', 'mail.acme.test', 'mailacmetest'],
      'gatehouse',
    ]) {
      expect(words).toContain(word)
    }
  })

  test('have at least four characters', () => {
    expect(words.filter((word) => word.length < 4)).toEqual([])
    expect(contextWords({ firstName: 'Ann', lastName: 'Li', addresses: [] }, ['App'])).toEqual([
      'ann li',
      'annli',
    ])
  })

  test('are empty if nothing is known', () => {
    expect(contextWords({ addresses: [] }, [])).toEqual([])
    expect(isMadeOf([], 'anything')).toBe(false)
  })
})

describe('a password is based on context words', () => {
  test.each([
    ['a name', 'favre'],
    ['a name in another case and with an accent', 'ÄNNE'],
    ['a name and digits', 'Favre1985'],
    ['digits for letters', 'F4vr3-99'],
    ['two names', 'anne.favre'],
    ['an initial and a name', 'amuller!'],
    ['the organization', 'AcmeIndustries1'],
    ['the address', 'anne.fm1985@mail.acme.test'],
    ['the domain', '@mail.acme.test'],
    ['the product', 'gatehouse2026'],
    ['a name in full-width letters', 'ｆａｖｒｅ12'],
    ['a name with invisible characters in it', 'fa\u200bvre12'],
    ['a name and a common password', 'favre-password'],
    ['a name again and again', 'favrefavrefavrefavre'],
  ])('%s: %j', (_, password) => {
    expect(isMadeOf(words, password)).toBe(true)
  })

  test.each([
    ['a passphrase with a name', 'favre likes purple dragons'],
    ['a name and six other characters', 'favre#4Kx2v'],
    ['no name', 'tulip-anchor-42'],
    ['a part of a name', 'fav-anchor'],
    ['nothing', ''],
  ])('not %s: %j', (_, password) => {
    expect(isMadeOf(words, password)).toBe(false)
  })
})

test('a word is rejected regardless of case and with up to five additional characters', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...words),
      fc.string({ unit: fc.constantFrom('0', '7', '!', 'x', '-'), maxLength: 5 }),
      fc.nat(5),
      (word, rest, place) => {
        const password = rest.slice(0, place) + word.toUpperCase() + rest.slice(place)
        expect(isMadeOf(words, password)).toBe(true)
      },
    ),
  )
})

test('overlong facts are cheap to process', () => {
  const fact = 'ab-'.repeat(300_000)
  const begin = performance.now()
  contextWords({ firstName: fact, lastName: fact, organization: fact, addresses: [fact] }, [fact])
  expect(performance.now() - begin).toBeLessThan(1000)
})
