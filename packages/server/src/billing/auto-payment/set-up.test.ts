import { hasBit, userStatus } from '@gatehouse/contract/status'
import { describe, expect, test } from 'vitest'
import { day } from '../../platform/clock.ts'
import { signInAs } from '../../testing/factories.ts'
import { autoPaymentDesk } from '../../testing/payments/auto-payment-desk.ts'
import { balanceOf } from '../../testing/payments/billing.ts'
import { beginMandate, chargesOf, checkWalletNow, makeMandate } from '../../testing/payments/mandates.ts'
import { makePayer, type Payer, sandboxOf } from '../../testing/payments/sandbox.ts'
import { useTestApp } from '../../testing/test-app.ts'

const app = useTestApp()
const route = '/api/v4/payments/mandate'
const { makeReader, mandateOf, statuses, subjects, withoutAnswer } = autoPaymentDesk(app)

describe('a set-up', () => {
  test.each(['failed', 'canceled', 'expired'] as const)(
    'that is %s leaves nothing behind',
    async (outcome) => {
      const payer = await makeReader(5000)
      const { providerId } = await beginMandate(app(), payer)
      await sandboxOf(app()).decide(providerId, outcome)
      await app().jobs.drain()
      const shown = await mandateOf(payer)
      expect(shown).toMatchObject({ isValid: false, isDisabled: false, amount: 20, balance: 10 })
      expect(shown).not.toHaveProperty('id')
      expect(await subjects(payer.user.email)).toEqual([])
    },
  )

  test('that is slow is pending until it succeeds', async () => {
    const payer = await makeReader(5000)
    const { providerId } = await beginMandate(app(), payer)
    await sandboxOf(app()).decide(providerId, 'pending')
    await app().jobs.drain()
    expect(await mandateOf(payer)).toMatchObject({ isPending: true, isValid: false })
    await sandboxOf(app()).decide(providerId, 'paid')
    await app().jobs.drain()
    expect(await mandateOf(payer)).toMatchObject({ isPending: false, isValid: true })
  })

  test('that fails leaves the current mandate unchanged', async () => {
    const payer = await makeReader(5000)
    const first = await makeMandate(app(), payer, { amount: 20, balance: 10 })
    const { providerId } = await beginMandate(app(), payer, { amount: 90, balance: 40 })
    expect(await mandateOf(payer)).toMatchObject({ id: first, isValid: true, isPending: false, amount: 20 })
    await sandboxOf(app()).decide(providerId, 'failed')
    await app().jobs.drain()
    expect(await mandateOf(payer)).toMatchObject({ id: first, isValid: true, amount: 20, balance: 10 })
    expect(await sandboxOf(app()).readMandate(first)).toBeDefined()
  })

  test('that succeeds replaces the current mandate, which is revoked at the provider', async () => {
    const payer = await makeReader(5000)
    const first = await makeMandate(app(), payer, { amount: 20, balance: 10 })
    const second = await makeMandate(app(), payer, { amount: 90, balance: 40, card: 'slow' })
    expect(second).not.toBe(first)
    expect(await mandateOf(payer)).toMatchObject({ method: 'Visa •••• 0077', amount: 90, balance: 40 })
    expect(await sandboxOf(app()).readMandate(first)).toBeUndefined()
    expect(await sandboxOf(app()).readMandate(second)).toBeDefined()
  })

  test('started in two windows creates the mandate of the one that succeeds', async () => {
    const payer = await makeReader(5000)
    const older = await beginMandate(app(), payer, { amount: 20 })
    const newer = await beginMandate(app(), payer, { amount: 30 })
    await sandboxOf(app()).decide(older.providerId, 'paid')
    await app().jobs.drain()
    const shown = await mandateOf(payer)
    expect(shown).toMatchObject({ isValid: true, isPending: false, amount: 20 })
    await sandboxOf(app()).decide(newer.providerId, 'canceled')
    await app().jobs.drain()
    expect(await mandateOf(payer)).toEqual(shown)
  })

  test('that succeeds after auto-payment was ended is revoked at the provider', async () => {
    const payer = await makeReader(5000)
    const { providerId } = await beginMandate(app(), payer)
    expect((await payer.call(`DELETE ${route}`)).status).toBe(200)
    expect(await mandateOf(payer)).not.toHaveProperty('id')
    await sandboxOf(app()).decide(providerId, 'paid')
    await app().jobs.drain()
    expect(await mandateOf(payer)).toMatchObject({ isValid: false })
    const { mandateId } = await app()
      .database.db.selectFrom('sandboxPayments')
      .select('mandateId')
      .where('id', '=', providerId)
      .executeTakeFirstOrThrow()
    expect(mandateId).not.toBeNull()
    expect(await sandboxOf(app()).readMandate(mandateId ?? '')).toBeUndefined()
  })

  test('with a first payment is not followed by a second one on the same day', async () => {
    const payer = await makeReader(0)
    await makeMandate(app(), payer, { amount: 20, balance: 50 })
    await checkWalletNow(app(), payer.walletId)
    expect(await balanceOf(app(), payer.walletId)).toBe(2000)
    expect(await chargesOf(app(), payer.walletId)).toEqual([])
    app().clock.advance(day)
    await checkWalletNow(app(), payer.walletId)
    expect(await balanceOf(app(), payer.walletId)).toBe(4000)
  })
})

describe('a locked account', () => {
  test('is unlocked by its set-up, and stays locked without it', async () => {
    const payer = await makePayer(app(), { status: userStatus.new | userStatus.restricted })
    await lockIntoPlan(payer)
    const { email, password } = payer.user
    const isLocked = async () =>
      (await app().call('POST /api/auth/login', { body: { email, password } })).body.isLocked
    expect(await isLocked()).toBe(true)
    const { access_token: token } = await signInAs(app(), payer.user)
    const reset = async () => (await app().call(`POST ${route}/reset`, { token, body: {} })).body.id as string
    const sandboxId = async (paymentId: string) =>
      (
        await app()
          .database.db.selectFrom('payments')
          .select('providerId')
          .where('id', '=', paymentId)
          .executeTakeFirstOrThrow()
      ).providerId ?? ''
    await sandboxOf(app()).decide(await sandboxId(await reset()), 'failed')
    await app().jobs.drain()
    expect(await isLocked()).toBe(true)
    await sandboxOf(app()).decide(await sandboxId(await reset()), 'paid')
    await app().jobs.drain()
    expect(await isLocked()).toBe(false)
    const { status } = await app()
      .database.db.selectFrom('users')
      .select('status')
      .where('id', '=', payer.user.id)
      .executeTakeFirstOrThrow()
    expect(hasBit(status, userStatus.restricted)).toBe(false)
  })
})

/** Assigns a plan whose accounts can only be paid by auto-payment. */
async function lockIntoPlan(payer: Payer): Promise<void> {
  const { db } = app().database
  const plan = await db.selectFrom('plans').select('id').where('mode', '=', 'mandate').executeTakeFirst()
  const id = plan?.id ?? (await makeMandatePlan())
  await db.insertInto('userSettings').values({ userId: payer.user.id, key: 'plan_id', value: id }).execute()
}

async function makeMandatePlan(): Promise<string> {
  const { db } = app().database
  const row = await db
    .updateTable('plans')
    .set({ mode: 'mandate' })
    .where('title', '=', 'group')
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

describe('ending auto-payment', () => {
  test('takes effect locally at once during an outage, and at the provider as soon as it responds', async () => {
    const payer = await makeReader(1500)
    const id = await makeMandate(app(), payer)
    await withoutAnswer(['revokeMandate'], async () => {
      expect((await payer.call(`DELETE ${route}`)).status).toBe(200)
      await app().jobs.drain()
    })
    expect(await mandateOf(payer)).not.toHaveProperty('id')
    expect(await sandboxOf(app()).readMandate(id)).toBeDefined()
    await app().database.pool.query(
      `update graphile_worker._private_jobs set run_at = now() - interval '1 second'`,
    )
    await app().jobs.drain()
    expect(await sandboxOf(app()).readMandate(id)).toBeUndefined()
  })

  test('happens when the account is deleted', async () => {
    const payer = await makeReader(1500)
    const id = await makeMandate(app(), payer)
    expect((await payer.call(`DELETE /api/v4/users/${payer.user.id}?forfeit=1500`)).status).toBe(200)
    await app().jobs.drain()
    expect(await sandboxOf(app()).readMandate(id)).toBeUndefined()
    expect(await statuses(payer)).toEqual([])
  })
})
