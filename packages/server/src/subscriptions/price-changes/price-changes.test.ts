import { describe, expect, test } from 'vitest'
import { chargeDueWallets, chargeWallet } from '../../billing/charging/charge.ts'
import { verifyLedger } from '../../billing/ledger/verify.ts'
import { openCrashPool } from '../../billing/simulation/crash-pool.ts'
import { isConflict } from '../../platform/db/database.ts'
import { makeAccount, packageOf } from '../../testing/account-fixture.ts'
import { makeController, makeDiscount, makeTenant, makeUser, signInAs } from '../../testing/factories.ts'
import { balanceOf, makeUnits, type UnitFacts } from '../../testing/payments/billing.ts'
import { makeSku, makeSubscriber, moveTo } from '../../testing/price-changes.ts'
import { type MadeStaff, makeStaff } from '../../testing/staff.ts'
import { useTestApp } from '../../testing/test-app.ts'
import { insertUnits } from '../entitlement-store.ts'
import { workOnPriceChanges } from './work.ts'

const app = useTestApp()

/** A newly signed-in admin: sessions end as the clock advances. */
const admin = () => makeStaff(app(), 'admin')

const db = () => app().database.db
const noon = (text: string) => new Date(`${text}T12:00:00Z`)
const daysFromNow = (days: number) => new Date(app().clock.now().getTime() + days * 86_400_000)
const dayOf = (moment: Date) => moment.toISOString().slice(0, 10)

const charge = (walletId: string) =>
  db()
    .transaction()
    .execute((trx) => chargeWallet(trx, walletId, { now: app().clock.now() }))

const schedule = async (body: Record<string, unknown>, by?: MadeStaff) =>
  (by ?? (await admin())).call('POST /api/v4/price-changes', { body })

/** Schedules a change and sends the e-mails. */
const announce = async (body: Record<string, unknown>) => {
  const answer = await schedule(body)
  await app().jobs.drain()
  return answer
}

const changeOf = async (id: string) =>
  (await (await admin()).call(`GET /api/v4/price-changes/${id}`)).body.change

const costsOf = async (walletId: string): Promise<number[]> =>
  (
    await db()
      .selectFrom('entitlements')
      .select('cost')
      .where('walletId', '=', walletId)
      .orderBy('cost')
      .execute()
  ).map((row) => row.cost)

/** Returns the e-mails to an address, oldest first. */
async function mailsTo(address: string) {
  return (await app().mails()).filter((mail) => mail.to.some((to) => to.address === address)).toReversed()
}

const units = (sku: string, cost: number, createdAt: Date, more: Partial<UnitFacts> = {}): UnitFacts => ({
  ...{ sku, cost, fee: 200, createdAt },
  ...more,
})

describe('an increase', () => {
  test('is announced once, and each period is billed at the price in force when it began', async () => {
    const sku = await makeSku(app())
    const began = daysFromNow(-20)
    const plain = await makeSubscriber(app(), [
      units(sku.title, 500, began),
      units(sku.title, 0, began, { fee: 0 }),
    ])
    const reduced = await makeSubscriber(app(), [units(sku.title, 500, began)])
    const discountId = await makeDiscount(app(), { discount: 20 })
    await db().updateTable('wallets').set({ discountId }).where('id', '=', reduced.walletId).execute()
    const individual = await makeSubscriber(app(), [units(sku.title, 450, began)])
    const helper = await makeSubscriber(app(), [])
    await makeController(app(), helper, plain.walletId)

    const wish = { sku: sku.id, cost: 600, reason: { en: 'Power costs more.' } }
    const preview = await (await admin()).call('POST /api/v4/price-changes/preview', {
      body: { ...wish, size: 1 },
    })
    const first = new Date('2026-04-10T00:00:00Z')
    expect(preview.body).toMatchObject({
      ...{
        status: 'success',
        wallets: 2,
        subscriptions: 2,
        before: 900,
        after: 1080,
        earliest: dayOf(first),
      },
      ...{
        hasMore: true,
        list: [{ user: { email: plain.email }, subscriptions: 1, before: 500, after: 600 }],
      },
      individual: [{ cost: 450, subscriptions: 1, wallets: 1 }],
    })

    const { status, body } = await announce(wish)
    expect(status).toBe(200)
    for (const address of [plain.external, helper.external, reduced.external]) {
      const mails = await mailsTo(address)
      expect(mails.map((mail) => mail.subject)).toEqual([
        expect.stringMatching(/^New price for Extra \d+ from 10 April 2026$/),
      ])
      expect(mails[0]?.text).toContain('Power costs more.')
    }
    expect((await mailsTo(reduced.external))[0]?.text.replaceAll('\u00a0', ' ')).toContain(
      'CHF 4.00 → CHF 4.80',
    )
    expect(await mailsTo(individual.external)).toEqual([])
    expect(await changeOf(body.id)).toMatchObject({
      state: 'announced',
      wallets: 2,
      told: 2,
      subscriptions: 2,
      applied: 0,
    })

    await workOnPriceChanges({ db: db(), clock: app().clock })
    await moveTo(app(), daysFromNow(1))
    expect(await mailsTo(plain.external)).toHaveLength(1)
    expect(await costsOf(plain.walletId)).toEqual([0, 500])

    const { access_token: token } = await signInAs(app(), plain)
    const forecast = await app().call(`GET /api/v4/wallets/${plain.walletId}/forecast`, { token })
    expect(forecast.body.priceChanges).toMatchObject([
      {
        date: '2026-04-10',
        prices: [{ from: 500, to: 600, units: 1 }],
        before: 500,
        after: 600,
        reason: wish.reason.en,
      },
    ])
    expect(forecast.body.months.map(({ charges }: { charges: number }) => charges).slice(0, 4)).toEqual([
      500, 500, 600, 600,
    ])

    await moveTo(app(), noon('2026-05-20'))
    expect(await changeOf(body.id)).toMatchObject({ state: 'applied', applied: 2 })
    for (const { walletId } of [plain, reduced, individual]) await charge(walletId)
    // 18 February, 18 March (before the effective date) and 18 April
    expect(await balanceOf(app(), plain.walletId)).toBe(-(500 + 500 + 600))
    expect(await balanceOf(app(), reduced.walletId)).toBe(-(400 + 400 + 480))
    expect(await balanceOf(app(), individual.walletId)).toBe(-3 * 450)
    expect(await costsOf(plain.walletId)).toEqual([0, 600])
    await charge(plain.walletId)
    expect(await balanceOf(app(), plain.walletId)).toBe(-1600)
    const { body: events } = await app().call('GET /api/v4/events?event=price.', {
      token: (await signInAs(app(), plain)).access_token,
    })
    expect(
      events.list.map(({ title }: { title: string }) =>
        title.replace(/Extra \d+/, 'Extra').replaceAll('\u00a0', ' '),
      ),
    ).toEqual([
      'Price of Extra changed from CHF 5.00 to CHF 6.00 on 10 April 2026',
      'Price of Extra changes from CHF 5.00 to CHF 6.00 on 10 April 2026',
    ])
  })

  test('does not affect a year in progress until its renewal', async () => {
    const sku = await makeSku(app(), { cost: 5000, period: 'yearly' })
    const { walletId } = await makeSubscriber(app(), [
      units(sku.title, 5000, daysFromNow(-200), { months: 12 }),
    ])
    const { body } = await announce({ sku: sku.id, cost: 6000 })
    await moveTo(app(), daysFromNow(40))
    expect((await changeOf(body.id)).state).toBe('applied')
    expect(await costsOf(walletId)).toEqual([5000])
    await moveTo(app(), daysFromNow(130))
    await charge(walletId)
    expect(await balanceOf(app(), walletId)).toBe(-5000)
    expect(await costsOf(walletId)).toEqual([6000])
    await moveTo(app(), daysFromNow(366))
    await charge(walletId)
    expect(await balanceOf(app(), walletId)).toBe(-11_000)
  })

  test.each([
    ['in a period that began before it', 32, 3100 + 1500, 3100 + 3100],
    ['in a period that began after it', 60, 6200 + 3300, 6200 + 4500],
  ])('settles units removed after its effective date, %s', async (_, days, least, most) => {
    const sku = await makeSku(app(), { cost: 3100 })
    const { walletId } = await makeSubscriber(app(), [units(sku.title, 3100, daysFromNow(-50))])
    await charge(walletId)
    expect(await balanceOf(app(), walletId)).toBe(-3100)
    await announce({ sku: sku.id, cost: 6200 })
    await moveTo(app(), daysFromNow(days))
    const deletedAt = app().clock.now()
    await db().updateTable('entitlements').set({ deletedAt }).where('walletId', '=', walletId).execute()
    await charge(walletId)
    const spent = -3100 - (await balanceOf(app(), walletId))
    expect(spent).toBeGreaterThan(least)
    expect(spent).toBeLessThan(most)
  })

  test('applies to orders before its effective date at the price shown, and not to later ones', async () => {
    const sku = await makeSku(app())
    const owner = await makeSubscriber(app(), [])
    const { body } = await announce({ sku: sku.id, cost: 600 })
    await app().jobs.drain()
    const order = (cost: number) =>
      db()
        .transaction()
        .execute((trx) =>
          insertUnits(trx, app().clock.now(), { type: 'user', id: owner.id }, owner.walletId, [
            { skuId: sku.id, cost, fee: 200 },
          ]),
        )
    await order(500)
    const { access_token: token } = await signInAs(app(), owner)
    const { body: skus } = await app().call(`GET /api/v4/users/${owner.id}/skus`, { token })
    expect(skus.find(({ id }: { id: string }) => id === sku.id)).toMatchObject({
      cost: 500,
      coming: { cost: 600 },
    })
    await moveTo(app(), daysFromNow(70))
    expect(await mailsTo(owner.external)).toEqual([])
    expect((await changeOf(body.id)).state).toBe('applied')
    await charge(owner.walletId)
    await order(600)
    expect(await costsOf(owner.walletId)).toEqual([600, 600])
    const { cost } = await db()
      .selectFrom('skus')
      .select('cost')
      .where('id', '=', sku.id)
      .executeTakeFirstOrThrow()
    expect(cost).toBe(600)
  })

  test('is included in the price of anything ordered before its effective date', async () => {
    const account = await makeAccount(app())
    const { id, cost } = await db()
      .selectFrom('skus')
      .select(['id', 'cost'])
      .where('title', '=', 'mailbox')
      .executeTakeFirstOrThrow()
    await announce({ sku: id, cost: cost + 130 })
    const order = { type: 'user', action: 'create', package: await packageOf(app(), 'kolab') }
    const { body } = await account.as('owner', 'POST /api/v4/subscriptions/preview', order)
    expect(body.monthly.next).toBeGreaterThan(0)
    expect(body.later).toEqual([{ date: expect.any(String), monthly: body.monthly.next + 130 }])
  })

  test('takes effect later for customers who are notified late', async () => {
    const sku = await makeSku(app())
    const { walletId } = await makeSubscriber(app(), [units(sku.title, 500, daysFromNow(-3))])
    const { body } = await announce({ sku: sku.id, cost: 600 })
    await moveTo(app(), app().clock.now())
    // a user whose subscription the first batch missed
    const late = await makeSubscriber(app(), [])
    await makeUnits(app(), late.walletId, [units(sku.title, 500, daysFromNow(0))])
    await moveTo(app(), daysFromNow(35))
    const wallets = await db()
      .selectFrom('priceChangeWallets')
      .select(['walletId', 'since', 'appliedAt'])
      .where('changeId', '=', body.id)
      .execute()
    const since = (id: string) => wallets.find((row) => row.walletId === id)
    expect(since(walletId)?.appliedAt).not.toBeNull()
    expect(since(late.walletId)?.appliedAt).toBeNull()
    expect(since(late.walletId)?.since.getTime()).toBeGreaterThanOrEqual(daysFromNow(30).getTime())
    expect(await mailsTo(late.external)).toHaveLength(1)
    await moveTo(app(), daysFromNow(32))
    expect((await changeOf(body.id)).state).toBe('applied')
  })
})

describe('a decrease', () => {
  test('applies immediately, never to an earlier period, and never twice despite interruptions', async () => {
    const { connectionString: url } = app().database.pool.options
    await using crashing = openCrashPool(url ?? '')
    let ended = 0
    for (let statement = 2; ; statement += 4) {
      const sku = await makeSku(app())
      const owners = []
      for (let index = 0; index < 5; index++) {
        owners.push(await makeSubscriber(app(), [units(sku.title, 500, daysFromNow(-20))]))
      }
      const { body } = await schedule({ sku: sku.id, cost: 400 })
      const before = crashing.crashes
      crashing.crashAt(statement)
      await workOnPriceChanges({ db: crashing.db, clock: app().clock, batch: 2 }).catch((error: unknown) => {
        if (isConflict(error)) throw error
        ended += 1
      })
      crashing.crashAt(Number.POSITIVE_INFINITY)
      await app().jobs.drain()
      expect(await changeOf(body.id)).toMatchObject({
        ...{ state: 'applied', wallets: 5, subscriptions: 5, told: 5, applied: 5, before: 2500, after: 2000 },
      })
      for (const { external } of owners) expect(await mailsTo(external)).toHaveLength(1)
      if (crashing.crashes === before) break
    }
    expect(ended).toBeGreaterThan(5)
  }, 300_000)

  test('has the same result during a charging run', async () => {
    const sku = await makeSku(app())
    const began = daysFromNow(-45)
    const owners = []
    for (let index = 0; index < 12; index++)
      owners.push(await makeSubscriber(app(), [units(sku.title, 500, began)]))
    await schedule({ sku: sku.id, cost: 400 })
    const { clock } = app()
    await Promise.all([
      workOnPriceChanges({ db: db(), clock, batch: 3 }),
      chargeDueWallets(db(), { now: clock.now(), batch: 4 }),
      workOnPriceChanges({ db: db(), clock, batch: 2 }),
      chargeDueWallets(db(), { now: clock.now(), batch: 5 }),
    ])
    await moveTo(app(), daysFromNow(50))
    await chargeDueWallets(db(), { now: clock.now() })
    for (const { walletId } of owners) {
      expect(await balanceOf(app(), walletId)).toBe(-(500 + 500 + 400))
      expect(await costsOf(walletId)).toEqual([400])
    }
    expect(await verifyLedger(db())).toEqual([])
  })
})

describe('a cancellation', () => {
  test('keeps all prices and notifies those who had been notified', async () => {
    const sku = await makeSku(app())
    const owner = await makeSubscriber(app(), [units(sku.title, 500, daysFromNow(-20))])
    const { body } = await schedule({ sku: sku.id, cost: 600 })
    await app().jobs.drain()
    const by = await admin()
    expect((await by.call(`POST /api/v4/price-changes/${body.id}/cancel`)).body.change).toMatchObject({
      ...{ state: 'cancelled', canCancel: false, cancelledBy: by.email },
    })
    await app().jobs.drain()
    await moveTo(app(), daysFromNow(60))
    await charge(owner.walletId)
    expect(await costsOf(owner.walletId)).toEqual([500])
    expect(
      (await mailsTo(owner.external)).map(({ subject }) => subject.replace(/Extra \d+/, 'Extra')),
    ).toEqual([expect.stringMatching(/^New price for Extra from/), 'The price of Extra stays the same'])
    expect((await (await admin()).call(`POST /api/v4/price-changes/${body.id}/cancel`)).status).toBe(409)
    expect((await schedule({ sku: sku.id, cost: 650 })).status).toBe(200)
  })

  test('is rejected from the effective date on', async () => {
    const sku = await makeSku(app())
    const { body } = await schedule({ sku: sku.id, cost: 600 })
    await moveTo(app(), daysFromNow(40))
    expect((await (await admin()).call(`POST /api/v4/price-changes/${body.id}/cancel`)).status).toBe(409)
  })
})

test('a date within the notice period is rejected with the earliest possible date', async () => {
  const sku = await makeSku(app())
  const { status, body } = await schedule({ sku: sku.id, cost: 600, date: dayOf(daysFromNow(3)) })
  expect(status).toBe(422)
  expect(body.errors.date).toMatch(/^The earliest date is \d{1,2} [A-Z][a-z]+ \d{4}\.$/)
})

describe('permission to change prices', () => {
  test('is granted to a reseller for their own tenant, but not below the fee nor for the fee', async () => {
    const tenantId = await makeTenant(app(), 61)
    const reseller = await makeStaff(app(), 'reseller', tenantId)
    const other = await makeStaff(app(), 'reseller', await makeTenant(app(), 62))
    const sku = await makeSku(app(), { tenantId })
    expect((await schedule({ sku: sku.id, cost: 600 }, other)).status).toBe(404)
    expect((await schedule({ sku: sku.id, cost: 600, fee: 100 }, reseller)).status).toBe(403)
    expect((await schedule({ sku: sku.id, cost: 100 }, reseller)).body.errors).toEqual({
      cost: 'The price can’t be lower than the fee.',
    })
    await (await admin()).call(`PUT /api/v4/tenants/${tenantId}/limits`, { body: { belowFee: true } })
    const preview = { body: { sku: sku.id, cost: 100 } }
    expect((await reseller.call('POST /api/v4/price-changes/preview', preview)).body.errors).toBeUndefined()
    const { body } = await schedule({ sku: sku.id, cost: 600 }, reseller)
    expect(body.change).toMatchObject({ tenant: { id: tenantId }, createdBy: reseller.email })
    expect((await other.call(`GET /api/v4/price-changes/${body.id}`)).status).toBe(404)
    expect((await reseller.call('GET /api/v4/price-changes')).body.list).toHaveLength(1)
    expect((await reseller.call('GET /api/v4/price-changes?tenant=0')).status).toBe(404)
    expect((await schedule({ sku: sku.id, cost: 700 }, reseller)).status).toBe(409)
  })

  test('is denied to everyone else', async () => {
    const user = await makeUser(app(), { plan: null })
    const { access_token: token } = await signInAs(app(), user)
    const { status } = await app().call('GET /api/v4/price-changes', { token, host: 'admin.localhost:8000' })
    expect([401, 403]).toContain(status)
  })
})
