import type { SuspensionReason } from '@gatehouse/contract/staff/staff-views'
import { hasBit, userStatus } from '@gatehouse/contract/status'
import { describe, expect, test } from 'vitest'
import { day, hour } from '../../platform/clock.ts'
import { newUuid } from '../../platform/ids.ts'
import {
  giveMoney,
  type MadeUser,
  makeController,
  makeUser,
  setStatus,
  signInAs,
} from '../../testing/factories.ts'
import { balanceOf, makeUnits } from '../../testing/payments/billing.ts'
import { useTestApp } from '../../testing/test-app.ts'
import { type StateAct, suspendUser, unsuspendUser } from '../../users/account-state.ts'
import { chargeJob, trialEndJob } from '../billing-jobs.ts'
import { bookMoney } from '../book.ts'
import { verifyLedger } from '../ledger/verify.ts'
import { degradeSettled, undegradeSettled } from './account-state.ts'
import { readAlertStates, writeThresholds } from './alert-store.ts'
import { dun } from './dun.ts'
import { dueStep } from './steps.ts'

const app = useTestApp()
const ready = userStatus.new | userStatus.active | userStatus.imapReady

/** Runs the four-hourly job and returns its mails to these addresses, oldest first, as `to: subject`. */
async function run(...users: readonly (MadeUser | string)[]): Promise<string[]> {
  const before = new Set((await app().mails()).map((mail) => mail.id))
  await app().jobs.enqueue(app().database.db, chargeJob, {})
  const addresses = new Set(users.map((user) => (typeof user === 'string' ? user : user.email)))
  return (await app().mails())
    .filter((mail) => !before.has(mail.id))
    .flatMap((mail) => mail.to.map((to) => ({ to: to.address, subject: mail.subject })))
    .filter(({ to }) => addresses.has(to))
    .map(({ to, subject }) => `${to}: ${subject}`)
    .sort()
}

async function statusOf(user: MadeUser): Promise<number> {
  const row = await app()
    .database.db.selectFrom('users')
    .select('status')
    .where('id', '=', user.id)
    .executeTakeFirstOrThrow()
  return row.status
}

const isDegraded = async (user: MadeUser) => hasBit(await statusOf(user), userStatus.degraded)

const suspend = (user: MadeUser, reason: SuspensionReason) =>
  app()
    .database.db.transaction()
    .execute((trx) =>
      suspendUser(trx, app().clock, user.id, { actor: {}, comment: 'a letter came back', reason }),
    )

const book = (walletId: string, amount: number, type: 'credit' | 'award' | 'refund' = 'credit') =>
  app()
    .database.db.transaction()
    .execute((trx) =>
      bookMoney(trx, app(), { walletId, type, amount, key: `test:${newUuid()}`, text: 'payment' }),
    )

/** An owner in a trial without charges, so that the debt stays constant. */
const makeOwner = (facts: { status?: number; settings?: Record<string, string> } = {}) =>
  makeUser(app(), { status: ready, ...facts })

describe('the step of a debt', () => {
  const none = { initial: null, reminder: null, warning: null, degrade: null }
  const since = new Date('2026-01-01T00:00:00Z')
  const at = (seconds: number) => new Date(since.getTime() + seconds * 1000)
  test.each([
    [hour - 1, undefined],
    [hour, 'initial'],
    [7 * day - 1, 'initial'],
    [7 * day, 'reminder'],
    [12 * day, 'warning'],
    [14 * day, 'degrade'],
    [100 * day, 'degrade'],
  ] as const)('after %i seconds is %s', (seconds, step) => {
    expect(dueStep({ negativeSince: since, taken: none }, at(seconds))).toBe(step)
    if (step === undefined) return
    const taken = { ...none, [step]: at(1) }
    expect(dueStep({ negativeSince: since, taken }, at(seconds))).toBeUndefined()
  })
})

describe('an account with a debt', () => {
  test('is notified, reminded, warned and degraded, each once, then reminded every two weeks', async () => {
    const external = `away${Date.now()}@elsewhere.test`
    const owner = await makeOwner({ settings: { external_email: external } })
    const controller = await makeUser(app(), { walletId: owner.walletId, status: ready })
    await makeController(app(), controller, owner.walletId)
    const member = await makeUser(app(), { walletId: owner.walletId, status: ready })
    const everybody = [owner, controller, member, external] as const
    await giveMoney(app(), owner.walletId, -100)
    expect(await run(...everybody)).toEqual([])

    app().clock.advance(hour)
    const first = 'Your Gatehouse balance is negative'
    expect(await run(...everybody)).toEqual(
      [`${controller.email}: ${first}`, `${owner.email}: ${first}`].sort(),
    )
    expect(await run(...everybody)).toEqual([])

    app().clock.advance(7 * day)
    const reminder = 'Reminder: your Gatehouse balance is negative'
    const all = [controller.email, owner.email, external]
    expect(await run(...everybody)).toEqual(all.map((to) => `${to}: ${reminder}`).sort())

    app().clock.advance(5 * day)
    expect((await run(...everybody)).map((line) => line.replace(/^.*?: /, ''))).toEqual(
      all.map(() => 'Your Gatehouse services will be reduced on 24 March 2026'),
    )
    expect(await isDegraded(owner)).toBe(false)

    app().clock.advance(2 * day)
    const degraded = 'Your Gatehouse services have been reduced'
    app().backend.calls.length = 0
    expect(await run(...everybody)).toEqual(all.map((to) => `${to}: ${degraded}`).sort())
    expect(await isDegraded(owner)).toBe(true)
    const told = app().backend.calls.map((call) => call.userId)
    expect(new Set(told)).toEqual(new Set([owner.id, controller.id, member.id]))
    expect(await run(...everybody)).toEqual([])

    app().clock.advance(14 * day)
    const still = 'Your Gatehouse services are still reduced'
    expect(await run(...everybody)).toEqual(
      [`${controller.email}: ${still}`, `${owner.email}: ${still}`].sort(),
    )
    expect(await run(...everybody)).toEqual([])
  })

  test('is restored immediately when money arrives', async () => {
    const owner = await makeOwner()
    const member = await makeUser(app(), { walletId: owner.walletId, status: ready })
    await giveMoney(app(), owner.walletId, -100)
    app().clock.advance(15 * day)
    await run()
    expect(await isDegraded(owner)).toBe(true)
    await book(owner.walletId, 50)
    expect(await isDegraded(owner)).toBe(true)
    await app().jobs.drain()
    app().backend.calls.length = 0
    await book(owner.walletId, 50)
    expect(await isDegraded(owner)).toBe(false)
    await app().jobs.drain()
    expect(new Set(app().backend.calls.map((call) => call.userId))).toEqual(new Set([owner.id, member.id]))
    const events = await app()
      .database.db.selectFrom('eventLog')
      .select('event')
      .where('objectId', '=', owner.id)
      .where('event', 'in', ['user.degrade', 'user.undegrade'])
      .orderBy('createdAt')
      .execute()
    expect(events.map((row) => row.event)).toEqual(['user.degrade', 'user.undegrade'])
  })

  test('is charged pro rata until it was degraded, and nothing for the time after', async () => {
    const owner = await makeUser(app(), { plan: null, status: ready })
    const createdAt = new Date(app().clock.now().getTime() - 20 * day * 1000)
    await makeUnits(app(), owner.walletId, [{ cost: 3100, createdAt }])
    await giveMoney(app(), owner.walletId, -1)
    app().clock.advance(15 * day)
    await run()
    const owed = await balanceOf(app(), owner.walletId)
    expect(owed).toBeLessThan(-3000)
    app().clock.advance(40 * day)
    await run()
    expect(await balanceOf(app(), owner.walletId)).toBe(owed)
    await book(owner.walletId, -owed)
    expect(await isDegraded(owner)).toBe(false)
    await run()
    expect(await balanceOf(app(), owner.walletId)).toBe(0)
  })

  test('gets no mail while its owner is suspended, but the steps continue', async () => {
    const owner = await makeOwner({ status: ready | userStatus.suspended })
    await giveMoney(app(), owner.walletId, -100)
    app().clock.advance(15 * day)
    expect(await run(owner)).toEqual([])
    expect(await isDegraded(owner)).toBe(true)
  })

  test("is written to in each recipient's language", async () => {
    const owner = await makeOwner()
    await app().database.db.updateTable('users').set({ language: 'de' }).where('id', '=', owner.id).execute()
    await giveMoney(app(), owner.walletId, -100)
    app().clock.advance(hour)
    expect(await run(owner)).toEqual([`${owner.email}: Ihr Guthaben bei Gatehouse ist negativ`])
  })

  test('gets no mail if it was paid before that was sent', async () => {
    const owner = await makeOwner()
    await giveMoney(app(), owner.walletId, -100)
    app().clock.advance(hour)
    await dun(
      { db: app().database.db, clock: app().clock, jobs: app().jobs, withLdap: false },
      owner.walletId,
    )
    await giveMoney(app(), owner.walletId, 100)
    expect((await app().mails()).filter((mail) => mail.to.some((to) => to.address === owner.email))).toEqual(
      [],
    )
  })
})

describe('an account degraded by an operator', () => {
  test('is settled pro rata at its price, and free until it is restored', async () => {
    const owner = await makeUser(app(), { status: ready, plan: null })
    const now = app().clock.now()
    const begun = new Date(now.getTime() - 20 * day * 1000)
    await makeUnits(app(), owner.walletId, [{ cost: 3100, createdAt: begun, objectId: owner.id }])
    const act = (name: StateAct) =>
      app()
        .database.db.transaction()
        .execute((trx) => name(trx, app().clock, owner.id, { actor: {} }))
    await act(degradeSettled)
    const owed = await balanceOf(app(), owner.walletId)
    expect(owed).toBeLessThan(0)
    expect(await isDegraded(owner)).toBe(true)
    app().clock.advance(10 * day)
    await act(undegradeSettled)
    expect(await balanceOf(app(), owner.walletId)).toBe(owed)
    expect(await isDegraded(owner)).toBe(false)
    app().clock.advance(-10 * day)
  })
})

describe('a suspension', () => {
  test('for abuse outlives the debt, but one for debt does not', async () => {
    for (const [reasons, stays] of [
      [['abuse'], true],
      [['other'], true],
      [[], true],
      [['unpaid'], false],
      // paying doesn't lift a suspension for abuse
      [['abuse', 'unpaid'], true],
      [['unpaid', 'abuse'], true],
    ] as const) {
      const owner = await makeOwner()
      for (const reason of reasons) await suspend(owner, reason)
      if (reasons.length === 0) await setStatus(app(), owner, ready | userStatus.suspended)
      await giveMoney(app(), owner.walletId, -5)
      await book(owner.walletId, 5)
      expect(hasBit(await statusOf(owner), userStatus.suspended), reasons.join()).toBe(stays)
    }
  })

  test('for debt that was lifted manually does not affect the next one', async () => {
    const owner = await makeOwner()
    await suspend(owner, 'unpaid')
    await app()
      .database.db.transaction()
      .execute((trx) => unsuspendUser(trx, app().clock, owner.id, { actor: {} }))
    await setStatus(app(), owner, ready | userStatus.suspended)
    await giveMoney(app(), owner.walletId, -5)
    await book(owner.walletId, 5)
    expect(hasBit(await statusOf(owner), userStatus.suspended)).toBe(true)
  })

  test('and its end are recorded with reason and comment', async () => {
    const owner = await makeOwner()
    await suspend(owner, 'unpaid')
    await giveMoney(app(), owner.walletId, -5)
    await book(owner.walletId, 5)
    const events = await app()
      .database.db.selectFrom('eventLog')
      .select(['event', 'comment', 'data'])
      .where('objectType', '=', 'user')
      .where('objectId', '=', owner.id)
      .where('event', 'like', 'user.%suspend')
      .orderBy('event')
      .execute()
    const data = { after: { suspensionReason: 'unpaid' } }
    expect(events).toEqual([
      { event: 'user.suspend', comment: 'a letter came back', data },
      { event: 'user.unsuspend', comment: 'balance no longer below zero', data: { before: data.after } },
    ])
  })
})

describe('incoming money', () => {
  test.each(['credit', 'award'] as const)(
    'as %s lifts the restriction of everybody in the account',
    async (type) => {
      const owner = await makeOwner({ status: ready | userStatus.restricted })
      const member = await makeUser(app(), {
        walletId: owner.walletId,
        status: ready | userStatus.restricted,
      })
      const stranger = await makeOwner({ status: ready | userStatus.restricted })
      await book(owner.walletId, 1, type)
      expect(hasBit(await statusOf(owner), userStatus.restricted)).toBe(false)
      expect(hasBit(await statusOf(member), userStatus.restricted)).toBe(false)
      expect(hasBit(await statusOf(stranger), userStatus.restricted)).toBe(true)
    },
  )

  test('has no effect if the key was already booked', async () => {
    const owner = await makeOwner()
    const posting = {
      walletId: owner.walletId,
      type: 'credit',
      amount: 9,
      key: 'test:again',
      text: 'payment',
    } as const
    const once = () =>
      app()
        .database.db.transaction()
        .execute((trx) => bookMoney(trx, app(), posting))
    await once()
    await setStatus(app(), owner, ready | userStatus.restricted)
    expect(await once()).toMatchObject({ isNew: false, balance: 9 })
    expect(hasBit(await statusOf(owner), userStatus.restricted)).toBe(true)
  })
})

describe('alerts', () => {
  test('are sent once per fall below a threshold, and again after a recovery', async () => {
    const owner = await makeOwner()
    const { walletId } = owner
    await giveMoney(app(), walletId, 1000)
    await writeThresholds(app().database.db, walletId, [2000, 500, 300], app().clock.now())
    expect(await run(owner)).toEqual([])
    await giveMoney(app(), walletId, -600)
    expect(await run(owner)).toHaveLength(1)
    expect(await run(owner)).toEqual([])
    await giveMoney(app(), walletId, -200)
    expect((await run(owner))[0]?.replaceAll('\u00a0', ' ')).toContain('below CHF 3.00')
    await giveMoney(app(), walletId, 800)
    expect(await run(owner)).toEqual([])
    await giveMoney(app(), walletId, -700)
    expect(await run(owner)).toHaveLength(1)
  })
})

test('an alert is resolved when the balance recovers, and triggered again by the next fall', async () => {
  const owner = await makeOwner()
  const { walletId } = owner
  const { db } = app().database
  const states = () => readAlertStates(db, walletId)
  await giveMoney(app(), walletId, 1000)
  await writeThresholds(db, walletId, [500], app().clock.now())
  expect(await states()).toEqual([])
  await giveMoney(app(), walletId, -700)
  await run(owner)
  const alertedAt = app().clock.now()
  expect(await states()).toEqual([{ threshold: 500, alertedAt, resolvedAt: null }])
  app().clock.advance(3600)
  await book(walletId, 900, 'credit')
  const resolvedAt = app().clock.now()
  expect(await states()).toEqual([{ threshold: 500, alertedAt, resolvedAt }])
  app().clock.advance(3600)
  await run(owner)
  expect(await states()).toEqual([{ threshold: 500, alertedAt, resolvedAt }])
  await giveMoney(app(), walletId, -1000)
  await run(owner)
  expect(await states()).toEqual([{ threshold: 500, alertedAt: app().clock.now(), resolvedAt: null }])
})

test('a chargeback triggers an alert immediately', async () => {
  const owner = await makeOwner()
  await giveMoney(app(), owner.walletId, 1000)
  await writeThresholds(app().database.db, owner.walletId, [500], app().clock.now())
  await book(owner.walletId, 600, 'refund')
  const subjects = (await app().mails())
    .filter((mail) => mail.to.some((to) => to.address === owner.email))
    .map((mail) => mail.subject)
  expect(subjects).toEqual([expect.stringContaining('below')])
})

describe('the end of a trial', () => {
  test.each([1, 3])('of %i months is announced a week before, once', async (months) => {
    const { db } = app().database
    const plan = await db
      .insertInto('plans')
      .values({
        id: newUuid(),
        tenantId: 0,
        title: `trial-${months}`,
        name: '{}',
        description: '{}',
        mode: 'email',
        months: 1,
        freeMonths: months,
        hidden: true,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const owner = await makeUser(app(), { plan: null, settings: { plan_id: plan.id } })
    await makeUnits(app(), owner.walletId, [{ cost: 0, createdAt: app().clock.now(), objectId: owner.id }])
    const told = async () => {
      await app().jobs.enqueue(db, trialEndJob, {})
      return (await app().mails()).filter(
        (mail) => mail.to.some((to) => to.address === owner.email) && mail.subject.includes('trial ends'),
      ).length
    }
    const passes: number[] = []
    for (let count = 0; count < months * 31; count++) {
      passes.push(await told())
      app().clock.advance(day)
    }
    expect(passes.at(-1)).toBe(1)
    expect(passes.filter((count) => count === 1).length).toBeLessThanOrEqual(10)
    expect(passes.filter((count) => count === 1).length).toBeGreaterThanOrEqual(6)
  })
})

describe('a deleted account', () => {
  test('is charged pro rata', async () => {
    const owner = await makeUser(app(), { plan: null, status: ready })
    const createdAt = new Date(app().clock.now().getTime() - 20 * day * 1000)
    await makeUnits(app(), owner.walletId, [{ cost: 3100, createdAt, objectId: owner.id }])
    await giveMoney(app(), owner.walletId, 5000)
    const { access_token: token } = await signInAs(app(), owner)
    expect((await app().call(`DELETE /api/v4/users/${owner.id}?forfeit=5000`, { token })).status).toBe(200)
    await app().jobs.drain()
    expect(await balanceOf(app(), owner.walletId)).toBe(0)
    const closed = await app()
      .database.db.selectFrom('eventLog')
      .select('data')
      .where('objectId', '=', owner.id)
      .where('event', '=', 'wallet.closed')
      .executeTakeFirstOrThrow()
    const { charged } = closed.data as { charged: number } // the entry that was written above
    expect(charged).toBeGreaterThan(1500)
    expect(closed.data).toEqual({ charged, balance: 5000 - charged, currency: 'CHF' })
  })
})

test('all of the above leaves a consistent ledger', async () => {
  expect(await verifyLedger(app().database.db)).toEqual([])
  expect(await app().jobs.failed()).toEqual([])
})
