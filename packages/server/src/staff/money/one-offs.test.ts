import { beforeAll, describe, expect, test } from 'vitest'
import { after, day } from '../../platform/clock.ts'
import { giveMoney, type MadeUser, makeDomain, makeTenant, makeUser } from '../../testing/factories.ts'
import { type MadeStaff, makeStaff } from '../../testing/staff.ts'
import { useTestApp } from '../../testing/test-app.ts'
import { bookedAlone } from './one-off-store.ts'

const app = useTestApp({ ONE_OFF_LIMIT: '50000' })
const people = {} as Record<'admin' | 'colleague' | 'reseller' | 'partner' | 'stranger', MadeStaff>
let user: MadeUser
let customer: MadeUser
let tenantWallet: string

beforeAll(async () => {
  await makeDomain(app(), 'example.test')
  const tenantId = await makeTenant(app(), 9)
  people.admin = await makeStaff(app(), 'admin')
  people.colleague = await makeStaff(app(), 'admin')
  people.reseller = await makeStaff(app(), 'reseller', tenantId)
  people.partner = await makeStaff(app(), 'reseller', tenantId)
  people.stranger = await makeStaff(app(), 'reseller', await makeTenant(app(), 8))
  user = await makeUser(app())
  customer = await makeUser(app(), { tenantId })
  tenantWallet = people.reseller.walletId
  const { db } = app().database
  await db.updateTable('tenants').set({ walletId: tenantWallet }).where('id', '=', tenantId).execute()
  await giveMoney(app(), tenantWallet, 500_000)
})

async function balance(walletId: string): Promise<number> {
  const { db } = app().database
  const { balance: cents } = await db
    .selectFrom('wallets')
    .select('balance')
    .where('id', '=', walletId)
    .executeTakeFirstOrThrow()
  return cents
}

const wish = (by: MadeStaff, walletId: string, amount: number | string) =>
  by.call(`POST /api/v4/wallets/${walletId}/one-off`, { body: { amount, description: 'Outage in May' } })

async function ask(by: MadeStaff, walletId: string, amount: number | string = 600): Promise<string> {
  const { body } = await wish(by, walletId, amount)
  return body.request.id
}

const approve = (by: MadeStaff, id: string) =>
  by.call(`POST /api/v4/one-offs/${id}/approve`, { body: { comment: 'seen the ticket' } })
const refuse = (by: MadeStaff, id: string, comment: string | null = 'not our fault') =>
  by.call(`POST /api/v4/one-offs/${id}/refuse`, { body: { comment } })
const listed = async (by: MadeStaff, id: string, query = '') => {
  const { body } = await by.call(`GET /api/v4/one-offs${query}`)
  return body.list.find((one: { id: string }) => one.id === id)
}

describe('a bonus or penalty above the limit', () => {
  test('waits for a colleague, who books it once, and both are recorded', async () => {
    const { status, body } = await wish(people.admin, user.walletId, '600,50')
    expect({ status, body }).toMatchObject({
      status: 200,
      body: {
        status: 'success',
        balance: 0,
        request: { amount: 60_050, state: 'pending', canApprove: false, canRefuse: true },
      },
    })
    expect(body.message).toContain('500.00')
    const { id } = body.request
    expect(await listed(people.colleague, id, '?state=pending')).toMatchObject({
      user: { id: user.id, email: user.email },
      requestedBy: people.admin.email,
      description: 'Outage in May',
      canApprove: true,
    })
    const answer = await approve(people.colleague, id)
    expect(answer).toMatchObject({ status: 200, body: { balance: 60_050, request: { state: 'approved' } } })
    expect((await approve(people.colleague, id)).status).toBe(409)
    expect(await balance(user.walletId)).toBe(60_050)
    expect(await listed(people.admin, id, '?state=approved')).toMatchObject({
      decidedBy: people.colleague.email,
      comment: 'seen the ticket',
      canApprove: false,
      canRefuse: false,
    })
    const { body: log } = await people.admin.call(`GET /api/v4/eventlog/user/${user.id}`)
    expect(log.list[0]).toMatchObject({
      kind: 'wallet.award',
      comment: 'Outage in May',
      user: people.colleague.email,
      data: { amount: 60_050, requestedBy: people.admin.email },
    })
    const notes = await app()
      .database.db.selectFrom('eventLog')
      .select(['event', 'actorEmail'])
      .where('objectType', '=', 'one-off')
      .orderBy('id')
      .execute()
    expect(notes).toEqual([
      { event: 'wallet.one-off-requested', actorEmail: people.admin.email },
      { event: 'wallet.one-off-approved', actorEmail: people.colleague.email },
    ])
  })

  test('cannot be approved by the requester', async () => {
    const id = await ask(people.admin, user.walletId, -700)
    const before = await balance(user.walletId)
    expect((await approve(people.admin, id)).status).toBe(403)
    expect(await balance(user.walletId)).toBe(before)
    expect((await approve(people.colleague, id)).body.balance).toBe(before - 70_000)
  })

  test('can be rejected with a reason, or withdrawn', async () => {
    const first = await ask(people.admin, user.walletId)
    expect((await refuse(people.colleague, first, null)).body.errors).toHaveProperty('comment')
    expect((await refuse(people.colleague, first)).body.request).toMatchObject({
      state: 'refused',
      comment: 'not our fault',
    })
    expect((await approve(people.colleague, first)).status).toBe(409)
    const second = await ask(people.admin, user.walletId)
    expect((await refuse(people.admin, second)).body.request).toMatchObject({ state: 'withdrawn' })
    expect((await refuse(people.colleague, second)).status).toBe(409)
  })

  test('expires after a week', async () => {
    const id = await ask(people.admin, user.walletId)
    const request = await listed(people.colleague, id)
    expect(request).toMatchObject({ state: 'pending', canApprove: true })
    const time = (text: string) => new Date(`${text.replace(' ', 'T')}Z`).getTime()
    expect(time(request.expiresAt) - time(request.createdAt)).toBe(7 * day * 1000)
    const { db } = app().database
    await db
      .updateTable('oneOffRequests')
      .set({ expiresAt: app().clock.now() })
      .where('id', '=', id)
      .execute()
    expect(await listed(people.colleague, id, '?state=expired')).toMatchObject({ canApprove: false })
    expect(await listed(people.colleague, id, '?state=pending')).toBeUndefined()
    expect((await approve(people.colleague, id)).status).toBe(409)
  })

  test('cannot be split within a day, or into concurrent parts', async () => {
    const target = await makeUser(app())
    const answers = await Promise.all([1, 2, 3, 4].map(() => wish(people.admin, target.walletId, 200)))
    const booked = answers.filter(({ body }) => body.request === null)
    expect(booked).toHaveLength(2)
    expect(await balance(target.walletId)).toBe(40_000)
    const page = await people.admin.call(`GET /api/v4/wallets/${target.walletId}`)
    expect(page.body.oneOffLimit).toBe(10_000)
    // a colleague has a separate limit
    expect((await wish(people.colleague, target.walletId, 200)).body.request).toBeNull()
    const { db } = app().database
    const tomorrow = { now: () => after(app().clock.now(), day) }
    expect(await bookedAlone(db, app().clock, people.admin.id)).toBe(40_000)
    expect(await bookedAlone(db, tomorrow, people.admin.id)).toBe(0)
  })

  test('cannot be split across wallets: each staff member has one daily limit', async () => {
    const greedy = await makeStaff(app(), 'admin')
    const wallets = await Promise.all(Array.from({ length: 10 }, () => makeUser(app())))
    const wishes = Array.from({ length: 20 }, (_, turn) => wallets[turn % 10]?.walletId ?? '')
    const answers = await Promise.all(wishes.map((walletId) => wish(greedy, walletId, 100)))
    expect(answers.map(({ status }) => status)).toEqual(wishes.map(() => 200))
    expect(answers.filter(({ body }) => body.request === null)).toHaveLength(5)
    const balances = await Promise.all(wallets.map(({ walletId }) => balance(walletId)))
    expect(balances.reduce((sum, one) => sum + one, 0)).toBe(50_000)
    const page = await greedy.call(`GET /api/v4/wallets/${user.walletId}`)
    expect(page.body.oneOffLimit).toBe(0)
  })

  test("of a reseller counts once, not again for the tenant's payment", async () => {
    const seller = await makeStaff(app(), 'reseller', 9)
    const { walletId } = await makeUser(app(), { tenantId: 9 })
    expect((await wish(seller, walletId, 300)).body.request).toBeNull()
    expect((await wish(seller, walletId, 200)).body.request).toBeNull()
    expect((await wish(seller, walletId, 1)).body.request).not.toBeNull()
  })

  test('is booked once, even with concurrent approvals and rejections', async () => {
    const target = await makeUser(app())
    const third = await makeStaff(app(), 'admin')
    const id = await ask(people.admin, target.walletId)
    const answers = await Promise.all([
      approve(people.colleague, id),
      approve(third, id),
      refuse(people.admin, id),
    ])
    expect(answers.map(({ status }) => status).sort((one, other) => one - other)).toEqual([200, 409, 409])
    const { state } = await listed(people.admin, id)
    expect(await balance(target.walletId)).toBe(state === 'approved' ? 60_000 : 0)
  })

  test('of a former staff member is not booked', async () => {
    const leaver = await makeStaff(app(), 'admin')
    const id = await ask(leaver, user.walletId)
    await app().database.db.updateTable('users').set({ role: null }).where('id', '=', leaver.id).execute()
    expect((await approve(people.colleague, id)).status).toBe(409)
    expect((await refuse(people.colleague, id)).status).toBe(200)
  })
})

describe("a reseller's request", () => {
  test('is decided by another reseller of the tenant, paid from its wallet, and invisible to others', async () => {
    const id = await ask(people.reseller, customer.walletId)
    for (const answer of [await approve(people.stranger, id), await refuse(people.stranger, id)]) {
      expect(answer.status).toBe(404)
    }
    expect(await listed(people.stranger, id)).toBeUndefined()
    const before = await balance(tenantWallet)
    expect((await approve(people.partner, id)).body.balance).toBe(60_000)
    expect(await balance(tenantWallet)).toBe(before - 60_000)
  })

  test("can be approved by an admin, and is still the tenant's money", async () => {
    const id = await ask(people.reseller, customer.walletId)
    const before = await balance(tenantWallet)
    expect((await approve(people.admin, id)).status).toBe(200)
    expect(await balance(tenantWallet)).toBe(before - 60_000)
  })

  test("differs from an admin's, which needs another admin", async () => {
    const id = await ask(people.admin, customer.walletId)
    expect(await listed(people.partner, id)).toMatchObject({ canApprove: false, canRefuse: false })
    expect((await approve(people.partner, id)).status).toBe(403)
    expect((await refuse(people.partner, id)).status).toBe(403)
    const before = await balance(tenantWallet)
    expect((await approve(people.colleague, id)).status).toBe(200)
    expect(await balance(tenantWallet)).toBe(before)
  })
})

test.each(['none', '00000000-0000-7000-8000-000000000000'])('there is no request %s', async (id) => {
  expect((await approve(people.admin, id)).status).toBe(404)
  expect((await refuse(people.admin, id)).status).toBe(404)
})

test('a preview of a bonus or penalty matches its result', async () => {
  const staff = await makeStaff(app(), 'admin')
  const { walletId } = await makeUser(app())
  for (const amount of ['300', '-12,50', '187.50', '0.01', '-1']) {
    const before = await balance(walletId)
    const asked = await staff.call(`POST /api/v4/wallets/${walletId}/one-off/preview`, { body: { amount } })
    const { currency, needsApproval, balance: foretold } = asked.body
    expect({ currency, now: foretold.now, held: await balance(walletId) }).toEqual({
      ...{ currency: 'CHF', now: before, held: before },
    })
    const { request } = (await wish(staff, walletId, amount)).body
    expect(needsApproval).toBe(request !== null)
    if (request !== null) await approve(people.colleague, request.id)
    expect(await balance(walletId)).toBe(foretold.next)
  }
})
