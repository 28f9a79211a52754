import type { StaffOverview } from '@gatehouse/contract/overview'
import { userStatus } from '@gatehouse/contract/status'
import { beforeAll, describe, expect, test } from 'vitest'
import { insertOneOff } from '../staff/money/one-off-store.ts'
import { collectStats } from '../staff/statistics/daily-stats.ts'
import {
  deleteUser,
  giveMoney,
  makeDomain,
  makeTenant,
  makeTenantHost,
  makeUser,
  setStatus,
  signInAs,
} from '../testing/factories.ts'
import { type MadeStaff, makeStaff } from '../testing/staff.ts'
import { useTestApp } from '../testing/test-app.ts'

const app = useTestApp()
const day = 24 * 3600
let admin: MadeStaff
let reseller: MadeStaff
let colleague: MadeStaff
let other: MadeStaff

beforeAll(async () => {
  await makeDomain(app(), 'example.test')
  const tenantId = await makeTenant(app(), 9)
  admin = await makeStaff(app(), 'admin')
  reseller = await makeStaff(app(), 'reseller', tenantId)
  colleague = await makeStaff(app(), 'reseller', tenantId)
  other = await makeStaff(app(), 'reseller', await makeTenant(app(), 10))
})

async function overviewFor(staff: MadeStaff): Promise<StaffOverview> {
  // advancing the clock expires tokens
  const { access_token: token } = await signInAs(app(), staff)
  const { status, body } = await staff.call('GET /api/v4/overview', { token })
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}

test('an installation without customers has no data to show', async () => {
  const facts = await overviewFor(admin)
  expect(facts).toMatchObject({
    unpaid: { count: 0, list: [] },
    degraded: 0,
    approvals: 0,
    tenants: { total: 2, unproven: 0 },
    // no worker runs in tests
    operations: { deadJobs: 0, health: 'down', parts: [{ name: 'queue', state: 'down' }] },
  })
  expect(facts.signups).toHaveLength(12)
  expect(facts.signups.at(-1)).toEqual({ week: '2026-03-09', count: 0 })
  expect(facts).not.toHaveProperty('invitations')
})

describe('customers', () => {
  test("in debt are counted and listed, longest first; resellers see only their own tenant's", async () => {
    const first = await makeUser(app(), { email: 'first@example.test' })
    await giveMoney(app(), first.walletId, -300)
    app().clock.advance(3 * day)
    const second = await makeUser(app(), { email: 'second@example.test', tenantId: 9 })
    await giveMoney(app(), second.walletId, -700)
    await setStatus(app(), second, userStatus.active | userStatus.degraded)
    const gone = await makeUser(app())
    await giveMoney(app(), gone.walletId, -1)
    await deleteUser(app(), gone)
    const rich = await makeUser(app())
    await giveMoney(app(), rich.walletId, 500)

    const all = await overviewFor(admin)
    expect(all.unpaid).toEqual({
      count: 2,
      list: [
        {
          ...{ id: first.id, email: 'first@example.test', balance: -300, currency: 'CHF' },
          ...{ since: '2026-03-10', isDegraded: false },
        },
        {
          ...{ id: second.id, email: 'second@example.test', balance: -700, currency: 'CHF' },
          ...{ since: '2026-03-13', isDegraded: true },
        },
      ],
    })
    expect(all.degraded).toBe(1)
    const own = await overviewFor(reseller)
    expect(own.unpaid).toMatchObject({ count: 1, list: [{ id: second.id }] })
    expect(own.degraded).toBe(1)
    expect(await overviewFor(other)).toMatchObject({ unpaid: { count: 0, list: [] }, degraded: 0 })
  })

  test('who sign up are counted by week, before and after the nightly count', async () => {
    const last = async (staff: MadeStaff) =>
      (await overviewFor(staff)).signups.slice(-2).map(({ count }) => count)
    const [before = 0] = (await last(admin)).slice(-1)
    const owner = await makeUser(app(), { tenantId: 9 })
    // members have no account of their own, and staff are not customers
    await makeUser(app(), { tenantId: 9, walletId: owner.walletId })
    await makeUser(app(), { tenantId: 9, role: 'reseller', plan: null })
    expect((await last(admin)).at(-1)).toBe(before + 1)
    const own = await last(reseller)
    app().clock.advance(7 * day)
    await collectStats({ db: app().database.db, clock: app().clock })
    await collectStats({ db: app().database.db, clock: app().clock })
    expect(await last(admin)).toEqual([before + 1, 0])
    await makeUser(app(), { tenantId: 9 })
    expect(await last(admin)).toEqual([before + 1, 1])
    expect(await last(reseller)).toEqual([own.at(-1), 1])
    expect(await last(other)).toEqual([0, 0])
  })
})

test('bookings are shown to users who may approve them, but not to the requester', async () => {
  const customer = await makeUser(app(), { tenantId: 9 })
  const by = { userId: reseller.id, role: 'reseller', tenantId: 9, email: reseller.email } as const
  const facts = {
    tenantId: 9,
    walletId: customer.walletId,
    amount: 9900,
    currency: 'CHF',
    description: 'x',
    by,
  }
  await insertOneOff(app().database.db, app().clock, facts)
  const waiting = async (staff: MadeStaff) => (await overviewFor(staff)).approvals
  expect(await waiting(reseller)).toBe(0)
  expect(await waiting(colleague)).toBe(1)
  expect(await waiting(admin)).toBe(1)
  expect(await waiting(other)).toBe(0)
  app().clock.advance(8 * day)
  expect(await waiting(colleague)).toBe(0)
})

test('resellers see their own invitations and names but nothing about the installation', async () => {
  const { access_token: token } = await signInAs(app(), reseller)
  const made = await reseller.call('POST /api/v4/invitations', {
    token,
    body: { email: 'new@elsewhere.test' },
  })
  expect(made.status).toBe(200)
  await makeTenantHost(app(), 9, 'https://portal.partner.test')
  await app().database.pool.query(
    `insert into tenant_names (tenant_id, name, is_host, claimed_at) values (9, 'mail.partner.test', false, now())`,
  )
  const own = await overviewFor(reseller)
  expect(own).toMatchObject({ invitations: { open: 1, failed: 0 }, tenants: { total: 1, unproven: 1 } })
  expect(own).not.toHaveProperty('operations')
  expect(await overviewFor(other)).toMatchObject({
    invitations: { open: 0, failed: 0 },
    tenants: { total: 1, unproven: 0 },
  })
  expect((await overviewFor(admin)).tenants).toEqual({ total: 2, unproven: 1 })
})

test('admins see failed jobs and unhealthy parts', async () => {
  await app().database.pool.query(`insert into provisioning (kind, object_id, step, state)
    values ('user', 1, 'backend', 'failed')`)
  await app().database.pool.query(`select graphile_worker.add_job('mail:nobody', max_attempts => 1)`)
  await app().database.pool.query(
    `update graphile_worker._private_jobs set attempts = max_attempts, last_error = 'no'
      where task_id = (select id from graphile_worker._private_tasks where identifier = 'mail:nobody')`,
  )
  expect((await overviewFor(admin)).operations).toMatchObject({
    deadJobs: 1,
    parts: [
      { name: 'queue', state: 'down' },
      { name: 'provisioning', state: 'degraded' },
    ],
  })
})

test('counts stop at the limit shown as "or more"', async () => {
  await app().database.pool.query(`
    with made as (
      insert into users (id, tenant_id, email, status, created_at, updated_at)
      select 3000000000 + i, 10, 'crowd' || i || '@example.test', 66, now(), now() from generate_series(1, 1010) i
      returning id
    ) insert into wallets (id, user_id, currency, created_at) select gen_random_uuid(), id, 'CHF', now() from made`)
  expect((await overviewFor(other)).degraded).toBe(1000)
})
