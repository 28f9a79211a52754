import { describe, expect, test } from 'vitest'
import { checkChange, earliest, type WantedChange } from './rules.ts'

const now = new Date('2030-05-10T15:00:00Z')

const wanted = (facts: Partial<WantedChange> = {}): WantedChange => ({
  ...{
    now,
    noticeDays: 30,
    from: 500,
    to: 600,
    feeFrom: 200,
    feeTo: 200,
    individual: [],
    date: null,
    isFeeCovered: true,
  },
  ...facts,
})

describe('the earliest date of a change', () => {
  test.each([
    ['2030-05-10T15:00:00Z', 30, '2030-06-10T00:00:00.000Z'],
    ['2030-05-10T00:00:00Z', 30, '2030-06-09T00:00:00.000Z'],
    ['2030-05-10T23:59:59Z', 1, '2030-05-12T00:00:00.000Z'],
    ['2030-05-10T15:00:00Z', 0, '2030-05-10T15:00:00.000Z'],
  ])('is after the full notice: announced at %s with %i days, %s', (told, days, first) => {
    expect(earliest(new Date(told), days).toISOString()).toBe(first)
  })
})

describe('a requested change', () => {
  test.each<[string, Partial<WantedChange>, string, string]>([
    ['a free subscription', { from: 0 }, 'cost', 'price-changes.free'],
    ['the price that it has', { to: 500 }, 'cost', 'price-changes.same'],
    ['a price below the fee', { to: 199 }, 'cost', 'price-changes.below-fee'],
    ['a fee above the price', { feeTo: 601 }, 'cost', 'price-changes.below-fee'],
    ['an increase before its notice', { date: '2030-06-09' }, 'date', 'price-changes.too-early'],
    ['a decrease in the past', { to: 400, date: '2030-05-09' }, 'date', 'price-changes.too-early'],
    ['a day that does not exist', { date: '2030-06-31' }, 'date', 'price-changes.no-day'],
    ['a day in ten years', { date: '2040-06-01' }, 'date', 'price-changes.too-late'],
    [
      'an individual price twice',
      {
        individual: [
          { from: 450, to: 500 },
          { from: 450, to: 510 },
        ],
      },
      'individual',
      'price-changes.individual',
    ],
    [
      'the current price as an individual one',
      { individual: [{ from: 500, to: 550 }] },
      'individual',
      'price-changes.individual',
    ],
    [
      'free units as an individual price',
      { individual: [{ from: 0, to: 100 }] },
      'individual',
      'price-changes.individual',
    ],
    [
      'an individual price below the fee',
      { individual: [{ from: 450, to: 100 }] },
      'individual',
      'price-changes.below-fee',
    ],
    [
      'a decrease that raises an individual price at once',
      { to: 400, individual: [{ from: 300, to: 350 }], date: '2030-05-10' },
      'date',
      'price-changes.too-early',
    ],
  ])('is rejected: %s', (_, facts, field, key) => {
    const { errors } = checkChange(wanted(facts))
    expect(Object.keys(errors ?? {})).toEqual([field])
    expect(errors?.[field]).toMatchObject({ key })
  })

  test.each<[string, Partial<WantedChange>, string, number]>([
    ['an increase on the first day', {}, '2030-06-10T00:00:00.000Z', 30],
    ['an increase later', { date: '2030-07-01' }, '2030-07-01T00:00:00.000Z', 30],
    ['a decrease at once', { to: 400 }, '2030-05-10T15:00:00.000Z', 0],
    ['a decrease today', { to: 400, date: '2030-05-10' }, '2030-05-10T15:00:00.000Z', 0],
    ['a decrease on a day', { to: 400, date: '2030-05-20' }, '2030-05-20T00:00:00.000Z', 0],
    ['a lower fee at the same price', { to: 500, feeTo: 100 }, '2030-05-10T15:00:00.000Z', 0],
    [
      'a price below the fee where the service allows it',
      { to: 100, isFeeCovered: false },
      '2030-05-10T15:00:00.000Z',
      0,
    ],
  ])('is accepted: %s', (_, facts, effectiveAt, noticeDays) => {
    const { change } = checkChange(wanted(facts))
    expect(change).toMatchObject({ noticeDays })
    expect(change?.effectiveAt.toISOString()).toBe(effectiveAt)
  })
})
