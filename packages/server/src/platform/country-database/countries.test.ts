import { describe, expect, it } from 'vitest'
import { countries } from './countries.ts'

describe('countries', () => {
  it('are the 249 of ISO 3166-1', () => {
    expect(Object.keys(countries)).toHaveLength(249)
    for (const code of Object.keys(countries)) expect(code).toMatch(/^[A-Z]{2}$/)
  })

  it('are all those with an English name', () => {
    // Names that the Unicode tables contain beyond the standard: groups, reserved and private codes.
    const beyond = 'AC CP CQ DG EA EU EZ IC QO TA UN XA XB XK ZZ'.split(' ')
    const names = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' })
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'.split('')
    const known = letters
      .flatMap((one) => letters.map((other) => one + other))
      .filter(
        (code) =>
          names.of(code) !== undefined && Intl.getCanonicalLocales(`und-${code}`)[0] === `und-${code}`,
      )
      .filter((code) => !beyond.includes(code))
    expect(Object.keys(countries)).toEqual(known)
  })

  it('have a name and a currency', () => {
    for (const [code, [currency, name]] of Object.entries(countries)) {
      expect(name, code).not.toBe(code)
      expect(currency, code).toMatch(/^[A-Z]{3}$/)
    }
    expect(countries.CH).toEqual(['CHF', 'Switzerland'])
    expect(countries.LI).toEqual(['CHF', 'Liechtenstein'])
    expect(countries.DE).toEqual(['EUR', 'Germany'])
    expect(countries.GB).toEqual(['GBP', 'United Kingdom'])
    expect(countries.JP).toEqual(['JPY', 'Japan'])
  })

  it('use existing currencies', () => {
    // Introduced in 2024 and 2025, after the data of some runtimes.
    const recent = ['XCG', 'ZWG']
    const known = new Set([...Intl.supportedValuesOf('currency'), ...recent])
    expect(Object.values(countries).filter(([currency]) => !known.has(currency))).toEqual([])
  })

  it('are ordered by code', () => {
    const codes = Object.keys(countries)
    expect(codes).toEqual([...codes].sort())
  })
})
