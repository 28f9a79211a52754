import type { Language } from '@gatehouse/contract/language'
import { describe, expect, it } from 'vitest'
import { negotiateLanguage } from './negotiate.ts'

const enabled: Language[] = ['en', 'de', 'fr']

function language(acceptLanguage?: string, cookieHeader?: string): Language {
  return negotiateLanguage({ acceptLanguage, cookieHeader }, enabled, 'en')
}

describe('the language of a request', () => {
  it("is the chosen one rather than the browser's", () => {
    expect(language('fr', 'theme=dark; language=de; a=b')).toBe('de')
  })

  it.each([['it'], ['xx'], ['DE'], ['']])('ignores a cookie with the disabled language %j', (value) => {
    expect(language('fr', `language=${value}`)).toBe('fr')
  })

  it('ignores a cookie whose name only has the same suffix', () => {
    expect(language('fr', 'my-language=de')).toBe('fr')
  })

  it('is the first enabled one in order of preference', () => {
    expect(language('it;q=0.9, fr;q=0.5, de;q=0.8')).toBe('de')
    expect(language('en;q=0.1, fr')).toBe('fr')
    expect(language('fr, de')).toBe('fr')
  })

  it('treats a regional variant as its language', () => {
    expect(language('de-CH')).toBe('de')
    expect(language('FR-ca, de')).toBe('fr')
  })

  it('is never one that the browser excludes', () => {
    expect(language('de;q=0, fr;q=0.1')).toBe('fr')
  })

  it.each([[undefined], [''], ['*'], ['it, es'], ['de;q=x'], [';;,,'], ['x'.repeat(9000)]])(
    'is the fallback for the header %j',
    (header) => {
      expect(language(header)).toBe('en')
    },
  )
})
