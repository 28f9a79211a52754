import { beforeAll, describe, expect, test } from 'vitest'
import {
  giveMoney,
  type MadeUser,
  makeController,
  makeDiscount,
  makeDomain,
  makeTenant,
  makeUser,
  signInAs,
} from '../../testing/factories.ts'
import { type MadeStaff, makeStaff } from '../../testing/staff.ts'
import { useTestApp } from '../../testing/test-app.ts'

const app = useTestApp({ ONE_OFF_LIMIT: '50000' })
let admin: MadeStaff
let reseller: MadeStaff
let user: MadeUser
let customer: MadeUser
let tenantWallet: string

beforeAll(async () => {
  await makeDomain(app(), 'example.test')
  const tenantId = await makeTenant(app(), 9)
  admin = await makeStaff(app(), 'admin')
  reseller = await makeStaff(app(), 'reseller', tenantId)
  user = await makeUser(app())
  customer = await makeUser(app(), { tenantId })
  tenantWallet = reseller.walletId
  const { db } = app().database
  await db.updateTable('tenants').set({ walletId: tenantWallet }).where('id', '=', tenantId).execute()
  await giveMoney(app(), tenantWallet, 10_000)
})

async function balance(walletId: string): Promise<number> {
  const { db } = app().database
  const row = await db
    .selectFrom('wallets')
    .select('balance')
    .where('id', '=', walletId)
    .executeTakeFirstOrThrow()
  return row.balance
}

const oneOff = (by: MadeStaff, walletId: string, body: unknown) =>
  by.call(`POST /api/v4/wallets/${walletId}/one-off`, { body })

describe('a bonus', () => {
  test('is added to the wallet with its description and giver', async () => {
    const { status, body } = await oneOff(admin, user.walletId, { amount: '12.34', description: 'Sorry' })
    expect({ status, body }).toEqual({
      status: 200,
      body: { status: 'success', message: 'Bonus added to the wallet.', balance: 1234, request: null },
    })
    const list = await admin.call(`GET /api/v4/wallets/${user.walletId}/transactions`)
    expect(list.body.list[0]).toMatchObject({
      type: 'award',
      amount: 1234,
      description: 'Bonus: Sorry',
      user: admin.email,
    })
    const { body: log } = await admin.call(`GET /api/v4/eventlog/user/${user.id}`)
    expect(log.list[0]).toMatchObject({
      kind: 'wallet.award',
      comment: 'Sorry',
      user: admin.email,
      data: { amount: 1234, currency: 'CHF' },
    })
    const { access_token: token } = await signInAs(app(), user)
    const seen = await app().call('GET /api/v4/events', { token })
    expect(seen.body.list[0]).toMatchObject({ event: 'wallet.award', actor: admin.email })
  })

  test('with a negative amount is a penalty and may leave a debt', async () => {
    const before = await balance(user.walletId)
    const { body } = await oneOff(admin, user.walletId, { amount: -100.5, description: 'Chargeback fee' })
    expect(body).toMatchObject({ message: 'Penalty deducted from the wallet.', balance: before - 10_050 })
  })

  test.each([
    [{ amount: 'abc', description: 'x' }, 'amount'],
    [{ amount: 0, description: 'x' }, 'amount'],
    [{ amount: '1e3', description: 'x' }, 'amount'],
    [{ amount: 1.234, description: 'x' }, 'amount'],
    [{ description: 'x' }, 'amount'],
    [{ amount: 1 }, 'description'],
    [{ amount: 1, description: 'x'.repeat(1025) }, 'description'],
  ])('of %j is an error at %s and books nothing', async (body, field) => {
    const before = await balance(user.walletId)
    const answer = await oneOff(admin, user.walletId, body)
    expect({ status: answer.status, keys: Object.keys(answer.body.errors) }).toEqual({
      status: 422,
      keys: [field],
    })
    expect(await balance(user.walletId)).toBe(before)
  })

  test.each(['0.001', 'abc', '1e5', 1e15])('of %j is told that it is no amount', async (amount) => {
    const { body } = await oneOff(admin, user.walletId, { amount, description: 'x' })
    expect([body.errors.amount].flat()).toEqual(['Enter an amount such as 10 or 12.50.'])
  })

  test('is limited to customers: not oneself, colleagues, or an account one controls', async () => {
    const other = await makeStaff(app(), 'admin')
    const controlled = await makeUser(app())
    await makeController(app(), admin, controlled.walletId)
    for (const walletId of [admin.walletId, other.walletId, reseller.walletId, controlled.walletId]) {
      const body = { amount: 1, description: 'x' }
      expect((await oneOff(admin, walletId, body)).status).toBe(403)
      expect((await admin.call(`PUT /api/v4/wallets/${walletId}`, { body: { discount: null } })).status).toBe(
        403,
      )
    }
  })
})

describe('an amount booked by a reseller', () => {
  test("comes from the tenant's wallet, and a penalty goes there", async () => {
    const award = await oneOff(reseller, customer.walletId, { amount: '20,00', description: 'Welcome' })
    expect(award.body.balance).toBe(2000)
    expect(await balance(tenantWallet)).toBe(8000)
    await oneOff(reseller, customer.walletId, { amount: -5, description: 'Late' })
    expect(await balance(customer.walletId)).toBe(1500)
    expect(await balance(tenantWallet)).toBe(8500)
    const list = await reseller.call(`GET /api/v4/wallets/${tenantWallet}/transactions`)
    expect(list.body.list.map((one: { description: string }) => one.description)).toEqual([
      `Penalty for ${customer.email}`,
      `Bonus for ${customer.email}`,
      'Payment',
    ])
  })

  test('does not affect that wallet if an admin books it', async () => {
    const before = await balance(tenantWallet)
    await oneOff(admin, customer.walletId, { amount: 1, description: 'From us' })
    expect(await balance(tenantWallet)).toBe(before)
  })

  test('is limited to their own tenant', async () => {
    expect((await oneOff(reseller, user.walletId, { amount: 1, description: 'x' })).status).toBe(404)
  })
})

describe("a wallet's page", () => {
  test('shows what staff need without calling a provider', async () => {
    const { db } = app().database
    const now = app().clock.now()
    await db
      .insertInto('paymentCustomers')
      .values({ walletId: user.walletId, provider: 'mollie', id: 'cst_1', createdAt: now })
      .execute()
    const { status, body } = await admin.call(`GET /api/v4/wallets/${user.walletId}`)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      discount: 0,
      discount_description: '',
      mandate: { isValid: false, isDisabled: false },
      providerLink: 'cst_1',
      customer: { id: 'cst_1', url: 'https://my.mollie.com/dashboard/customers/cst_1' },
      canChangeMoney: true,
      // of 500 a day, less this admin's bookings to any wallet: 12.34, 100.50 and 1
      oneOffLimit: 50_000 - 1234 - 10_050 - 100,
      canUpdate: false,
    })
  })

  test("gives and removes only the tenant's discounts", async () => {
    const id = await makeDiscount(app(), { discount: 15, description: { en: 'Friends' } })
    const inactive = await makeDiscount(app(), { discount: 16, active: false })
    const foreign = await makeDiscount(app(), { discount: 17, tenantId: 9 })
    const put = (body: unknown) => admin.call(`PUT /api/v4/wallets/${user.walletId}`, { body })
    expect((await put({ discount: id, comment: 'asked' })).body).toMatchObject({
      status: 'success',
      discount: 15,
      discount_id: id,
      discount_description: 'Friends',
    })
    for (const wrong of [inactive, foreign, 'nonsense']) {
      expect((await put({ discount: wrong })).body.errors).toEqual({ discount: expect.any(String) })
    }
    expect((await put({})).body).toMatchObject({ discount: 15 })
    expect((await put({ discount: '' })).body).toMatchObject({ discount: 0, discount_id: null })
    const { body: log } = await admin.call(`GET /api/v4/eventlog/user/${user.id}`)
    expect(log.list[1]).toMatchObject({ kind: 'wallet.discount-changed', comment: 'asked' })
  })
})
