import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { type ChargedUnit, type ChargeTerms, periodCost } from '../../subscriptions/prices/period-cost.ts'
import { useTestApp } from '../../testing/test-app.ts'

const app = useTestApp()

/** Times near month and year ends, where rules tend to break, and arbitrary ones. */
const moment = fc.oneof(
  fc
    .record({
      year: fc.integer({ min: 2019, max: 2026 }),
      month: fc.integer({ min: 0, max: 11 }),
      day: fc.constantFrom(1, 2, 27, 28, 29, 30, 31),
      hour: fc.integer({ min: 0, max: 23 }),
    })
    .map(({ year, month, day, hour }) => new Date(Date.UTC(year, month, day, hour))),
  fc.date({
    min: new Date('2019-01-01T00:00:00Z'),
    max: new Date('2027-01-01T00:00:00Z'),
    noInvalidDate: true,
  }),
)

const cents = fc.oneof(fc.integer({ min: 0, max: 100_000 }), fc.constantFrom(0, 1, 25, 490, 500, 2 ** 31 - 1))

interface Row {
  readonly cost: number
  readonly fee: number
  readonly until: Date
  readonly counted: Date
}

interface Case {
  readonly unit: ChargedUnit
  readonly terms: ChargeTerms
}

const cases: fc.Arbitrary<Case> = fc
  .record({
    moments: fc.array(moment, { minLength: 4, maxLength: 4 }),
    cost: cents,
    fee: cents,
    months: fc.constantFrom(1, 1, 1, 12),
    isDeleted: fc.boolean(),
    wasBilled: fc.boolean(),
    wasCounted: fc.boolean(),
    isReturnUsed: fc.boolean(),
    isYoung: fc.boolean(),
    discount: fc.integer({ min: 0, max: 100 }),
    trialDays: fc.option(fc.integer({ min: 0, max: 400 })),
    isDegraded: fc.boolean(),
    toTheDay: fc.boolean(),
  })
  .map((given) => {
    const [createdAt = new Date(0), second = createdAt, third = second, last = third] =
      given.moments.toSorted((one, other) => one.getTime() - other.getTime())
    const end = given.isYoung ? new Date(createdAt.getTime() + (last.getTime() % (20 * 86_400_000))) : third
    const trialEnd =
      given.trialDays === null ? null : new Date(createdAt.getTime() + given.trialDays * 86_400_000)
    return {
      unit: {
        cost: given.cost,
        fee: given.fee,
        months: given.months,
        createdAt,
        billedUntil: given.wasBilled ? second : createdAt,
        countedFrom: given.wasCounted ? second : null,
        deletedAt: given.isDeleted ? end : null,
        isReturnUsed: given.isReturnUsed,
      },
      terms: {
        now: given.isDeleted ? last : end,
        discount: given.discount,
        trialEnd,
        isDegraded: given.isDegraded,
        toTheDay: given.toTheDay,
      },
    }
  })

test('the database charges according to the rules for any unit and terms', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(cases, { minLength: 200, maxLength: 400 }), async (list) => {
      const values = list.map(
        ({ unit, terms }, index) =>
          sql`(${index}::int, ${unit.cost}::bigint, ${unit.fee}::bigint, ${unit.months}::int,
            ${unit.createdAt}::timestamptz, ${unit.countedFrom}::timestamptz, ${unit.billedUntil}::timestamptz, ${unit.deletedAt}::timestamptz,
            ${terms.now}::timestamptz, ${terms.discount}::int, ${terms.trialEnd}::timestamptz,
            ${terms.isDegraded}::boolean, ${terms.toTheDay}::boolean, ${unit.isReturnUsed}::boolean)`,
      )
      const { rows } = await sql<Row>`select c.cost, c.fee, c.until, c.counted
        from (values ${sql.join(values)}) v (place, a, b, c, d, e, f, g, h, i, j, k, l, m)
          cross join lateral period_cost(a, b, c, d, e, f, g, h, i, j, k, l, m) c order by v.place`.execute(
        app().database.db,
      )
      list.forEach(({ unit, terms }, index) => {
        const { cost, fee, billedUntil, countedFrom } = periodCost(unit, terms)
        expect(rows[index], JSON.stringify({ unit, terms })).toEqual({
          cost,
          fee,
          until: billedUntil,
          counted: countedFrom,
        })
      })
    }),
    { numRuns: 12 },
  )
})
