import { describe, expect, it } from 'vitest'
import { isMessageKey } from './catalogues.ts'
import { createTranslator } from './translator.ts'

describe('the translator', () => {
  it('returns texts in its language', () => {
    expect(createTranslator('en')('http.404')).toBe('Not found')
    expect(createTranslator('de')('http.404')).toBe('Nicht gefunden')
    expect(createTranslator('fr')('http.404')).toBe('Introuvable')
    expect(createTranslator('it')('http.404')).toBe('Non trovato')
  })

  it('is created once per language', () => {
    expect(createTranslator('de')).toBe(createTranslator('de'))
  })

  it('selects the plural form of the language', () => {
    const german = createTranslator('de')
    expect(german('http.too-many-requests', { seconds: 1 })).toContain('in 1 Sekunde erneut')
    expect(german('http.too-many-requests', { seconds: 30 })).toContain('in 30 Sekunden erneut')
    expect(createTranslator('fr')('http.too-many-requests', { seconds: 0 })).toContain('0 seconde.')
  })

  it('accepts a number as text, as in the parameters of password rules', () => {
    const english = createTranslator('en')
    expect(english('app.password-rule-min', { param: '8' })).toBe('At least 8 characters')
    expect(english('app.password-rule-last', { param: '1' })).toBe('Different from the last password')
  })

  it('formats numbers for the language', () => {
    expect(createTranslator('de')('validation.max', { max: 1024 })).toBe(
      'Geben Sie höchstens 1.024 Zeichen ein.',
    )
  })

  it('formats days and dates with time for the language', () => {
    const at = new Date('2030-06-10T00:00:00Z')
    const german = createTranslator('de')
    expect(german('price-changes.too-early', { date: { day: at } })).toBe(
      'Das früheste Datum ist der 10. Juni 2030.',
    )
    expect(german('price-changes.too-early', { date: at })).toBe(
      'Das früheste Datum ist der 10. Juni 2030 um 00:00.',
    )
  })

  it('preserves user input unchanged', () => {
    const english = createTranslator('en')
    for (const name of ['{name}', '\\u003cb\\u003e', 'C:\\x41', "'{", '#', '<b>']) {
      expect(english('mail.greeting', { name })).toBe(`Hello ${name},`)
    }
  })

  it('distinguishes a key from other text', () => {
    expect(isMessageKey('process-user-new')).toBe(true)
    expect(isMessageKey('process-nothing')).toBe(false)
    expect(isMessageKey('constructor')).toBe(false)
  })
})
