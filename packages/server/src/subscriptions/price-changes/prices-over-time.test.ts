import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { newUuid } from '../../platform/ids.ts'
import { makeUser } from '../../testing/factories.ts'
import { useTestApp } from '../../testing/test-app.ts'
import {
  type ChargedUnit,
  type ChargeTerms,
  type ComingPrice,
  firstPeriodAt,
  periodCost,
} from '../prices/period-cost.ts'

const app = useTestApp()
const at = (text: string) => new Date(`${text}T12:00:00Z`)

const terms = (now: string, facts: Partial<ChargeTerms> = {}): ChargeTerms => ({
  ...{ now: at(now), discount: 0, trialEnd: null, isDegraded: false },
  ...facts,
})

const unit = (facts: Partial<ChargedUnit> = {}): ChargedUnit => ({
  ...{ cost: 500, fee: 200, createdAt: at('2030-01-10'), billedUntil: at('2030-01-10'), deletedAt: null },
  ...facts,
})

const from = (day: string, cost: number, fee = 200): ComingPrice => ({
  since: new Date(`${day}T00:00:00Z`),
  cost,
  fee,
})

test.each<[string, ChargedUnit, ChargeTerms, number]>([
  [
    'a month that began before the day',
    unit({ coming: [from('2030-01-20', 600)] }),
    terms('2030-02-11'),
    500,
  ],
  ['the month after it', unit({ coming: [from('2030-01-20', 600)] }), terms('2030-03-11'), 500 + 600],
  [
    'a day on which a month begins',
    unit({ coming: [from('2030-02-10', 600)] }),
    terms('2030-03-11'),
    500 + 600,
  ],
  ['a day after a month began', unit({ coming: [from('2030-02-11', 600)] }), terms('2030-03-11'), 500 + 500],
  ['a day long ago', unit({ coming: [from('2029-06-01', 600)] }), terms('2030-03-11'), 600 + 600],
  ['a day to come', unit({ coming: [from('2031-06-01', 600)] }), terms('2030-03-11'), 500 + 500],
  [
    'a discount on both',
    unit({ coming: [from('2030-01-20', 600)] }),
    terms('2030-03-11', { discount: 25 }),
    375 + 450,
  ],
  ['a price of nothing', unit({ coming: [from('2030-01-20', 0)] }), terms('2030-03-11'), 500],
  [
    'two changes within one month',
    unit({ coming: [from('2030-01-15', 600), from('2030-01-25', 700)] }),
    terms('2030-03-11'),
    500 + 700,
  ],
  [
    'two changes in two months',
    unit({ coming: [from('2030-01-15', 600), from('2030-02-25', 700)] }),
    terms('2030-04-11'),
    500 + 600 + 700,
  ],
  [
    'a year in progress',
    unit({ months: 12, cost: 5000, coming: [from('2030-06-01', 6000)] }),
    terms('2031-01-11'),
    5000,
  ],
  [
    'the year after it',
    unit({ months: 12, cost: 5000, coming: [from('2030-06-01', 6000)] }),
    terms('2032-01-11'),
    5000 + 6000,
  ],
  [
    'a trial that ends after the day',
    unit({ coming: [from('2030-01-20', 600)] }),
    terms('2030-03-11', { trialEnd: at('2030-02-10') }),
    600,
  ],
  [
    'a removal in the month that began before the day: 16 days of January at the old price, none of the new',
    unit({ deletedAt: at('2030-01-26'), coming: [from('2030-01-20', 600)] }),
    terms('2030-01-26'),
    Math.floor((500 * 16) / 31),
  ],
  [
    'a removal in the month that began after the day',
    unit({ deletedAt: at('2030-02-20'), coming: [from('2030-01-20', 600)] }),
    terms('2030-02-20'),
    500 + Math.floor((600 * 10) / 28),
  ],
])('bills each period at the price in force when it began: %s', (_, charged, when, cost) => {
  expect(periodCost(charged, when).cost).toBe(cost)
})

test.each([
  ['2030-01-31', '2030-02-10', '2030-02-28'],
  ['2030-01-31', '2030-03-01', '2030-03-31'],
  ['2030-01-31', '2030-01-01', '2030-01-31'],
])('finds the first period from %s that begins on or after %s', (start, moment, found) => {
  expect(firstPeriodAt(at(moment), at(start), at(start))).toEqual(at(found))
})

const moment = fc
  .record({
    year: fc.integer({ min: 2019, max: 2023 }),
    month: fc.integer({ min: 0, max: 11 }),
    day: fc.constantFrom(1, 2, 15, 27, 28, 29, 30, 31),
    hour: fc.integer({ min: 0, max: 23 }),
  })
  .map(({ year, month, day, hour }) => new Date(Date.UTC(year, month, day, hour)))

const cents = fc.constantFrom(0, 1, 25, 490, 500, 99_999)

const cases = fc
  .record({
    moments: fc.array(moment, { minLength: 6, maxLength: 6 }),
    cost: cents,
    fee: cents,
    prices: fc.array(fc.record({ cost: cents, fee: cents }), { minLength: 1, maxLength: 2 }),
    months: fc.constantFrom(1, 1, 1, 12),
    isDeleted: fc.boolean(),
    wasCounted: fc.boolean(),
    hasTrial: fc.boolean(),
    discount: fc.integer({ min: 0, max: 100 }),
    isDegraded: fc.boolean(),
    toTheDay: fc.boolean(),
    isReturnUsed: fc.boolean(),
  })
  .map((given) => {
    const [
      createdAt = at('2020-01-01'),
      second = createdAt,
      third = second,
      fourth = third,
      fifth = fourth,
      last = fifth,
    ] = given.moments.toSorted((one, other) => one.getTime() - other.getTime())
    const coming = given.prices.map((price, index) => ({ ...price, since: index === 0 ? third : fourth }))
    const charged: ChargedUnit = {
      ...{ cost: given.cost, fee: given.fee, months: given.months, createdAt, billedUntil: second, coming },
      countedFrom: given.wasCounted ? second : null,
      deletedAt: given.isDeleted ? fifth : null,
      isReturnUsed: given.isReturnUsed,
    }
    const { discount, isDegraded, toTheDay } = given
    return {
      unit: charged,
      terms: { now: last, discount, isDegraded, toTheDay, trialEnd: given.hasTrial ? third : null },
    }
  })

test('the database charges consecutive prices according to the rules', async () => {
  const { db } = app().database
  const { walletId } = await makeUser(app(), { plan: null })
  const sku = await db
    .selectFrom('skus')
    .select('id')
    .where('title', '=', 'mailbox')
    .executeTakeFirstOrThrow()
  const changes = [newUuid(), newUuid()]
  const [first = '', second = ''] = changes.sort()
  for (const id of changes) {
    await db
      .insertInto('priceChanges')
      .values({
        ...{
          id,
          tenantId: 0,
          skuId: sku.id,
          oldCost: 1,
          cost: 2,
          oldFee: 0,
          fee: 0,
          months: 1,
          currency: 'CHF',
        },
        ...{ newSubscriptions: 'at-once', effectiveAt: at('2020-01-01'), noticeDays: 0, reason: '{}' },
        ...{ createdBy: null, creatorEmail: null, createdAt: at('2020-01-01'), state: 'applied' },
      })
      .execute()
  }
  await fc.assert(
    fc.asyncProperty(fc.array(cases, { minLength: 100, maxLength: 200 }), async (list) => {
      const ids = list.map(() => newUuid())
      await db
        .insertInto('entitlements')
        .values(
          list.map(({ unit: { cost, fee, createdAt, billedUntil } }, index) => ({
            ...{
              id: ids[index] ?? '',
              walletId,
              skuId: sku.id,
              objectType: 'user' as const,
              objectId: 1,
            },
            ...{
              cost,
              fee,
              description: null,
              createdAt,
              billedUntil,
              deletedAt: null,
            },
          })),
        )
        .execute()
      await db
        .insertInto('priceChangeUnits')
        .values(
          list.flatMap(({ unit: { coming = [] } }, index) =>
            coming.map(({ since, cost, fee }, place) => ({
              ...{
                entitlementId: ids[index] ?? '',
                changeId: place === 0 ? first : second,
                since,
                cost,
                fee,
              },
              ...{ oldCost: 0, oldFee: 0, foldedAt: null },
            })),
          ),
        )
        .execute()
      const values = list.map(
        ({ unit: one, terms: when }, index) => sql`(${index}::int, ${ids[index]}::uuid, ${one.cost}::bigint,
          ${one.fee}::bigint, ${one.months ?? 1}::int, ${one.createdAt}::timestamptz, ${one.countedFrom}::timestamptz,
          ${one.billedUntil}::timestamptz, ${one.deletedAt}::timestamptz, ${when.now}::timestamptz,
          ${when.discount}::int, ${when.trialEnd}::timestamptz, ${when.isDegraded}::boolean,
          ${when.toTheDay === true}::boolean, ${one.isReturnUsed === true}::boolean)`,
      )
      const { rows } =
        await sql<object>`select c.cost, c.fee, c.until as "billedUntil", c.counted as "countedFrom"
        from (values ${sql.join(values)}) v (place, id, a, b, c, d, e, f, g, h, i, j, k, l, m)
          cross join lateral cost_over_prices(id, a, b, c, d, e, f, g, h, i, j, k, l, m) c
        order by v.place`.execute(db)
      list.forEach(({ unit: one, terms: when }, index) => {
        expect(rows[index], JSON.stringify({ one, when })).toEqual(periodCost(one, when))
      })
    }),
    { numRuns: 8 },
  )
})
