import { formatPrice } from '@gatehouse/contract/price'
import { hasBit, userStatus } from '@gatehouse/contract/status'
import { describe, expect, test } from 'vitest'
import { day, minute } from '../../platform/clock.ts'
import { balanceOf, makeUnits } from '../../testing/billing.ts'
import {
  giveMoney,
  makeController,
  makeDiscount,
  makeUser,
  setStatus,
  signInAs,
} from '../../testing/factories.ts'
import {
  beginMandate,
  chargesOf,
  checkWalletNow,
  makeMandate,
  sandboxCharges,
} from '../../testing/mandates.ts'
import { makePayer, type Payer, sandboxOf } from '../../testing/sandbox.ts'
import { useTestApp } from '../../testing/test-app.ts'
import { chargeJob } from '../billing-jobs.ts'
import { verifyLedger } from '../ledger/verify.ts'
import { ProviderUnavailable } from '../payments/provider-errors.ts'

const app = useTestApp()
const route = '/api/v4/payments/mandate'
const ready = userStatus.new | userStatus.active | userStatus.imapReady

const mandateOf = async (payer: Payer) => (await payer.call(`GET ${route}`)).body
const statuses = async (payer: Payer) => (await chargesOf(app(), payer.walletId)).map(({ status }) => status)

/** Somebody with a mailbox of the own, who gets mails there, and so much money. */
async function makeReader(cents: number): Promise<Payer> {
  const payer = await makePayer(app(), { status: ready })
  const createdAt = app().clock.now()
  await makeUnits(app(), payer.walletId, [{ cost: 0, createdAt, objectId: payer.user.id }])
  if (cents !== 0) await giveMoney(app(), payer.walletId, cents)
  return payer
}

/** Subjects of the mails that somebody has, in any order. */
async function subjects(address: string): Promise<string[]> {
  const mails = await app().mails()
  return mails.filter((mail) => mail.to.some((to) => to.address === address)).map((mail) => mail.subject)
}

/** The charge that the sandbox made last for a wallet. */
async function lastCharge(payer: Payer): Promise<string> {
  const charge = (await sandboxCharges(app(), payer.walletId)).at(-1)
  if (charge === undefined) throw new Error('nothing was charged')
  return charge.id
}

/** While `act` runs the provider answers nothing to these calls. */
async function withoutAnswer<T>(calls: readonly string[], act: () => Promise<T>): Promise<T> {
  const sandbox = sandboxOf(app())
  sandbox.trouble = {
    before: (call) => {
      if (calls.includes(call)) throw new ProviderUnavailable('sandbox', `${call}: no answer`)
    },
  }
  try {
    return await act()
  } finally {
    sandbox.trouble = {}
  }
}

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

  test('that takes its time is pending until it succeeds', async () => {
    const payer = await makeReader(5000)
    const { providerId } = await beginMandate(app(), payer)
    await sandboxOf(app()).decide(providerId, 'pending')
    await app().jobs.drain()
    expect(await mandateOf(payer)).toMatchObject({ isPending: true, isValid: false })
    await sandboxOf(app()).decide(providerId, 'paid')
    await app().jobs.drain()
    expect(await mandateOf(payer)).toMatchObject({ isPending: false, isValid: true })
  })

  test('that fails takes nothing from the mandate that there is', async () => {
    const payer = await makeReader(5000)
    const first = await makeMandate(app(), payer, { amount: 20, balance: 10 })
    const { providerId } = await beginMandate(app(), payer, { amount: 90, balance: 40 })
    expect(await mandateOf(payer)).toMatchObject({ id: first, isValid: true, isPending: false, amount: 20 })
    await sandboxOf(app()).decide(providerId, 'failed')
    await app().jobs.drain()
    expect(await mandateOf(payer)).toMatchObject({ id: first, isValid: true, amount: 20, balance: 10 })
    expect(await sandboxOf(app()).readMandate(first)).toBeDefined()
  })

  test('that succeeds takes the place of the mandate that there is, which is ended at the provider', async () => {
    const payer = await makeReader(5000)
    const first = await makeMandate(app(), payer, { amount: 20, balance: 10 })
    const second = await makeMandate(app(), payer, { amount: 90, balance: 40, card: 'slow' })
    expect(second).not.toBe(first)
    expect(await mandateOf(payer)).toMatchObject({ method: 'Visa •••• 0077', amount: 90, balance: 40 })
    expect(await sandboxOf(app()).readMandate(first)).toBeUndefined()
    expect(await sandboxOf(app()).readMandate(second)).toBeDefined()
  })

  test('begun in two windows is the one that succeeds', async () => {
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

  test('that succeeds after auto-payment was given up is ended at the provider', async () => {
    const payer = await makeReader(5000)
    const { providerId } = await beginMandate(app(), payer)
    expect((await payer.call(`DELETE ${route}`)).status).toBe(200)
    expect(await mandateOf(payer)).not.toHaveProperty('id')
    await sandboxOf(app()).decide(providerId, 'paid')
    await app().jobs.drain()
    expect(await mandateOf(payer)).toMatchObject({ isValid: false })
    const { mandate_id: mandateId } = await app()
      .database.db.selectFrom('sandbox_payments')
      .select('mandate_id')
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
  test('is opened by its set-up, and stays locked without', async () => {
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
          .select('provider_id')
          .where('id', '=', paymentId)
          .executeTakeFirstOrThrow()
      ).provider_id ?? ''
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

/** Puts an account into a plan whose accounts pay by auto-payment alone. */
async function lockIntoPlan(payer: Payer): Promise<void> {
  const { db } = app().database
  const plan = await db.selectFrom('plans').select('id').where('mode', '=', 'mandate').executeTakeFirst()
  const id = plan?.id ?? (await makeMandatePlan())
  await db.insertInto('user_settings').values({ user_id: payer.user.id, key: 'plan_id', value: id }).execute()
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

describe('a wallet that falls below its threshold', () => {
  test('is charged at its next look, its owner told, and charged no more', async () => {
    const payer = await makeReader(1500)
    await makeMandate(app(), payer)
    await giveMoney(app(), payer.walletId, -600)
    await checkWalletNow(app(), payer.walletId)
    await checkWalletNow(app(), payer.walletId)
    expect(await statuses(payer)).toEqual(['paid'])
    expect(await balanceOf(app(), payer.walletId)).toBe(2900)
    expect(await subjects(payer.user.email)).toEqual([
      `Automatic payment of ${formatPrice(2000, 'CHF', 'en')} for Gatehouse`,
    ])
    expect(await verifyLedger(app().database.db)).toEqual([])
  })

  test('is found by the clock', async () => {
    const payer = await makeReader(1500)
    await makeMandate(app(), payer)
    await giveMoney(app(), payer.walletId, -600)
    await app().jobs.enqueue(app().database.db, chargeJob, {})
    await app().jobs.drain()
    expect(await statuses(payer)).toEqual(['paid'])
  })

  test('exactly at the threshold is left alone', async () => {
    const payer = await makeReader(1500)
    await makeMandate(app(), payer)
    await giveMoney(app(), payer.walletId, -500)
    await checkWalletNow(app(), payer.walletId)
    expect(await statuses(payer)).toEqual([])
  })

  test('is charged once while the bank takes its time, and credited when that is over', async () => {
    const payer = await makeReader(1500)
    await makeMandate(app(), payer, { card: 'slow' })
    await giveMoney(app(), payer.walletId, -600)
    for (let days = 0; days < 4; days++) {
      await checkWalletNow(app(), payer.walletId)
      app().clock.advance(day)
    }
    expect(await statuses(payer)).toEqual(['pending'])
    expect(await balanceOf(app(), payer.walletId)).toBe(900)
    await sandboxOf(app()).decide(await lastCharge(payer), 'paid')
    await app().jobs.drain()
    expect(await statuses(payer)).toEqual(['paid'])
    expect(await balanceOf(app(), payer.walletId)).toBe(2900)
    expect(await mandateOf(payer)).toMatchObject({ isDisabled: false })
  })

  test('whose payment fails late is charged no more until its owner looks at it', async () => {
    const payer = await makeReader(1500)
    await makeMandate(app(), payer, { card: 'slow' })
    await giveMoney(app(), payer.walletId, -600)
    await checkWalletNow(app(), payer.walletId)
    await sandboxOf(app()).decide(await lastCharge(payer), 'failed')
    await app().jobs.drain()
    app().clock.advance(2 * day)
    await checkWalletNow(app(), payer.walletId)
    expect(await statuses(payer)).toEqual(['failed'])
    expect(await mandateOf(payer)).toMatchObject({
      isValid: true,
      isDisabled: true,
      notice: expect.stringContaining('payment failed'),
    })
    expect(await subjects(payer.user.email)).toEqual(['An automatic payment for Gatehouse failed'])
  })

  test('whose card is refused is charged once, and its owner told once', async () => {
    const payer = await makeReader(1500)
    await makeMandate(app(), payer, { card: 'broke' })
    await giveMoney(app(), payer.walletId, -600)
    for (let looks = 0; looks < 3; looks++) {
      await checkWalletNow(app(), payer.walletId)
      app().clock.advance(day)
    }
    expect(await statuses(payer)).toEqual(['failed'])
    expect(await sandboxCharges(app(), payer.walletId)).toHaveLength(1)
    expect(await subjects(payer.user.email)).toEqual(['An automatic payment for Gatehouse failed'])
    expect(await mandateOf(payer)).toMatchObject({ isDisabled: true })
  })

  test('is charged by the new card when a charge of the one before fails late', async () => {
    const payer = await makeReader(1500)
    await makeMandate(app(), payer, { card: 'slow' })
    await giveMoney(app(), payer.walletId, -600)
    await checkWalletNow(app(), payer.walletId)
    app().clock.advance(minute)
    const second = await makeMandate(app(), payer)
    await sandboxOf(app()).decide(await lastCharge(payer), 'failed')
    await app().jobs.drain()
    expect(await mandateOf(payer)).toMatchObject({ id: second, isValid: true, isDisabled: false })
    await checkWalletNow(app(), payer.walletId)
    expect(await statuses(payer)).toEqual(['failed', 'paid'])
    expect(await balanceOf(app(), payer.walletId)).toBe(2900)
  })

  test('whose charge runs out at the provider is charged no more, and its owner told', async () => {
    const payer = await makeReader(1500)
    await makeMandate(app(), payer, { card: 'slow' })
    await giveMoney(app(), payer.walletId, -600)
    await checkWalletNow(app(), payer.walletId)
    await sandboxOf(app()).decide(await lastCharge(payer), 'expired')
    await app().jobs.drain()
    expect(await statuses(payer)).toEqual(['expired'])
    expect(await mandateOf(payer)).toMatchObject({ isDisabled: true })
    expect(await subjects(payer.user.email)).toEqual(['An automatic payment for Gatehouse failed'])
  })

  test('is credited once when a charge that had failed is paid after all, and goes on', async () => {
    const payer = await makeReader(1500)
    await makeMandate(app(), payer, { card: 'slow' })
    await giveMoney(app(), payer.walletId, -600)
    await checkWalletNow(app(), payer.walletId)
    const charge = await lastCharge(payer)
    await sandboxOf(app()).decide(charge, 'failed')
    await app().jobs.drain()
    await sandboxOf(app()).force(charge, 'paid')
    await app().jobs.drain()
    await sandboxOf(app()).force(charge, 'paid')
    await app().jobs.drain()
    expect(await balanceOf(app(), payer.walletId)).toBe(2900)
    expect(await mandateOf(payer)).toMatchObject({ isDisabled: false })
  })

  test('goes on by itself once somebody has paid by hand what the card could not', async () => {
    const payer = await makeReader(-500)
    await giveMoney(app(), payer.walletId, 500)
    await makeMandate(app(), payer, { card: 'broke', balance: 0 })
    await giveMoney(app(), payer.walletId, -300)
    await checkWalletNow(app(), payer.walletId)
    expect(await mandateOf(payer)).toMatchObject({ isDisabled: true })
    const { providerId } = await payer.pay(10)
    await sandboxOf(app()).decide(providerId, 'paid')
    await app().jobs.drain()
    expect(await mandateOf(payer)).toMatchObject({ isDisabled: false })
  })

  test('whose charge is disputed is not charged again, and its owner told', async () => {
    const payer = await makeReader(1500)
    await makeMandate(app(), payer)
    await giveMoney(app(), payer.walletId, -600)
    await checkWalletNow(app(), payer.walletId)
    await sandboxOf(app()).chargeBack(await lastCharge(payer), 2000)
    await app().jobs.drain()
    expect(await balanceOf(app(), payer.walletId)).toBe(900)
    expect(await mandateOf(payer)).toMatchObject({ isDisabled: true })
    app().clock.advance(2 * day)
    await checkWalletNow(app(), payer.walletId)
    expect(await statuses(payer)).toEqual(['paid'])
    expect(await subjects(payer.user.email)).toContain(
      'An automatic payment for your Gatehouse account was returned',
    )
  })

  test('is charged again when its owner has looked at it', async () => {
    const payer = await makeReader(1500)
    await makeMandate(app(), payer, { card: 'broke' })
    await giveMoney(app(), payer.walletId, -600)
    await checkWalletNow(app(), payer.walletId)
    const { db } = app().database
    const { id } = await mandateOf(payer)
    await db.updateTable('sandbox_mandates').set({ outcome: 'paid' }).where('id', '=', id).execute()
    const put = await payer.call(`PUT ${route}`, { amount: 20, balance: 10 })
    expect([put.status, put.body.isDisabled]).toEqual([200, false])
    await app().jobs.drain()
    expect(await statuses(payer)).toEqual(['failed', 'paid'])
    expect(await balanceOf(app(), payer.walletId)).toBe(2900)
  })

  test.each([
    ['suspended', ready | userStatus.suspended, 0],
    ['free', ready, 100],
  ] as const)('of a %s account is not charged', async (_what, status, discount) => {
    const payer = await makeReader(1500)
    await makeMandate(app(), payer)
    await setStatus(app(), payer.user, status)
    const { db } = app().database
    if (discount > 0) {
      const id = await makeDiscount(app(), { discount })
      await db.updateTable('wallets').set({ discount_id: id }).where('id', '=', payer.walletId).execute()
    }
    await giveMoney(app(), payer.walletId, -600)
    await checkWalletNow(app(), payer.walletId)
    expect(await statuses(payer)).toEqual([])
    expect(await mandateOf(payer)).toMatchObject({ isDisabled: false })
  })

  test('without a mandate is left as it is', async () => {
    const payer = await makeReader(-600)
    await checkWalletNow(app(), payer.walletId)
    expect(await statuses(payer)).toEqual([])
    expect(await mandateOf(payer)).toMatchObject({ isDisabled: false })
  })

  test('waits while the provider is down, and is charged once afterwards', async () => {
    const payer = await makeReader(1500)
    await makeMandate(app(), payer)
    await giveMoney(app(), payer.walletId, -600)
    await withoutAnswer(['chargeMandate', 'findPayment', 'readPayment', 'readMandate'], () =>
      checkWalletNow(app(), payer.walletId),
    )
    expect(await statuses(payer)).toEqual(['open'])
    await checkWalletNow(app(), payer.walletId)
    expect(await statuses(payer)).toEqual(['paid'])
    expect(await sandboxCharges(app(), payer.walletId)).toHaveLength(1)
    expect(await mandateOf(payer)).toMatchObject({ isDisabled: false })
  })

  test('is not blamed for a provider that is down for hours', async () => {
    const payer = await makeReader(1500)
    await makeMandate(app(), payer)
    await giveMoney(app(), payer.walletId, -600)
    await withoutAnswer(['chargeMandate'], async () => {
      await checkWalletNow(app(), payer.walletId)
      app().clock.advance(2 * 60 * minute)
      await checkWalletNow(app(), payer.walletId)
    })
    expect(await mandateOf(payer)).toMatchObject({ isDisabled: false })
    app().clock.advance(2 * 60 * minute)
    await checkWalletNow(app(), payer.walletId)
    await checkWalletNow(app(), payer.walletId)
    expect((await statuses(payer)).filter((status) => status === 'paid')).toEqual(['paid'])
    expect(await subjects(payer.user.email)).toEqual([
      `Automatic payment of ${formatPrice(2000, 'CHF', 'en')} for Gatehouse`,
    ])
  })
})

describe('a debt that the amount does not cover', () => {
  test('stops auto-payment with a mail to everybody who pays, each in the own language; raising the amount pays it', async () => {
    const payer = await makeReader(1500)
    const controller = await makeUser(app(), { walletId: payer.walletId, status: ready })
    await makeController(app(), controller, payer.walletId)
    const createdAt = app().clock.now()
    await makeUnits(app(), payer.walletId, [{ cost: 0, createdAt, objectId: controller.id }])
    const { db } = app().database
    await db.updateTable('users').set({ language: 'fr' }).where('id', '=', controller.id).execute()
    await makeMandate(app(), payer)
    await giveMoney(app(), payer.walletId, -4000)
    await checkWalletNow(app(), payer.walletId)
    await checkWalletNow(app(), payer.walletId)
    expect(await statuses(payer)).toEqual([])
    expect(await mandateOf(payer)).toMatchObject({
      isValid: true,
      isDisabled: true,
      minAmount: 25,
      notice: 'The amount of automatic payments does not cover the debt. Raise it to switch them on again.',
    })
    expect(await subjects(payer.user.email)).toEqual([
      'Automatic payments for your Gatehouse account are switched off',
    ])
    expect(await subjects(controller.email)).toEqual([
      'Les paiements automatiques de votre compte Gatehouse sont désactivés',
    ])
    expect((await payer.call(`PUT ${route}`, { amount: 20, balance: 10 })).status).toBe(422)
    expect((await payer.call(`PUT ${route}`, { amount: 25, balance: 10 })).status).toBe(200)
    await app().jobs.drain()
    expect(await statuses(payer)).toEqual(['paid'])
    expect(await balanceOf(app(), payer.walletId)).toBe(0)
    expect(await mandateOf(payer)).toMatchObject({ isDisabled: false })
  })
})

describe('a mandate that is revoked at the provider', () => {
  test('is found before a charge, charges nothing, and its owner is told once', async () => {
    const payer = await makeReader(1500)
    const id = await makeMandate(app(), payer)
    await sandboxOf(app()).revokeMandate(id)
    await giveMoney(app(), payer.walletId, -600)
    app().clock.advance(11 * minute)
    await checkWalletNow(app(), payer.walletId)
    await checkWalletNow(app(), payer.walletId)
    expect(await statuses(payer)).toEqual([])
    expect(await mandateOf(payer)).toMatchObject({
      id,
      isValid: false,
      isPending: false,
      isDisabled: true,
      notice: 'The stored payment method can no longer be charged. Set up automatic payments again.',
    })
    expect(await subjects(payer.user.email)).toEqual([
      'Automatic payments for your Gatehouse account are switched off',
    ])
  })

  test('just before a charge is a charge that failed', async () => {
    const payer = await makeReader(1500)
    const id = await makeMandate(app(), payer)
    await sandboxOf(app()).revokeMandate(id)
    await giveMoney(app(), payer.walletId, -600)
    await checkWalletNow(app(), payer.walletId)
    expect(await statuses(payer)).toEqual(['failed'])
    expect(await mandateOf(payer)).toMatchObject({ isValid: false, isDisabled: true })
    expect(await subjects(payer.user.email)).toEqual(['An automatic payment for Gatehouse failed'])
  })

  test('is replaced by a new set-up', async () => {
    const payer = await makeReader(1500)
    const id = await makeMandate(app(), payer)
    await sandboxOf(app()).revokeMandate(id)
    app().clock.advance(11 * minute)
    await payer.call(`GET ${route}`)
    await app().jobs.drain()
    expect(await mandateOf(payer)).toMatchObject({ isValid: false, isDisabled: true })
    const second = await makeMandate(app(), payer)
    expect(await mandateOf(payer)).toMatchObject({ id: second, isValid: true, isDisabled: false })
  })
})

describe('ending auto-payment', () => {
  test('counts here at once while the provider is down, and there as soon as it answers', async () => {
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

  test('happens with the account', async () => {
    const payer = await makeReader(1500)
    const id = await makeMandate(app(), payer)
    expect((await payer.call(`DELETE /api/v4/users/${payer.user.id}`)).status).toBe(200)
    await app().jobs.drain()
    expect(await sandboxOf(app()).readMandate(id)).toBeUndefined()
    expect(await statuses(payer)).toEqual([])
  })
})

describe('a degraded account', () => {
  test('has everything back with the payment that its owner lets through', async () => {
    const payer = await makeReader(1500)
    await makeMandate(app(), payer, { card: 'broke', balance: 0 })
    await giveMoney(app(), payer.walletId, -1600)
    await checkWalletNow(app(), payer.walletId)
    expect(await statuses(payer)).toEqual(['failed'])
    app().clock.advance(15 * day)
    await checkWalletNow(app(), payer.walletId)
    const isDegraded = async () => {
      const row = await app()
        .database.db.selectFrom('users')
        .select('status')
        .where('id', '=', payer.user.id)
        .executeTakeFirstOrThrow()
      return hasBit(row.status, userStatus.degraded)
    }
    expect(await isDegraded()).toBe(true)
    const { id } = await mandateOf(payer)
    const { db } = app().database
    await db.updateTable('sandbox_mandates').set({ outcome: 'paid' }).where('id', '=', id).execute()
    expect((await payer.call(`PUT ${route}`, { amount: 20, balance: 0 })).status).toBe(200)
    await app().jobs.drain()
    expect(await statuses(payer)).toEqual(['failed', 'paid'])
    expect(await isDegraded()).toBe(false)
  })
})

describe('the ceiling of an account', () => {
  test('holds a second top-up of a month back that would go beyond it', async () => {
    const payer = await makeReader(1500)
    await payer.call(`PUT /api/v4/wallets/${payer.walletId}/settings`, { monthly_ceiling: 3000 })
    await makeMandate(app(), payer)
    for (let times = 0; times < 3; times++) {
      await giveMoney(app(), payer.walletId, 0 - (await balanceOf(app(), payer.walletId)) + 500)
      await checkWalletNow(app(), payer.walletId)
      app().clock.advance(2 * day)
    }
    expect(await statuses(payer)).toEqual(['paid'])
    app().clock.advance(30 * day)
    await checkWalletNow(app(), payer.walletId)
    expect(await statuses(payer)).toEqual(['paid', 'paid'])
  })
})
