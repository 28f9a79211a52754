import { beforeAll, describe, expect, test } from 'vitest'
import {
  deleteUser,
  makeDiscount,
  makeDomain,
  makeTenant,
  makeUser,
  setStatus,
  signInAs,
} from '../../testing/factories.ts'
import { type MadeStaff, makeStaff } from '../../testing/staff.ts'
import { useTestApp } from '../../testing/test-app.ts'
import { collectStats } from './daily-stats.ts'
import { isoWeek, lastWeeks } from './weeks.ts'

const day = 24 * 3600
const app = useTestApp()
let admin: MadeStaff
let reseller: MadeStaff

// the clock is set to Tuesday, 10 March 2026, in week 11
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

async function periodOf(by: MadeStaff, name: string, from: string, to: string) {
  const { status, body } = await by.call(`GET /api/v4/stats/chart/${name}?from=${from}&to=${to}`)
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

test('users are counted once per week, combining nightly counts and newer rows', async () => {
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
  // two of this week are the staff
  expect(valuesOf(now, 0).slice(-3)).toEqual([3, 1, 3])
  expect(valuesOf(now, 1).slice(-3)).toEqual([0, 1, 0])
  expect(now.data.yMarkers).toEqual([{ label: 'average 0.9', value: 0.9, options: { labelPos: 'left' } }])
  expect(valuesOf(await chart(admin, 'users-all')).slice(-4)).toEqual([0, 3, 3, 6])
})

test("a reseller sees their own tenant's numbers", async () => {
  expect(valuesOf(await chart(reseller, 'users'), 0).slice(-3)).toEqual([0, 1, 1])
  for (const name of ['users-all', 'payers', 'discounts', 'vouchers']) await chart(reseller, name)
  for (const name of ['income', 'users-per-country']) {
    expect((await reseller.call(`GET /api/v4/stats/chart/${name}`)).status, name).toBe(404)
  }
})

test.each(['nothing', 'constructor', '__proto__'])('there is no chart %s', async (name) => {
  expect((await admin.call(`GET /api/v4/stats/chart/${name}`)).status).toBe(404)
})

test("income is payments in the system's currency, without mandate set-ups and refunds", async () => {
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
  // each payment is included once, whether counted at night or not
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

describe('a period', () => {
  test('includes the weeks it touches, but counts only its own days', async () => {
    const body = await periodOf(admin, 'users', '2026-03-04', '2026-03-10')
    expect(body.data.labels).toEqual(['2026-10', '2026-11'])
    expect(body.title).toBe('Users')
    const [first, last] = [await periodOf(admin, 'users', '2026-03-03', '2026-03-03'), body]
    expect(valuesOf(first)).toEqual([1])
    // the user of 3 March precedes this period
    expect(valuesOf(last)[0]).toBe(0)
    const all = valuesOf(await periodOf(admin, 'users-all', '2026-03-04', '2026-03-10'))
    expect(all.at(-1)).toBe(valuesOf(await chart(admin, 'users-all')).at(-1))
    expect(valuesOf(await periodOf(admin, 'users-all', '2026-02-24', '2026-03-03'))).toEqual([3, 3])
  })

  test('of income ends with its last day', async () => {
    const now = valuesOf(await chart(admin, 'income')).at(-1)
    const today = await periodOf(admin, 'income', '2026-03-10', '2026-03-10')
    expect(valuesOf(today)).toEqual([now])
    expect(valuesOf(await periodOf(admin, 'income', '2026-03-09', '2026-03-09'))).toEqual([0])
    expect(valuesOf(await periodOf(admin, 'income', '2026-02-24', '2026-03-02'))).toEqual([0, 11.5])
  })

  test.each([
    ['from=2026-03-10&to=2026-03-09', ['from']],
    ['to=1999-12-31', ['to']],
    ['from=2020-01-01&to=2026-01-01', ['from']],
    ['from=2027-01-01', ['from']],
    ['from=2026-02-30', ['from']],
    ['to=soon', ['to']],
  ])('%s is rejected at its field', async (query, fields) => {
    for (const path of ['chart/users', 'figures']) {
      const { status, body } = await admin.call(`GET /api/v4/stats/${path}?${query}`)
      expect([status, Object.keys(body.errors)], path).toEqual([422, fields])
    }
  })
})

describe('figures', () => {
  const named = async (by: MadeStaff, query: string) => {
    const { body } = await by.call(`GET /api/v4/stats/figures?${query}`)
    return Object.fromEntries(
      body.figures.map((one: { name: string; value: number; before: number }) => [
        one.name,
        [one.value, one.before],
      ]),
    )
  }

  test('cover a period and the days just before', async () => {
    const query = 'from=2026-02-24&to=2026-03-02'
    const { body } = await admin.call(`GET /api/v4/stats/figures?${query}`)
    expect(body).toMatchObject({
      ...{ from: '2026-02-24', to: '2026-03-02', currency: 'CHF' },
      previous: { from: '2026-02-17', to: '2026-02-23' },
    })
    expect(await named(admin, query)).toEqual({
      'users-created': [3, 0],
      'users-deleted': [0, 0],
      users: [3, 0],
      payers: [null, null],
      income: [11.5, 0],
    })
    expect((await named(admin, 'from=2026-03-03&to=2026-03-09')).users?.[1]).toBe(3)
  })

  test('default to the last four weeks', async () => {
    const { body } = await admin.call('GET /api/v4/stats/figures')
    expect([body.from, body.to]).toEqual(['2026-02-11', '2026-03-10'])
  })

  test('of a reseller cover their own tenant, without money', async () => {
    const figures = await named(reseller, 'from=2026-03-03&to=2026-03-03')
    expect(figures['users-created']).toEqual([1, 0])
    expect(figures).not.toHaveProperty('income')
    expect((await named(admin, 'from=2026-02-24&to=2026-02-24'))['users-created']).toEqual([3, 0])
    expect((await named(reseller, 'from=2026-02-24&to=2026-02-24'))['users-created']).toEqual([0, 0])
  })

  test('are not available to customers', async () => {
    const user = await makeUser(app())
    const { access_token: token } = await signInAs(app(), user)
    expect((await app().call('GET /api/v4/stats/figures', { token })).status).not.toBe(200)
  })
})

test('a wallet with a deleted owner counts as having no discount', async () => {
  const before = (await chart(admin, 'discounts')).data.datasets[0].values
  const { db } = app().database
  const id = await makeDiscount(app(), { discount: 40 })
  const [stays, goes] = [await makeUser(app()), await makeUser(app())]
  for (const { walletId } of [stays, goes]) {
    await db.updateTable('wallets').set({ discountId: id }).where('id', '=', walletId).execute()
  }
  await deleteUser(app(), goes)
  expect((await chart(admin, 'discounts')).data.datasets[0].values).toEqual([before[0] + 1])
  expect((await chart(reseller, 'discounts')).data.labels).toEqual([])
})
