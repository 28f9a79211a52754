import { beforeAll, describe, expect, test } from 'vitest'
import { chargeWallet } from '../../billing/charging/charge.ts'
import {
  type MadeUser,
  makeDiscount,
  makeDomain,
  makeTenant,
  makeTenantHost,
  makeUser,
  signInAs,
  strongPassword,
} from '../../testing/factories.ts'
import { makeUnits } from '../../testing/payments/billing.ts'
import { type MadeStaff, makeStaff } from '../../testing/staff.ts'
import { useTestApp } from '../../testing/test-app.ts'

const app = useTestApp()
let admin: MadeStaff
let reseller: MadeStaff
let customer: MadeUser

beforeAll(async () => {
  await makeDomain(app(), 'example.test')
  const tenantId = await makeTenant(app(), 9)
  admin = await makeStaff(app(), 'admin')
  reseller = await makeStaff(app(), 'reseller', tenantId)
  customer = await makeUser(app(), { tenantId, plan: null })
  const { db } = app().database
  await db.updateTable('tenants').set({ walletId: reseller.walletId }).where('id', '=', tenantId).execute()
})

test("mails about a customer use the tenant's name and addresses", async () => {
  const guest = await makeUser(app(), { tenantId: 9, settings: { external_email: 'guest@elsewhere.test' } })
  await admin.call('PUT /api/v4/tenants/9', {
    body: {
      'app.name': 'Partner Mail',
      'mail.sender.address': 'hello@partner.test',
    },
  })
  await makeDomain(app(), 'partner.test', { tenantId: 9 })
  await makeTenantHost(app(), 9, 'https://mail.partner.test')
  await app().call('POST /api/auth/password-reset/init', { body: { email: guest.email } })
  const [mail] = await app().mails()
  expect(mail?.subject).toContain('Partner Mail')
  expect(mail?.text).toContain('https://mail.partner.test/password-reset/')
  expect(JSON.stringify(mail)).toContain('hello@partner.test')
})

describe('a reseller', () => {
  test('sees only their own tenant', async () => {
    const { body } = await reseller.call('GET /api/v4/tenants')
    expect(body.list).toMatchObject([
      { id: 9, title: 'tenant 9', canChangeSettings: true, canChangeLimits: false, usage: { users: 2 } },
    ])
    expect((await reseller.call('GET /api/v4/tenants/0')).status).toBe(404)
    expect((await reseller.call('PUT /api/v4/tenants/0', { body: { 'app.name': 'x' } })).status).toBe(404)
    const limits = await reseller.call('PUT /api/v4/tenants/9/limits', { body: { users: 1 } })
    expect(limits.status).toBe(404)
  })

  test("changes the tenant's details; omitted ones are kept, empty ones removed", async () => {
    const put = (body: unknown) => reseller.call('PUT /api/v4/tenants/9', { body })
    await put({ 'app.name': 'Partner', 'app.support_url': 'https://help.partner.test' })
    await put({ 'app.name': '' })
    const { body } = await reseller.call('GET /api/v4/tenants/9')
    expect(body.settings).toMatchObject({ 'app.name': null, 'app.support_url': 'https://help.partner.test' })
    const wrong = await put({ 'app.url': 'javascript:alert(1)', 'mail.sender.address': 'nobody' })
    expect(Object.keys(wrong.body.errors).sort()).toEqual(['app.url', 'mail.sender.address'])
  })

  test('creates and deactivates discounts of their own tenant', async () => {
    const post = (body: unknown) => reseller.call('POST /api/v4/tenants/9/discounts', { body })
    const made = await post({ discount: 20, description: 'Spring', code: 'spring' })
    expect(made.status).toBe(200)
    expect((await post({ discount: 5, description: 'Again', code: 'SPRING' })).body.errors).toEqual({
      code: 'This code is already in use.',
    })
    const foreign = await makeDiscount(app(), { discount: 1 })
    const put = (id: string) =>
      reseller.call(`PUT /api/v4/tenants/9/discounts/${id}`, { body: { active: false } })
    expect((await put(made.body.id)).status).toBe(200)
    expect((await put(foreign)).status).toBe(404)
    const { body } = await reseller.call('GET /api/v4/tenants/9/catalogue')
    expect(body.discounts).toMatchObject([{ discount: 20, code: 'SPRING', active: false, wallets: 0 }])
  })
})

test('a settlement lists for each customer what was charged, owed and left, and matches the ledger', async () => {
  const { db } = app().database
  await makeUnits(app(), customer.walletId, [
    { cost: 500, fee: 300, createdAt: new Date('2026-02-01T00:00:00Z') },
    { cost: 100, fee: 160, createdAt: new Date('2026-02-02T00:00:00Z') },
  ])
  await db.transaction().execute((trx) => chargeWallet(trx, customer.walletId, { now: app().clock.now() }))
  const { body } = await reseller.call('GET /api/v4/tenants/9/settlements/2026-03')
  expect(body).toEqual({
    period: '2026-03',
    currency: 'CHF',
    charged: 600,
    fees: 460,
    profit: 140,
    lines: [{ userId: customer.id, email: customer.email, charged: 600, fees: 460, profit: 140 }],
  })
  const wallet = await reseller.call('GET /api/v4/tenants/9')
  expect(wallet.body.wallet.balance).toBe(140)
  const list = await reseller.call('GET /api/v4/tenants/9/settlements')
  expect(list.body.list).toEqual([
    { period: '2026-03', currency: 'CHF', charged: 600, fees: 460, profit: 140 },
  ])
  const csv = await reseller.call('GET /api/v4/tenants/9/settlements/2026-03/csv')
  expect(csv.body).toBe(
    `"Customer","Address","Charged","Fees","Profit","Currency"\r\n${customer.id},"${customer.email}",6.00,4.60,1.40,"CHF"\r\n`,
  )
  expect((await reseller.call('GET /api/v4/tenants/9/settlements/2026-13')).status).toBe(404)
})

test('limits are set by an admin and enforced for orders', async () => {
  const owner = await makeUser(app(), { plan: 'group' })
  const { access_token: token } = await signInAs(app(), owner)
  await makeDomain(app(), 'limited.test', { type: 4, status: 50, walletId: owner.walletId })
  const { body: catalogue } = await app().call('GET /api/v4/packages', { token })
  const packageId = catalogue.find((item: { isDomain: boolean }) => !item.isDomain).id
  const create = (login: string) =>
    app().call('POST /api/v4/users', {
      token,
      body: {
        email: `${login}@limited.test`,
        package: packageId,
        password: strongPassword,
        password_confirmation: strongPassword,
      },
    })
  expect((await create('first')).status).toBe(200)
  const { body } = await admin.call('GET /api/v4/tenants/0')
  const { users, storage, spend } = body.usage
  const put = (limits: unknown) => admin.call('PUT /api/v4/tenants/0/limits', { body: limits })
  expect((await put({ users })).status).toBe(200)
  const refused = await create('second')
  expect({ status: refused.status, errors: refused.body.errors }).toEqual({
    status: 422,
    errors: { package: 'Your provider has reached its user limit. Contact your provider.' },
  })
  await put({ users: null, storage })
  expect((await create('second')).body.errors).toEqual({
    package: 'Your provider has reached its storage limit. Contact your provider.',
  })
  await put({ storage: null, spend })
  expect((await create('second')).body.errors).toEqual({
    package: 'Your provider has reached its monthly spending limit. Contact your provider.',
  })
  await put({ spend: null })
  expect((await create('second')).status).toBe(200)
})
