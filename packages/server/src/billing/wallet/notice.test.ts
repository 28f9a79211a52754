import { expect, test } from 'vitest'
import { createTranslator } from '../../platform/i18n/translator.ts'
import { walletNotice } from './notice.ts'

const facts = { discount: 0, trial: null }

test.each([
  ['2026-11-22T12:00:00Z', '2027-02-22T00:00:10Z', '22 February 2027 (3 months)'],
  ['2026-11-22T12:00:00Z', '2026-12-22T00:00:00Z', '22 December 2026 (30 days)'],
  ['2026-11-22T23:59:59Z', '2028-07-22T00:00:00Z', '22 July 2028 (1 year 8 months)'],
  ['2026-11-22T00:00:00Z', '2026-11-23T23:00:00Z', '23 November 2026 (1 day)'],
  ['2026-01-31T12:00:00Z', '2026-03-31T06:00:00Z', '31 March 2026 (2 months)'],
])('from %s to %s the balance lasts until %s', (now, until, expected) => {
  const request = { now: new Date(now), t: createTranslator('en'), language: 'en' } as const
  expect(walletNotice(100, facts, new Date(until), request)).toEqual({
    kind: 'lasts',
    text: expect.stringContaining(`lasts until ${expected}.`),
  })
})

test.each([
  ['de', '22. Februar 2027 (3 Monate)'],
  ['fr', '22 février 2027 (3\u00a0mois)'],
  ['it', '22 febbraio 2027 (3 mesi)'],
] as const)('in %s the day and the span are in words', (language, expected) => {
  const request = { now: new Date('2026-11-22T12:00:00Z'), t: createTranslator(language), language }
  expect(walletNotice(100, facts, new Date('2027-02-22T00:00:10Z'), request)?.text).toContain(expected)
})

test.each([
  [-1, null, '2027-02-22', 'used-up'],
  [100, '2027-02-22', '2027-02-22', 'trial'],
  [100, '2026-11-30', '2027-02-22', 'trial-ends'],
  [100, '2026-11-01', '2026-11-22', 'today'],
  [100, null, '2027-02-22', 'lasts'],
  [100, null, undefined, undefined],
] as const)(
  'a balance of %i with a trial until %s that lasts until %s is told as %s',
  (balance, trial, until, kind) => {
    const request = {
      now: new Date('2026-11-22T12:00:00Z'),
      t: createTranslator('en'),
      language: 'en',
    } as const
    const known = { discount: 0, trial: trial && { end: new Date(trial), skuIds: new Set<string>() } }
    expect(walletNotice(balance, known, until && new Date(until), request)?.kind).toBe(kind)
    expect(
      walletNotice(Math.max(0, balance), { ...known, discount: 100 }, undefined, request),
    ).toBeUndefined()
  },
)
