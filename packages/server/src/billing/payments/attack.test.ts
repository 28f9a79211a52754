import { beforeEach, describe, expect, test } from 'vitest'
import { deleteUser, giveMoney, signInAs } from '../../testing/factories.ts'
import { balanceOf } from '../../testing/payments/billing.ts'
import { beginMandate, chargesOf, makeMandate } from '../../testing/payments/mandates.ts'
import { makePayer, type Payer, sandboxOf, settleNow, statusOf } from '../../testing/payments/sandbox.ts'
import { useTestApp } from '../../testing/test-app.ts'
import { verifyLedger } from '../ledger/verify.ts'

const app = useTestApp()
const mandate = '/api/v4/payments/mandate'

let payer: Payer
let stranger: Payer

beforeEach(async () => {
  payer = await makePayer(app())
  stranger = await makePayer(app())
})

/** Number of a wallet's payments of any kind. */
async function countPayments(walletId: string): Promise<number> {
  const { db } = app().database
  return (await db.selectFrom('payments').select('id').where('walletId', '=', walletId).execute()).length
}

/** Invalid amounts, in every form that a client may send. */
const noAmounts: readonly (readonly [string, unknown])[] = [
  ['nothing', undefined],
  ['null', null],
  ['no text', ''],
  ['a blank', ' '],
  ['zero', 0],
  ['zero as text', '0,00'],
  ['below zero', -10],
  ['below zero as text', '-10'],
  ['a minus that is none', '−10'],
  ['a fraction of a cent', '10.001'],
  ['a number with a fraction of a cent', 10.001],
  ['thousands with a point and a comma', '1.000,00'],
  ['two commas', '1,0,0'],
  ['an exponent', '1e3'],
  ['a huge number', 1e21],
  ['a huge text', '9'.repeat(32)],
  ['a longer text than any', '9'.repeat(10_000)],
  ['more than is allowed', '10000000'],
  ['a hexadecimal number', '0x10'],
  ['digits of another script', '١٠'],
  ['a formula', '=10+10'],
  ['a list', [10]],
  ['an object', { amount: 10 }],
  ['true', true],
  ['a name of every object', '__proto__'],
]

describe.each(noAmounts)('%s as an amount', (_name, amount) => {
  test('is an error at its field, and no payment starts', async () => {
    const paid = await payer.call('POST /api/v4/payments', { amount })
    expect([paid.status, Object.keys(paid.body.errors)]).toEqual([422, ['amount']])
    const set = await payer.call(`POST ${mandate}`, { amount, balance: 0 })
    expect([set.status, Object.keys(set.body.errors)]).toEqual([422, ['amount']])
    expect(await countPayments(payer.walletId)).toBe(0)
  })
})

test.each([-1, '-1', 1e21, '1e3', null, [0], 'x'])('%j is no threshold', async (balance) => {
  const { status, body } = await payer.call(`POST ${mandate}`, { amount: 20, balance })
  expect([status, Object.keys(body.errors)]).toEqual([422, ['balance']])
})

test.each(['12,34', '12.34', 12.34])('%j is 1234 cents', async (amount) => {
  const { id } = await payer.pay(amount)
  const row = await app()
    .database.db.selectFrom('payments')
    .select('amount')
    .where('id', '=', id)
    .executeTakeFirst()
  expect(row?.amount).toBe(1234)
})

describe("another customer's payment", () => {
  test('is not found by its ID for any action, and stays unchanged', async () => {
    const { id, providerId } = await payer.pay(10)
    for (const name of [id, providerId, `${id}/`, `${id}%00`, id.toUpperCase()]) {
      expect((await stranger.call(`DELETE /api/v4/payments/${name}`)).status).toBe(404)
    }
    expect((await stranger.call('GET /api/v4/payments/status')).status).toBe(404)
    expect((await stranger.call('GET /api/v4/payments/pending')).body.list).toEqual([])
    expect(await statusOf(app(), id)).toBe('open')
  })

  test('credits only its own wallet, regardless of who completes it', async () => {
    const { id, providerId, url } = await payer.pay(10)
    // the page's secret is all that paying needs, as with a shared link
    expect((await app().call(`GET ${new URL(url).pathname}`)).status).toBe(200)
    await sandboxOf(app()).decide(providerId, 'paid')
    await app().jobs.drain()
    expect(await statusOf(app(), id)).toBe('paid')
    expect(await balanceOf(app(), payer.walletId)).toBe(1000)
    expect(await balanceOf(app(), stranger.walletId)).toBe(0)
  })

  test("can't be retrieved with an idempotency key of another customer", async () => {
    const send = async (who: Payer) => {
      const { access_token: token } = await signInAs(app(), who.user)
      const headers = { 'idempotency-key': 'a-key-of-somebody' }
      return app().call('POST /api/v4/payments', { token, headers, body: { amount: 10 } })
    }
    const [first, second] = [await send(payer), await send(stranger)]
    expect([first.status, second.status]).toEqual([200, 200])
    expect(second.body.id).not.toBe(first.body.id)
    expect(second.body.redirectUrl).not.toBe(first.body.redirectUrl)
  })
})

describe("the customer's own payment", () => {
  test('sent twice simultaneously with one key is created once', async () => {
    const { access_token: token } = await signInAs(app(), payer.user)
    const headers = { 'idempotency-key': 'pressed-twice' }
    const send = () => app().call('POST /api/v4/payments', { token, headers, body: { amount: 10 } })
    const answers = await Promise.all([send(), send(), send()])
    for (const { status } of answers) expect([200, 409]).toContain(status)
    expect(await countPayments(payer.walletId)).toBe(1)
  })

  test("can't be cancelled once paid, nor by the ID of its refund", async () => {
    const { id, providerId } = await payer.pay(10)
    await sandboxOf(app()).decide(providerId, 'paid')
    await settleNow(app(), id)
    await sandboxOf(app()).refund(providerId, 400, `refund-${id}`)
    await settleNow(app(), id)
    const { db } = app().database
    const back = await db
      .selectFrom('payments')
      .select('id')
      .where('refundOf', '=', id)
      .executeTakeFirstOrThrow()
    for (const name of [id, back.id]) {
      const { status } = await payer.call(`DELETE /api/v4/payments/${name}`)
      expect([404, 409]).toContain(status)
    }
    expect(await statusOf(app(), id)).toBe('paid')
    expect(await balanceOf(app(), payer.walletId)).toBe(600)
  })

  test('that is paid while being cancelled ends in exactly one of the two states', async () => {
    const { id, providerId } = await payer.pay(10)
    const [, answer] = await Promise.all([
      sandboxOf(app())
        .decide(providerId, 'paid')
        .catch(() => false),
      payer.call(`DELETE /api/v4/payments/${id}`),
    ])
    await app().jobs.drain()
    await settleNow(app(), id)
    const status = await statusOf(app(), id)
    expect([200, 409]).toContain(answer.status)
    expect(await balanceOf(app(), payer.walletId)).toBe(status === 'paid' ? 1000 : 0)
    expect(['paid', 'canceled']).toContain(status)
  })

  test('that arrives for a deleted account is booked without errors', async () => {
    const { id, providerId } = await payer.pay(10)
    await deleteUser(app(), payer.user)
    await sandboxOf(app()).decide(providerId, 'paid')
    await app().jobs.drain()
    expect(await statusOf(app(), id)).toBe('paid')
    expect(await verifyLedger(app().database.db)).toEqual([])
  })
})

describe('auto-payment', () => {
  test('changed in many tabs simultaneously charges once', async () => {
    await giveMoney(app(), payer.walletId, 1500)
    await makeMandate(app(), payer, { amount: 20, balance: 10 })
    await giveMoney(app(), payer.walletId, -600)
    const change = () => payer.call(`PUT ${mandate}`, { amount: 20, balance: 10 })
    const answers = await Promise.all(Array.from({ length: 8 }, change))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    await app().jobs.drain()
    expect((await chargesOf(app(), payer.walletId)).map(({ status }) => status)).toEqual(['paid'])
    expect(await balanceOf(app(), payer.walletId)).toBe(2900)
  })

  test('set up successfully in two tabs keeps one mandate and revokes the other', async () => {
    await giveMoney(app(), payer.walletId, 5000)
    const [one, other] = [await beginMandate(app(), payer), await beginMandate(app(), payer)]
    for (const { providerId } of [one, other]) await sandboxOf(app()).decide(providerId, 'paid')
    await app().jobs.drain()
    const { db } = app().database
    const rows = await db
      .selectFrom('sandboxPayments')
      .select('mandateId')
      .where('id', 'in', [one.providerId, other.providerId])
      .execute()
    const living = await Promise.all(rows.map((row) => sandboxOf(app()).readMandate(row.mandateId ?? '')))
    expect(living.filter((found) => found !== undefined)).toHaveLength(1)
    expect((await payer.call(`GET ${mandate}`)).body).toMatchObject({ isValid: true })
  })

  test('of another customer is inaccessible', async () => {
    await giveMoney(app(), payer.walletId, 5000)
    await makeMandate(app(), payer)
    expect((await stranger.call(`GET ${mandate}`)).body).not.toHaveProperty('id')
    expect((await stranger.call(`PUT ${mandate}`, { amount: 20, balance: 10 })).status).toBe(404)
    expect((await stranger.call(`DELETE ${mandate}`)).status).toBe(404)
    expect((await payer.call(`GET ${mandate}`)).body).toMatchObject({ isValid: true })
  })
})
