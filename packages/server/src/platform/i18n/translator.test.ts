import { describe, expect, it } from 'vitest'
import { isMessageKey } from './catalogues.ts'
import { createTranslator } from './translator.ts'

describe('the translator', () => {
  it('answers in the language it was made for', () => {
    expect(createTranslator('en')('http.404')).toBe('Not found')
    expect(createTranslator('de')('http.404')).toBe('Nicht gefunden')
    expect(createTranslator('fr')('http.404')).toBe('Introuvable')
    expect(createTranslator('it')('http.404')).toBe('Non trovato')
  })

  it('is made once for a language', () => {
    expect(createTranslator('de')).toBe(createTranslator('de'))
  })

  it('chooses the plural form of the language', () => {
    const german = createTranslator('de')
    expect(german('http.too-many-requests', { seconds: 1 })).toContain('in 1 Sekunde erneut')
    expect(german('http.too-many-requests', { seconds: 30 })).toContain('in 30 Sekunden erneut')
    expect(createTranslator('fr')('http.too-many-requests', { seconds: 0 })).toContain('0 seconde.')
  })

  it('takes a number that comes as text, as the parameters of password rules do', () => {
    const english = createTranslator('en')
    expect(english('app.password-rule-min', { param: '8' })).toBe('At least 8 characters')
    expect(english('app.password-rule-last', { param: '1' })).toBe('Different from the last password')
  })

  it('writes numbers as the language does', () => {
    expect(createTranslator('de')('validation.max', { max: 1024 })).toBe(
      'Geben Sie höchstens 1.024 Zeichen ein.',
    )
  })

  it('writes a day and a moment as the language does', () => {
    const at = new Date('2030-06-10T00:00:00Z')
    const german = createTranslator('de')
    expect(german('price-changes.too-early', { date: { day: at } })).toBe(
      'Das früheste Datum ist der 10. Juni 2030.',
    )
    expect(german('price-changes.too-early', { date: at })).toBe(
      'Das früheste Datum ist der 10. Juni 2030 um 00:00.',
    )
  })

  it('leaves what people typed as they typed it', () => {
    const english = createTranslator('en')
    for (const name of ['{name}', '\\u003cb\\u003e', 'C:\\x41', "'{", '#', '<b>']) {
      expect(english('mail.greeting', { name })).toBe(`Hello ${name},`)
    }
  })

  it('tells a key from any other text', () => {
    expect(isMessageKey('process-user-new')).toBe(true)
    expect(isMessageKey('process-nothing')).toBe(false)
    expect(isMessageKey('constructor')).toBe(false)
  })
})
