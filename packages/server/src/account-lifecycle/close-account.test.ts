import { beforeAll, describe, expect, test } from 'vitest'
import { post } from '../billing/ledger/post.ts'
import { verifyLedger } from '../billing/ledger/verify.ts'
import { listAlarms } from '../billing/payments/settlement/alarm-store.ts'
import { day } from '../platform/clock.ts'
import { giveMoney, makeDomain, makeUser, signInAs } from '../testing/factories.ts'
import { balanceOf, makeUnits } from '../testing/payments/billing.ts'
import { makePayer, type Payer, sandboxOf, settleNow, statusOf } from '../testing/payments/sandbox.ts'
import { useTestApp } from '../testing/test-app.ts'
import { Retention } from '../users/retention.ts'
import { restoreAccount } from './restore-account.ts'

/** Effects on users, payments and balance when an owner closes the account. */

const app = useTestApp()

beforeAll(() => makeDomain(app(), 'example.test'))

const close = async (payer: Payer, forfeit?: number) => {
  const query = forfeit === undefined ? '' : `?forfeit=${forfeit}`
  expect((await payer.call(`DELETE /api/v4/users/${payer.user.id}${query}`)).status).toBe(200)
}

const entriesOf = (walletId: string) =>
  app()
    .database.db.selectFrom('ledgerEntries')
    .select(['description', 'amount', 'account', 'balance'])
    .where('walletId', '=', walletId)
    .orderBy('number')
    .execute()

/** Completes a payment at the provider although the account is closed. */
async function paidAllTheSame(payer: Payer, amount: number) {
  const payment = await payer.pay(amount)
  await close(payer)
  await app().jobs.drain()
  // the transfer was already in progress
  await sandboxOf(app()).force(payment.providerId, 'paid')
  await settleNow(app(), payment.id)
  return payment
}

test('all users of a closed account are signed out and rejected immediately', async () => {
  const payer = await makePayer(app())
  const member = await makeUser(app(), { walletId: payer.walletId, plan: null })
  const { access_token: token, refresh_token } = await signInAs(app(), member)
  expect((await app().call('GET /api/auth/info', { token })).status).toBe(200)
  await close(payer)
  // before any job has run
  expect((await app().call('GET /api/auth/info', { token })).status).toBe(401)
  expect((await app().call('POST /api/auth/refresh', { body: { refresh_token } })).status).toBe(401)
  const { email, password } = member
  expect((await app().call('POST /api/auth/login', { body: { email, password } })).status).toBe(401)
})

describe('an open payment', () => {
  test('is cancelled at the provider when the account is closed', async () => {
    const payer = await makePayer(app())
    const { id, providerId } = await payer.pay(50)
    await close(payer)
    await app().jobs.drain()
    expect(await statusOf(app(), id)).toBe('canceled')
    expect((await sandboxOf(app()).readPayment(providerId))?.status).toBe('canceled')
  })

  test('is refunded if it is paid anyway', async () => {
    const payer = await makePayer(app())
    const { providerId } = await paidAllTheSame(payer, 50)
    await app().jobs.drain()
    expect(await balanceOf(app(), payer.walletId)).toBe(0)
    expect((await sandboxOf(app()).readPayment(providerId))?.reversals).toMatchObject([{ amount: 5000 }])
    expect((await entriesOf(payer.walletId)).map(({ description }) => description)).toEqual([
      'payment',
      'refund',
    ])
  })

  test('first settles what the account still owes if it is paid anyway', async () => {
    const payer = await makePayer(app())
    const { database, clock } = app()
    const { walletId } = payer
    await post(database.db, clock, { walletId, type: 'penalty', amount: 1200, key: 'owed', text: 'penalty' })
    const { providerId } = await paidAllTheSame(payer, 50)
    await app().jobs.drain()
    expect(await balanceOf(app(), payer.walletId)).toBe(0)
    expect((await sandboxOf(app()).readPayment(providerId))?.reversals).toMatchObject([{ amount: 3800 }])
  })

  test("raises an alert for staff if it is paid anyway and can't be refunded", async () => {
    const payer = await makePayer(app())
    const { id } = await paidAllTheSame(payer, 50)
    // the provider no longer knows it
    await app().database.db.updateTable('payments').set({ provider: 'gone' }).where('id', '=', id).execute()
    await app().jobs.drain()
    const alarms = await listAlarms(app().database.db)
    expect(alarms.filter((alarm) => alarm.paymentId === id)).toMatchObject([
      { kind: 'closed-account', facts: { wallet: payer.walletId, balance: 5000 } },
    ])
  })
})

describe('the balance of a closed account', () => {
  test('is forfeited with a ledger entry and a mail', async () => {
    const payer = await makePayer(app(), { settings: { external_email: 'ada@elsewhere.test' } })
    await giveMoney(app(), payer.walletId, 1234)
    await close(payer, 1234)
    const mail = (await app().mails()).find(({ to }) =>
      to.some((one) => one.address === 'ada@elsewhere.test'),
    )
    expect(await balanceOf(app(), payer.walletId)).toBe(0)
    expect((await entriesOf(payer.walletId)).at(-1)).toEqual({
      description: 'forfeit',
      amount: -1234,
      account: 'forfeits',
      balance: 0,
    })
    expect(mail?.subject).toBe('Your Gatehouse account has been closed')
    expect(mail?.text).toMatch(/remaining balance of CHF\s12\.34 is forfeited/)
    expect(mail?.text).not.toContain('/wallet')
  })

  test('is returned when the account is restored', async () => {
    const payer = await makePayer(app())
    await giveMoney(app(), payer.walletId, 700)
    await close(payer, 700)
    await app().jobs.drain()
    const { database, clock } = app()
    const retention = new Retention(clock, 30)
    await restoreAccount({ db: database.db, clock, retention }, payer.user.id)
    expect(await balanceOf(app(), payer.walletId)).toBe(700)
    clock.advance(60)
    await close(payer, 700)
    await app().jobs.drain()
    expect((await entriesOf(payer.walletId)).map(({ description }) => description).slice(1)).toEqual([
      'forfeit',
      'forfeit-back',
      'forfeit',
    ])
  })

  test("must be acknowledged at its current amount, less the last days' charges", async () => {
    const payer = await makePayer(app())
    const { walletId, user } = payer
    const path = `/api/v4/users/${user.id}`
    const createdAt = new Date(app().clock.now().getTime() - 20 * day * 1000)
    await makeUnits(app(), walletId, [{ cost: 3100, createdAt, objectId: user.id }])
    await giveMoney(app(), walletId, 5000)
    const { body: preview } = await payer.call(`POST ${path}/preview`, { delete: true })
    expect(preview.dueNow).toBeGreaterThan(0)
    expect(preview.forfeit).toBe(5000 - preview.dueNow)
    const question = { type: 'user', action: 'delete', id: user.id }
    expect((await payer.call('POST /api/v4/subscriptions/preview', question)).body).toEqual(preview)
    for (const query of ['', `?forfeit=${preview.forfeit - 1}`]) {
      const refused = await payer.call(`DELETE ${path}${query}`)
      expect(refused).toMatchObject({ status: 422, body: { errors: { forfeit: expect.any(String) } } })
      expect(refused.body.errors.forfeit).toContain(`set “forfeit” to ${preview.forfeit}.`)
    }
    await giveMoney(app(), walletId, 500)
    expect((await payer.call(`DELETE ${path}?forfeit=${preview.forfeit}`)).status).toBe(422)
    await close(payer, preview.forfeit + 500)
    await app().jobs.drain()
    expect((await entriesOf(walletId)).at(-1)).toMatchObject({
      description: 'forfeit',
      amount: -(preview.forfeit + 500),
    })
  })

  test('needs neither an entry nor a mail if it is zero', async () => {
    const payer = await makePayer(app(), { settings: { external_email: 'poor@elsewhere.test' } })
    await close(payer)
    const mails = (await app().mails()).filter(({ to }) => to.some((one) => one.address.startsWith('poor')))
    expect(mails).toEqual([])
    expect(await entriesOf(payer.walletId)).toEqual([])
  })
})

test('the ledger of closed accounts is consistent', async () => {
  expect(await verifyLedger(app().database.db)).toEqual([])
})
