import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Charge, type ChargedUnit, type ChargeTerms, periodCost } from './period-cost.ts'

const at = (text: string) => new Date(`${text}T12:00:00Z`)

/** A unit as in the reference's examples: the fee is 40 % of the cost, the discount 30 %. */
function unit(cost: number, since: string, facts: Partial<ChargedUnit> = {}): ChargedUnit {
  return {
    cost,
    fee: (cost * 40) / 100,
    createdAt: at(since),
    billedUntil: at(since),
    deletedAt: null,
    ...facts,
  }
}

function terms(now: string, facts: Partial<ChargeTerms> = {}): ChargeTerms {
  return { now: at(now), discount: 30, trialEnd: null, isDegraded: false, ...facts }
}

function total(charges: readonly Charge[]): { cost: number; fee: number } {
  return {
    cost: charges.reduce((sum, charge) => sum + charge.cost, 0),
    fee: charges.reduce((sum, charge) => sum + charge.fee, 0),
  }
}

const kolab = (since: string) => [500, 490, 0, 0, 0, 0, 0].map((cost) => unit(cost, since))
const storage = (units: number, since: string) => Array.from({ length: units }, () => unit(25, since))

describe("the reference's examples", () => {
  test('seven weeks of a package and five extra units of storage are billed for one month', () => {
    const charges = [...kolab('2021-04-02'), ...storage(5, '2021-04-02')].map((one) =>
      periodCost(one, terms('2021-05-21')),
    )
    expect(total(charges)).toEqual({ cost: 343 + 350 + 5 * 17, fee: 778 - 332 })
    expect(charges.filter((charge) => charge.cost > 0)).toHaveLength(7)
    for (const charge of charges) expect(charge.billedUntil).toEqual(at('2021-05-02'))
  })

  test('three weeks of a package are not billed yet', () => {
    const since = '2021-04-30'
    const charges = [...kolab(since), ...storage(5, since)].map((one) => periodCost(one, terms('2021-05-21')))
    expect(total(charges)).toEqual({ cost: 0, fee: 0 })
    for (const charge of charges) expect(charge.billedUntil).toEqual(at(since))
  })

  test('two units of storage that are then removed cost their nineteen days', () => {
    const removed = unit(25, '2021-04-02', {
      billedUntil: at('2021-05-02'),
      deletedAt: at('2021-05-21'),
    })
    const charge = periodCost(removed, terms('2021-06-01'))
    expect(charge).toMatchObject({ cost: 10, fee: 6, billedUntil: at('2021-05-21') })
    expect(total([charge, charge])).toEqual({ cost: 20, fee: 20 - 8 })
  })

  test.each([
    ['13 days', '2021-05-14', 0],
    ['14 days', '2021-05-15', 31],
  ])('a unit removed %s after its creation', (_, deletedAt, cost) => {
    const removed = unit(100, '2021-05-01', { deletedAt: at(deletedAt) })
    const charge = periodCost(removed, terms('2021-06-01'))
    expect(charge).toMatchObject({ cost, billedUntil: at(deletedAt) })
  })

  test('a degraded owner pays nothing, but the fee is still owed', () => {
    const charges = [unit(500, '2021-04-21'), ...storage(3, '2021-04-21')].map((one) =>
      periodCost(one, terms('2021-05-21', { isDegraded: true })),
    )
    expect(total(charges)).toEqual({ cost: 0, fee: 230 })
  })

  test('a one-month trial covers everything but the extra storage', () => {
    const trialEnd = at('2021-05-02')
    const charges = [
      ...kolab('2021-04-02').map((one, index) =>
        periodCost(one, terms('2021-05-21', { discount: 0, trialEnd: index < 2 ? trialEnd : null })),
      ),
      ...storage(5, '2021-04-02').map((one) => periodCost(one, terms('2021-05-21', { discount: 0 }))),
    ]
    expect(total(charges)).toEqual({ cost: 125, fee: 125 - 75 })
    for (const charge of charges) expect(charge.billedUntil).toEqual(trialEnd)
  })

  test.each([
    ['2021-04-15', 46, 33],
    ['2021-03-25', 92, 66],
  ])('to the day from %s to 5 May: %i, fee %i', (since, cost, fee) => {
    const charge = periodCost(unit(100, since, { fee: 50 }), terms('2021-05-05', { toTheDay: true }))
    expect(charge).toMatchObject({ cost, fee, billedUntil: at('2021-05-05') })
  })

  test('twenty-one days of May are settled', () => {
    const settle = (isDegraded: boolean) =>
      total(
        [unit(490, '2021-05-01'), unit(500, '2021-05-01')].map((one) =>
          periodCost(one, terms('2021-05-22', { toTheDay: true, isDegraded })),
        ),
      )
    expect(settle(false)).toEqual({ cost: 469, fee: 469 - 202 })
    expect(settle(true)).toEqual({ cost: 0, fee: 267 })
  })

  test.each([
    [0, '2021-05-02', 990],
    [0, '2021-06-02', 1980],
    [10, '2021-05-02', 891],
  ])('a package at %i %% off until %s costs %i', (discount, now, cost) => {
    expect(total(kolab('2021-04-02').map((one) => periodCost(one, terms(now, { discount })))).cost).toBe(cost)
  })
})

describe('a trial', () => {
  test('costs nothing while it runs, and is not checked again before its end', () => {
    const charge = periodCost(unit(500, '2021-04-02'), terms('2021-05-01', { trialEnd: at('2021-05-02') }))
    expect(charge).toMatchObject({ cost: 0, fee: 0, billedUntil: at('2021-05-02') })
  })

  test('has ended for what was billed beyond it', () => {
    const one = unit(500, '2021-04-02', { billedUntil: at('2021-05-02') })
    expect(periodCost(one, terms('2021-06-02', { trialEnd: at('2021-05-02') })).cost).toBe(350)
  })

  test('makes units removed during it free', () => {
    const removed = unit(500, '2021-04-02', { deletedAt: at('2021-04-28') })
    expect(periodCost(removed, terms('2021-06-02', { trialEnd: at('2021-05-02') })).cost).toBe(0)
  })
})

describe('the billing day', () => {
  test('returns to the 31st after a short month', () => {
    const one = unit(500, '2026-01-31')
    const first = periodCost(one, terms('2026-02-28'))
    expect(first).toMatchObject({ cost: 350, billedUntil: at('2026-02-28') })
    const second = periodCost({ ...one, ...first, cost: 500 }, terms('2026-03-30'))
    expect(second).toMatchObject({ cost: 0, billedUntil: at('2026-02-28') })
    const third = periodCost({ ...one, ...first, cost: 500 }, terms('2026-03-31'))
    expect(third).toMatchObject({ cost: 350, billedUntil: at('2026-03-31') })
  })

  test.each([
    ['a trial', { trialEnd: at('2026-01-31') }],
    ['a settlement', { trialEnd: null, toTheDay: true }],
  ])('is that on which %s ended, after any number of short months', (_, how) => {
    const one = unit(500, '2026-01-10')
    const began = periodCost(one, { ...terms('2026-01-31'), ...how })
    let monthly = { ...one, ...began, cost: 500 }
    for (const today of ['2026-02-28', '2026-03-31', '2026-04-30', '2026-05-31']) {
      monthly = { ...monthly, ...periodCost(monthly, terms(today)), cost: 500 }
      expect(monthly.billedUntil).toEqual(at(today))
    }
    const atOnce = periodCost({ ...one, ...began, cost: 500 }, terms('2026-05-31'))
    expect(atOnce.billedUntil).toEqual(at('2026-05-31'))
  })
})

describe('any charge', () => {
  const createdAt = fc.date({ min: at('2020-01-01'), max: at('2030-01-01'), noInvalidDate: true })
  const days = fc.integer({ min: 0, max: 900 })
  const later = (moment: Date, count: number) => new Date(moment.getTime() + count * 86_400_000)
  const cents = fc.integer({ min: 0, max: 100_000 })
  const discount = fc.integer({ min: 0, max: 100 })
  const anyUnit = fc.record({ createdAt, cost: cents, fee: cents }).map((facts) => ({
    ...facts,
    billedUntil: facts.createdAt,
    deletedAt: null,
  }))

  test('costs the same in two steps as in one, with and without a trial', () => {
    fc.assert(
      fc.property(anyUnit, days, days, days, discount, (one, trialDays, first, second, percent) => {
        const trialEnd = later(one.createdAt, trialDays)
        const by = (moment: Date) => ({ now: moment, discount: percent, trialEnd, isDegraded: false })
        const middle = later(one.createdAt, first)
        const end = later(middle, second)
        const step = periodCost(one, by(middle))
        const rest = periodCost({ ...one, ...step, cost: one.cost, fee: one.fee }, by(end))
        const { billedUntil, countedFrom } = rest
        expect({ ...total([step, rest]), billedUntil, countedFrom }).toEqual(periodCost(one, by(end)))
      }),
    )
  })

  test('costs nothing if repeated immediately', () => {
    fc.assert(
      fc.property(anyUnit, days, discount, fc.boolean(), (one, passed, percent, toTheDay) => {
        const by = {
          now: later(one.createdAt, passed),
          discount: percent,
          trialEnd: null,
          isDegraded: false,
          toTheDay,
        }
        const { billedUntil, countedFrom } = periodCost(one, by)
        const again = { cost: 0, fee: 0, billedUntil, countedFrom }
        expect(periodCost({ ...one, billedUntil, countedFrom }, by)).toEqual(again)
      }),
    )
  })

  test('is whole cents, never negative, zero at full discount, and never decreases over time', () => {
    fc.assert(
      fc.property(anyUnit, days, days, discount, (one, first, more, percent) => {
        const cost = (count: number, off: number, deleted = false) => {
          const now = later(one.createdAt, count)
          return periodCost(
            { ...one, deletedAt: deleted ? now : null },
            { now, discount: off, trialEnd: null, isDegraded: false },
          ).cost
        }
        for (const deleted of [false, true]) {
          const charge = cost(first, percent, deleted)
          expect(Number.isSafeInteger(charge)).toBe(true)
          expect(charge).toBeGreaterThanOrEqual(0)
          expect(cost(first, 100, deleted)).toBe(0)
        }
        expect(cost(first + more, percent)).toBeGreaterThanOrEqual(cost(first, percent))
        expect(cost(first, percent)).toBeLessThanOrEqual(cost(first, 0))
      }),
    )
  })
})
