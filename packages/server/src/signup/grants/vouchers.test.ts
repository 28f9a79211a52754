import { beforeAll, expect, test } from 'vitest'
import { after, hour } from '../../platform/clock.ts'
import { makeDiscount, makeDomain } from '../../testing/factories.ts'
import { apply, finish } from '../../testing/signup/sign-up.ts'
import { bareStep, makePlan, makeToken } from '../../testing/signup/signup-ways.ts'
import { useTestApp } from '../../testing/test-app.ts'

const app = useTestApp()

beforeAll(async () => {
  await makeDomain(app(), 'example.test')
  await makeToken(app(), 'SESAME', await makePlan(app(), { title: 'club', mode: 'token' }))
})

const refused = { voucher: 'This voucher code isn’t valid or has expired.' }

async function makeVoucher(code: string, end: { limit?: number; expiresAt?: Date }): Promise<string> {
  const id = await makeDiscount(app(), { code, discount: 20 })
  await app()
    .database.db.updateTable('discounts')
    .set({ usageLimit: end.limit ?? null, expiresAt: end.expiresAt ?? null })
    .where('id', '=', id)
    .execute()
  return id
}

const usesOf = async (id: string) => {
  const row = await app()
    .database.db.selectFrom('discounts')
    .select('usageCount')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return row.usageCount
}

test('a voucher counts only accounts created with it, not previews', async () => {
  const id = await makeVoucher('COUNTED', { limit: 2 })
  const applicant = await apply(app())
  const step = bareStep('looks', { ...applicant, voucher: 'counted' })
  expect((await app().call('POST /api/auth/signup/validate', { body: step })).status).toBe(200)
  expect(await usesOf(id)).toBe(0)
  expect((await finish(app(), applicant, { voucher: 'counted' })).body.wallet).toMatchObject({ discount: 20 })
  expect(await usesOf(id)).toBe(1)
})

test('a used-up voucher is rejected, and earlier accounts keep their discount', async () => {
  await makeVoucher('ONCE', { limit: 1 })
  const { body } = await finish(app(), await apply(app()), { voucher: 'ONCE' })
  expect((await finish(app(), await apply(app()), { voucher: 'ONCE' })).body.errors).toEqual(refused)
  const info = await app().call('GET /api/auth/info', { token: body.access_token })
  expect(info.body.wallet.discount).toBe(20)
})

test("plans are shown with a voucher's discount, without using it or saying why another one gives none", async () => {
  const id = await makeVoucher('SHOWN', { limit: 1 })
  const discount = async (query: string) =>
    (await app().call(`GET /api/auth/signup/plans${query}`, { ip: '192.0.2.99' })).body.discount
  expect([await discount(''), await discount('?voucher=shown'), await discount('?voucher=NONE')]).toEqual([
    null,
    20,
    null,
  ])
  expect(await usesOf(id)).toBe(0)
  for (let guess = 0; guess < 50; guess++) await discount(`?voucher=guess${guess}`)
  expect(await discount('?voucher=SHOWN')).toBeNull()
})

test('a plan costs the same with a voucher as in the last step', async () => {
  await makeVoucher('PRICED', {})
  const plansOf = async (query: string): Promise<{ title: string; cost: number; price: number }[]> =>
    (await app().call(`GET /api/auth/signup/plans${query}`, { ip: '198.51.100.200' })).body.plans
  const plain = await plansOf('')
  expect(plain.length).toBeGreaterThan(0)
  for (const { cost, price } of plain) expect(price).toBe(cost)
  for (const { cost, price } of await plansOf('?voucher=PRICED')) expect(price).toBe(Math.floor(cost * 0.8))
})

test('a voucher expires at the exact time', async () => {
  await makeVoucher('SHORT', { expiresAt: after(app().clock.now(), hour) })
  const applicant = await apply(app(), { voucher: 'SHORT' })
  app().clock.advance(hour - 1)
  const step = bareStep('short', { ...applicant, voucher: 'SHORT' })
  expect((await app().call('POST /api/auth/signup/validate', { body: step })).status).toBe(200)
  app().clock.advance(1)
  const { status, body } = await app().call('POST /api/auth/signup', { body: step })
  expect({ status, errors: body.errors }).toEqual({ status: 422, errors: refused })
})

test('the last use of a voucher goes to exactly one of a hundred concurrent claims', async () => {
  const id = await makeVoucher('LAST', { limit: 1 })
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, n) =>
      app().call('POST /api/auth/signup', {
        body: bareStep(`claim${n}`, { plan: 'club', token: 'SESAME', voucher: 'LAST' }),
        ip: `198.51.100.${n}`,
      }),
    ),
  )
  const winners = answers.filter(({ status }) => status === 200)
  expect(winners).toHaveLength(1)
  expect(winners[0]?.body.wallet.discount).toBe(20)
  for (const { status, body } of answers.filter((answer) => answer !== winners[0])) {
    expect({ status, errors: body.errors }).toEqual({ status: 422, errors: refused })
  }
  expect(await usesOf(id)).toBe(1)
  const wallets = await app()
    .database.db.selectFrom('wallets')
    .select('id')
    .where('discountId', '=', id)
    .execute()
  expect(wallets).toHaveLength(1)
  const users = await app()
    .database.db.selectFrom('users')
    .select('id')
    .where('email', 'like', 'claim%')
    .execute()
  expect(users).toHaveLength(1)
})
