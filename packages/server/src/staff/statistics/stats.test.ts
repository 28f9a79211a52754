import { beforeAll, describe, expect, test } from 'vitest'
import {
  deleteUser,
  makeDiscount,
  makeDomain,
  makeTenant,
  makeUser,
  setStatus,
} from '../../testing/factories.ts'
import { type MadeStaff, makeStaff } from '../../testing/staff.ts'
import { useTestApp } from '../../testing/test-app.ts'
import { collectStats } from './daily-stats.ts'
import { isoWeek, lastWeeks } from './weeks.ts'

const day = 24 * 3600
const app = useTestApp()
let admin: MadeStaff
let reseller: MadeStaff

// the clock stands on Tuesday, 10 March 2026, in week 11
beforeAll(async () => {
  await makeDomain(app(), 'example.test')
  const tenantId = await makeTenant(app(), 9)
  admin = await makeStaff(app(), 'admin')
  reseller = await makeStaff(app(), 'reseller', tenantId)
})

async function chart(by: MadeStaff, name: string) {
  const { status, body } = await by.call(`GET /api/v4/stats/chart/${name}`)
  expect(status, name).toBe(200)
  return body
}

const valuesOf = (body: { data: { datasets: { values: number[] }[] } }, index = 0) =>
  body.data.datasets[index]?.values ?? []

describe('weeks', () => {
  test('have the year of their Thursday, also around New Year', () => {
    const weeks = (moment: string, count: number) => lastWeeks(new Date(moment), count).map(isoWeek)
    expect(weeks('2026-01-04T23:59:59Z', 3)).toEqual(['2025-51', '2025-52', '2026-01'])
    expect(weeks('2021-01-03T00:00:00Z', 2)).toEqual(['2020-52', '2020-53'])
    expect(weeks('2024-12-30T00:00:00Z', 2)).toEqual(['2024-52', '2025-01'])
  })
})

test('users are counted by week, those of the nightly count and those since together, once each', async () => {
  app().clock.advance(-14 * day)
  const early = [await makeUser(app()), await makeUser(app()), await makeUser(app())]
  app().clock.advance(7 * day)
  for (const user of early.slice(0, 1)) await deleteUser(app(), user)
  await makeUser(app(), { tenantId: 9 })
  const before = await chart(admin, 'users')
  await collectStats({ db: app().database.db, clock: app().clock })
  await collectStats({ db: app().database.db, clock: app().clock })
  expect(await chart(admin, 'users')).toEqual(before)
  app().clock.advance(7 * day)
  await makeUser(app())
  const now = await chart(admin, 'users')
  expect(now.data.labels.slice(-3)).toEqual(['2026-09', '2026-10', '2026-11'])
  // two of this week are the staff themselves
  expect(valuesOf(now, 0).slice(-3)).toEqual([3, 1, 3])
  expect(valuesOf(now, 1).slice(-3)).toEqual([0, 1, 0])
  expect(now.data.yMarkers).toEqual([{ label: 'average 0.9', value: 0.9, options: { labelPos: 'left' } }])
  expect(valuesOf(await chart(admin, 'users-all')).slice(-4)).toEqual([0, 3, 3, 6])
})

test('a reseller sees the numbers of the own tenant', async () => {
  expect(valuesOf(await chart(reseller, 'users'), 0).slice(-3)).toEqual([0, 1, 1])
  for (const name of ['users-all', 'payers', 'discounts', 'vouchers']) await chart(reseller, name)
  for (const name of ['income', 'users-per-country']) {
    expect((await reseller.call(`GET /api/v4/stats/chart/${name}`)).status, name).toBe(404)
  }
})

test.each(['nothing', 'constructor', '__proto__'])('there is no chart %s', async (name) => {
  expect((await admin.call(`GET /api/v4/stats/chart/${name}`)).status).toBe(404)
})

test('income is what was paid, in the currency of the system, without what set up a mandate or went back', async () => {
  const user = await makeUser(app())
  const foreign = await makeUser(app())
  const { db } = app().database
  await db.updateTable('wallets').set({ currency: 'EUR' }).where('id', '=', foreign.walletId).execute()
  const pay = (facts: {
    type: 'oneoff' | 'recurring' | 'mandate'
    status?: 'paid' | 'failed'
    days: number
    inEuro?: boolean
  }) =>
    db
      .insertInto('payments')
      .values({
        id: `p${Math.random()}`,
        walletId: (facts.inEuro ? foreign : user).walletId,
        type: facts.type,
        status: facts.status ?? 'paid',
        provider: 'mollie',
        amount: 1234,
        creditAmount: 1150,
        currency: 'CHF',
        currencyAmount: 1234,
        createdAt: app().clock.now(),
        updatedAt: app().clock.now(),
        paidAt:
          facts.status === 'failed' ? null : new Date(app().clock.now().getTime() - facts.days * day * 1000),
      })
      .execute()
  await pay({ type: 'oneoff', days: 0 })
  await pay({ type: 'recurring', days: 8 })
  await pay({ type: 'mandate', days: 8 })
  await pay({ type: 'oneoff', status: 'failed', days: 8 })
  await collectStats({ db, clock: app().clock })
  const body = await chart(admin, 'income')
  expect(body).toMatchObject({ currency: 'CHF', title: 'Revenue in CHF, last 8 weeks' })
  expect(valuesOf(body).slice(-3)).toEqual([0, 11.5, 11.5])
  await collectStats({ db, clock: app().clock })
  // counted at night or not, each payment is in it once
  expect(await chart(admin, 'income')).toEqual(body)
  await pay({ type: 'oneoff', days: 0, inEuro: true })
  expect(valuesOf(await chart(admin, 'income')).slice(-3)).toEqual([0, 11.5, 11.5])
  const rate = { base: 'CHF', currency: 'EUR', day: '2026-03-09', rate: '0.5' }
  await db.insertInto('exchangeRates').values(rate).execute()
  expect(valuesOf(await chart(admin, 'income')).slice(-3)).toEqual([0, 11.5, 34.5])
  expect(valuesOf(await chart(admin, 'payers')).at(-1)).toBe(1)
  for (const payer of [user, foreign]) await setStatus(app(), payer, 64)
  await collectStats({ db, clock: app().clock })
  expect(valuesOf(await chart(admin, 'payers')).at(-1)).toBe(0)
})

test('discounts and vouchers are counted by wallet, countries by customer', async () => {
  const { db } = app().database
  const id = await makeDiscount(app(), { discount: 40, code: 'FORTY' })
  for (const country of ['DE', 'DE', 'FR']) {
    const user = await makeUser(app(), { settings: { country } })
    await db.updateTable('wallets').set({ discountId: id }).where('id', '=', user.walletId).execute()
  }
  expect((await chart(admin, 'discounts')).data).toEqual({ labels: ['40%'], datasets: [{ values: [3] }] })
  expect((await chart(admin, 'vouchers')).data).toEqual({ labels: ['FORTY'], datasets: [{ values: [3] }] })
  await collectStats({ db, clock: app().clock })
  const { data } = await chart(admin, 'users-per-country')
  expect(data.labels).toEqual(expect.arrayContaining(['Switzerland', 'Germany', 'France']))
  expect(data.datasets[0].values[data.labels.indexOf('Germany')]).toBe(2)
})
