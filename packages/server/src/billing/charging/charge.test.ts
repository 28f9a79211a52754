import { userStatus } from '@gatehouse/contract/status'
import { beforeAll, describe, expect, test } from 'vitest'
import { type MadeUser, makeDiscount, makeTenant, makeUser, setStatus } from '../../testing/factories.ts'
import { balanceOf, makeUnits, setTenantWallet, type UnitFacts } from '../../testing/payments/billing.ts'
import { useTestApp } from '../../testing/test-app.ts'
import { verifyLedger } from '../ledger/verify.ts'
import { chargeDueWallets, chargeWallet } from './charge.ts'
import { expectedCharges } from './charge-store.ts'

const app = useTestApp()
const at = (text: string) => new Date(`${text}T12:00:00Z`)

/** Creates a tenant with a wallet for its profits, and an account in it that is charged. */
async function makePayer(facts: { discount?: number; plan?: string | null; createdAt?: Date } = {}) {
  const tenantId = await makeTenant(app(), 100 + ++tenants)
  const reseller = await makeUser(app(), { tenantId, plan: null, role: 'reseller' })
  await setTenantWallet(app(), tenantId, reseller.walletId)
  const payer = await makeUser(app(), { tenantId, plan: null })
  const { db } = app().database
  if (facts.discount !== undefined) {
    const discountId = await makeDiscount(app(), { discount: facts.discount, tenantId })
    await db.updateTable('wallets').set({ discountId }).where('id', '=', payer.walletId).execute()
  }
  return { payer, reseller, tenantId }
}
let tenants = 0

const kolab = (since: string, facts: Partial<UnitFacts> = {}): UnitFacts[] => [
  { sku: 'mailbox', cost: 500, createdAt: at(since), ...facts },
  { sku: 'groupware', cost: 490, createdAt: at(since), ...facts },
  ...Array.from({ length: 5 }, () => ({ sku: 'storage', cost: 0, createdAt: at(since), ...facts })),
]
const storage = (units: number, since: string): UnitFacts[] =>
  Array.from({ length: units }, () => ({ sku: 'storage', cost: 25, fee: 10, createdAt: at(since) }))

const charge = (user: MadeUser, now: string, toTheDay = false) =>
  app()
    .database.db.transaction()
    .execute((trx) => chargeWallet(trx, user.walletId, { now: at(now), toTheDay }))

const markers = async (user: MadeUser) =>
  (
    await app()
      .database.db.selectFrom('entitlements')
      .select('billedUntil')
      .distinct()
      .where('walletId', '=', user.walletId)
      .execute()
  ).map((row) => row.billedUntil)

const remove = (ids: readonly string[], now: string) =>
  app()
    .database.db.updateTable('entitlements')
    .set({ deletedAt: at(now) })
    .where('id', 'in', ids)
    .execute()

describe('the examples of the reference, in the database', () => {
  test('seven weeks of a package and five more of storage, then two of them removed', async () => {
    const { payer, reseller } = await makePayer({ discount: 30 })
    await makeUnits(app(), payer.walletId, kolab('2021-04-02'))
    const extra = await makeUnits(app(), payer.walletId, storage(5, '2021-04-02'))
    expect(await charge(payer, '2021-05-21')).toMatchObject({ cost: 778, fee: 778 - 332, units: 12 })
    expect(await balanceOf(app(), payer.walletId)).toBe(-778)
    expect(await balanceOf(app(), reseller.walletId)).toBe(332)
    const periods = app().database.db.selectFrom('billedPeriods').select('cost')
    const entries = await app()
      .database.db.selectFrom('ledgerEntries')
      .select(['id', 'type', 'amount', 'description'])
      .where('walletId', '=', payer.walletId)
      .execute()
    expect(entries).toMatchObject([{ type: 'debit', amount: -778, description: 'charge' }])
    expect(await periods.where('entryId', '=', entries[0]?.id ?? '').execute()).toHaveLength(7)
    expect(await markers(payer)).toEqual([at('2021-05-02')])
    expect(await charge(payer, '2021-05-21')).toBeUndefined()

    await remove(extra.slice(0, 2), '2021-05-21')
    expect(await charge(payer, '2021-05-21')).toMatchObject({ cost: 20, fee: 12 })
    expect(await balanceOf(app(), reseller.walletId)).toBe(332 + 8)
  })

  test('three weeks of a package are not due yet', async () => {
    const { payer } = await makePayer({ discount: 30 })
    await makeUnits(app(), payer.walletId, [...kolab('2021-04-30'), ...storage(5, '2021-04-30')])
    expect(await charge(payer, '2021-05-21')).toBeUndefined()
    expect(await markers(payer)).toEqual([at('2021-04-30')])
  })

  test('a unit removed after thirteen days is free and done', async () => {
    const { payer } = await makePayer({ discount: 30 })
    const ids = await makeUnits(app(), payer.walletId, [{ cost: 500, createdAt: at('2021-05-01') }])
    await remove(ids, '2021-05-14')
    expect(await charge(payer, '2021-05-21')).toMatchObject({ cost: 0, fee: 0, units: 1 })
    expect(await markers(payer)).toEqual([at('2021-05-14')])
    expect(await balanceOf(app(), payer.walletId)).toBe(0)
  })

  test('a degraded owner pays nothing, but the tenant still owes the fee', async () => {
    const { payer, reseller } = await makePayer({ discount: 30 })
    await setStatus(app(), payer, userStatus.active | userStatus.degraded)
    await makeUnits(app(), payer.walletId, [
      { cost: 500, createdAt: at('2021-04-21') },
      ...storage(3, '2021-04-21'),
    ])
    expect(await charge(payer, '2021-05-21')).toMatchObject({ cost: 0, fee: 230 })
    expect(await balanceOf(app(), payer.walletId)).toBe(0)
    expect(await balanceOf(app(), reseller.walletId)).toBe(-230)
  })

  test('a one-month trial covers everything but the extra storage', async () => {
    const { payer, reseller } = await makePayer()
    const { db } = app().database
    const plan = await db
      .selectFrom('plans')
      .select('id')
      .where('title', '=', 'individual')
      .executeTakeFirstOrThrow()
    await db.insertInto('userSettings').values({ userId: payer.id, key: 'plan_id', value: plan.id }).execute()
    await app().database.pool.query('update wallets set created_at = $1 where id = $2', [
      at('2021-04-02'),
      payer.walletId,
    ])
    await makeUnits(app(), payer.walletId, [...kolab('2021-04-02'), ...storage(5, '2021-04-02')])
    expect(await charge(payer, '2021-05-21')).toMatchObject({ cost: 125, fee: 50 })
    expect(await balanceOf(app(), reseller.walletId)).toBe(75)
    expect(await markers(payer)).toEqual([at('2021-05-02')])
  })

  test.each([
    ['2021-04-15', 46, 33],
    ['2021-03-25', 92, 66],
  ])('to the day from %s to 5 May: %i, fee %i', async (since, cost, fee) => {
    const { payer } = await makePayer({ discount: 30 })
    await makeUnits(app(), payer.walletId, [{ cost: 100, fee: 50, createdAt: at(since) }])
    expect(await charge(payer, '2021-05-05', true)).toMatchObject({ cost, fee })
  })

  test.each([
    [false, 469, 202],
    [true, 0, -267],
  ])('twenty-one days of May are settled; degraded: %s', async (isDegraded, cost, profit) => {
    const { payer, reseller } = await makePayer({ discount: 30 })
    if (isDegraded) await setStatus(app(), payer, userStatus.active | userStatus.degraded)
    await makeUnits(app(), payer.walletId, kolab('2021-05-01'))
    await charge(payer, '2021-05-22', true)
    expect(await balanceOf(app(), payer.walletId)).toBe(-cost + 0)
    expect(await balanceOf(app(), reseller.walletId)).toBe(profit)
  })

  test.each([
    [0, '2021-05-02', 990],
    [0, '2021-06-02', 1980],
    [10, '2021-05-02', 891],
  ])('a package at %i percent off until %s costs %i', async (discount, now, cost) => {
    const { payer } = await makePayer({ discount })
    await makeUnits(app(), payer.walletId, kolab('2021-04-02'))
    expect(await charge(payer, now)).toMatchObject({ cost })
  })
})

describe('beyond the reference', () => {
  test('a yearly price is billed once a year, and pro rata when it ends', async () => {
    const { payer } = await makePayer()
    const [id = ''] = await makeUnits(app(), payer.walletId, [
      { sku: 'domain-registration', cost: 3650, fee: 365, months: 12, createdAt: at('2021-01-31') },
    ])
    expect(await charge(payer, '2022-01-30')).toBeUndefined()
    expect(await charge(payer, '2022-01-31')).toMatchObject({ cost: 3650, fee: 365 })
    await remove([id], '2022-02-10')
    expect(await charge(payer, '2022-03-01')).toMatchObject({ cost: 100, fee: 10 })
  })

  test('removing and re-adding the same SKU is free only once', async () => {
    const { payer } = await makePayer()
    const round = (since: string, until: string) => ({
      cost: 310,
      createdAt: at(since),
      deletedAt: at(until),
    })
    await makeUnits(app(), payer.walletId, [
      round('2021-03-01', '2021-03-11'),
      round('2021-03-02', '2021-03-11'),
    ])
    expect(await charge(payer, '2021-05-01')).toMatchObject({ cost: 0 })
    await makeUnits(app(), payer.walletId, [round('2021-05-02', '2021-05-12')])
    expect(await charge(payer, '2021-06-01')).toMatchObject({ cost: 100 })
    await makeUnits(app(), payer.walletId, [{ ...round('2021-05-02', '2021-05-12'), sku: 'groupware' }])
    expect(await charge(payer, '2021-06-01')).toMatchObject({ cost: 0 })
    await makeUnits(app(), payer.walletId, [round('2022-05-02', '2022-05-12')])
    expect(await charge(payer, '2022-06-01')).toMatchObject({ cost: 0 })
  })

  test('the billing day returns to the 31st after a short month', async () => {
    const { payer } = await makePayer()
    await makeUnits(app(), payer.walletId, [{ cost: 100, createdAt: at('2021-01-31') }])
    for (const [now, marker] of [
      ['2021-02-28', '2021-02-28'],
      ['2021-03-30', '2021-02-28'],
      ['2021-03-31', '2021-03-31'],
      ['2021-04-30', '2021-04-30'],
      ['2021-05-31', '2021-05-31'],
    ] as const) {
      await charge(payer, now)
      expect(await markers(payer)).toEqual([at(marker)])
    }
    expect(await balanceOf(app(), payer.walletId)).toBe(-400)
  })

  test("the profit goes to the tenant's wallet, regardless of its resellers", async () => {
    const { payer, reseller, tenantId } = await makePayer()
    const other = await makeUser(app(), { tenantId, plan: null, role: 'reseller' })
    await setTenantWallet(app(), tenantId, other.walletId)
    await makeUnits(app(), payer.walletId, [{ cost: 500, fee: 333, createdAt: at('2021-04-02') }])
    await charge(payer, '2021-05-02')
    expect(await balanceOf(app(), reseller.walletId)).toBe(0)
    expect(await balanceOf(app(), other.walletId)).toBe(167)
    await setTenantWallet(app(), tenantId, null)
    await charge(payer, '2021-06-02')
    expect(await balanceOf(app(), payer.walletId)).toBe(-1000)
  })
})

describe('a charging run', () => {
  const now = at('2021-07-01')
  const run = (options: { dryRun?: boolean; batch?: number } = {}) =>
    chargeDueWallets(app().database.db, { now, ...options })

  const makePayers = async (count: number) => {
    const { tenantId, reseller } = await makePayer()
    const payers: MadeUser[] = []
    for (let index = 0; index < count; index++) {
      const payer = await makeUser(app(), { tenantId, plan: null })
      await makeUnits(app(), payer.walletId, [{ cost: 100, fee: 40, createdAt: at('2021-05-01') }])
      payers.push(payer)
    }
    return { payers, reseller }
  }

  beforeAll(async () => {
    await run()
  })

  test('has a dry run, and a second run has nothing to do', async () => {
    const { reseller } = await makePayers(7)
    const expected = { wallets: 7, units: 7, cost: 1400, fee: 560 }
    expect(await run({ dryRun: true, batch: 3 })).toEqual(expected)
    expect(await balanceOf(app(), reseller.walletId)).toBe(0)
    expect(await run({ batch: 3 })).toEqual(expected)
    expect(await balanceOf(app(), reseller.walletId)).toBe(7 * 120)
    expect(await run()).toEqual({ wallets: 0, units: 0, cost: 0, fee: 0 })
  })

  test('shares the work with concurrent runs without charging twice', async () => {
    const { payers } = await makePayers(30)
    const runs = await Promise.all(Array.from({ length: 4 }, () => run({ batch: 4 })))
    const rest = await run()
    expect([...runs, rest].reduce((sum, { cost }) => sum + cost, 0)).toBe(30 * 200)
    for (const payer of payers) expect(await balanceOf(app(), payer.walletId)).toBe(-200)
  })

  test('skips a locked wallet, which the next run charges', async () => {
    const { payers } = await makePayers(3)
    const [held] = payers
    const trx = await app().database.db.startTransaction().execute()
    await trx
      .selectFrom('wallets')
      .select('id')
      .where('id', '=', held?.walletId ?? '')
      .forUpdate()
      .execute()
    expect(await run()).toMatchObject({ wallets: 2 })
    await trx.rollback().execute()
    expect(await run()).toMatchObject({ wallets: 1 })
  })

  test('increments the revision of each wallet once', async () => {
    const { payers } = await makePayers(1)
    const [payer] = payers
    const revision = async () =>
      (
        await app()
          .database.db.selectFrom('wallets')
          .select('revision')
          .where('id', '=', payer?.walletId ?? '')
          .executeTakeFirstOrThrow()
      ).revision
    const before = await revision()
    await run()
    expect(await revision()).toBe(before + 1)
  })

  test('reads nothing before it is due, and includes deleted units', async () => {
    const { payer } = await makePayer()
    const [id = ''] = await makeUnits(app(), payer.walletId, [{ cost: 310, createdAt: at('2021-06-01') }])
    const due = async () =>
      (
        await app()
          .database.db.selectFrom('walletCharging')
          .select('dueAt')
          .where('walletId', '=', payer.walletId)
          .executeTakeFirst()
      )?.dueAt
    expect(await due()).toEqual(at('2021-07-01'))
    await run()
    expect(await due()).toEqual(at('2021-08-01'))
    await remove([id], '2021-07-11')
    expect(await due()).toEqual(at('2021-07-11'))
    await chargeDueWallets(app().database.db, { now: at('2021-07-12') })
    expect(await balanceOf(app(), payer.walletId)).toBe(-310 - 100)
    expect(await due()).toBeNull()
  })

  test('leaves a consistent ledger', async () => {
    expect(await verifyLedger(app().database.db)).toEqual([])
  })
})

describe('the database refuses', () => {
  test("billing a time twice, taking billed time back, and a charge that isn't the sum of its periods", async () => {
    const { payer } = await makePayer()
    const [id = ''] = await makeUnits(app(), payer.walletId, [{ cost: 100, createdAt: at('2021-05-01') }])
    await charge(payer, '2021-06-01')
    const { db, pool } = app().database
    const period = (since: string, until: string) =>
      db
        .insertInto('billedPeriods')
        .values({ entitlementId: id, since: at(since), until: at(until), cost: 0, fee: 1, entryId: null })
        .execute()
    await expect(period('2021-05-01', '2021-06-01')).rejects.toMatchObject({ code: '23505' })
    await expect(period('2021-05-10', '2021-07-01')).rejects.toMatchObject({ code: '23P01' })
    await expect(
      db
        .updateTable('entitlements')
        .set({ billedUntil: at('2021-05-01') })
        .where('id', '=', id)
        .execute(),
    ).rejects.toMatchObject({ code: '23001' })
    const entry = await db
      .selectFrom('ledgerEntries')
      .select('id')
      .where('walletId', '=', payer.walletId)
      .executeTakeFirstOrThrow()
    await expect(
      db
        .insertInto('billedPeriods')
        .values({
          entitlementId: id,
          since: at('2021-06-01'),
          until: at('2021-07-01'),
          cost: 7,
          fee: 0,
          entryId: entry.id,
        })
        .execute(),
    ).rejects.toMatchObject({ code: '23514' })
    for (const statement of [
      'update billed_periods set cost = 1',
      'delete from billed_periods',
      'truncate billed_periods',
    ]) {
      await expect(pool.query(statement)).rejects.toMatchObject({ code: '23001' })
    }
    expect(await expectedCharges(db, [payer.walletId], { now: at('2021-07-01') })).toMatchObject([
      { cost: 100 },
    ])
  })
})
