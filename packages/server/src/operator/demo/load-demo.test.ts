import { describe, expect, test } from 'vitest'
import { verifyLedger } from '../../billing/ledger/verify.ts'
import { reconcileJob } from '../../billing/payments/settlement/reconcile.ts'
import { loadConfig } from '../../main/settings/config.ts'
import { signInAs, strongPassword } from '../../testing/factories.ts'
import { useTestApp } from '../../testing/test-app.ts'
import { demoPassword, demoUsers } from './demo-data.ts'
import { makeDemoFiles } from './demo-files.ts'
import { loadDemo } from './load-demo.ts'

const app = useTestApp()

test('the demo is loaded once, its users can sign in, and the delegate acts for the owner', async () => {
  const load = () =>
    loadDemo(app().database.db, app().clock, app().hasher, {
      config: loadConfig({}),
      secrets: app().secrets,
    })
  expect([await load(), await load()]).toEqual([true, false])
  for (const { email } of demoUsers) {
    const { access_token: token, id } = await signInAs(app(), { email, password: demoPassword })
    const { body } = await app().call(`GET /api/v4/users/${id}/delegators`, { token })
    const names = body.list.map((one: { name: string }) => one.name)
    expect(names, email).toEqual(email === 'ned@acme.test' ? ['Olivia Berger'] : [])
  }
})

test('staff can add beta to a user, and other users are not restricted without it', async () => {
  const as = async (email: string) => signInAs(app(), { email, password: demoPassword })
  const { access_token: token } = await as('admin@example.test')
  const { id } = await as('jane@acme.test')
  const host = 'admin.localhost:8000'
  const added = await app().call(`POST /api/v4/users/${id}/skus/beta`, { token, host, body: {} })
  expect(added.status).toBe(200)
  const owner = await as('owner@acme.test')
  const { body } = await app().call('GET /api/auth/info', { token: owner.access_token })
  expect(body.statusInfo).toMatchObject({ enableBeta: true, enableFiles: true, enableResources: true })
})

test("the owner's wallet has a history, and the account that has to pay is in debt", async () => {
  const wallet = async (email: string) => {
    const { access_token: token, id } = await signInAs(app(), { email, password: demoPassword })
    const { body } = await app().call(`GET /api/v4/users/${id}`, { token })
    const path = `/api/v4/wallets/${body.wallet.id}`
    const entries = await app().call(`GET ${path}/transactions`, { token })
    return {
      token,
      path,
      user: body,
      list: entries.body.list as { id: string; type: string; amount: number }[],
    }
  }
  const owner = await wallet('owner@acme.test')
  expect(owner.list.map((entry) => entry.type)).toEqual(['credit', 'debit', 'debit', 'award', 'credit'])
  const charge = owner.list.find((entry) => entry.type === 'debit')
  const details = await app().call(`GET ${owner.path}/transactions?transaction=${charge?.id}`, {
    token: owner.token,
  })
  expect(details.body.count).toBe(6)
  expect(owner.user.wallet.balance).toBeGreaterThan(0)
  const receipts = await app().call(`GET ${owner.path}/receipts`, { token: owner.token })
  expect(receipts.body.list.at(-1)).toMatchObject({ amount: 10_000, documents: [{ kind: 'receipt' }] })
  const debtor = await wallet('degraded@example.test')
  expect(debtor.user).toMatchObject({ isDegraded: true, wallet: { balance: expect.any(Number) } })
  expect(debtor.user.wallet.balance).toBeLessThan(0)
  expect(await verifyLedger(app().database.db)).toEqual([])
})

test('the owner has a pending payment that can be continued', async () => {
  const owner = { email: 'owner@acme.test', password: demoPassword }
  const { access_token: token } = await signInAs(app(), owner)
  app().clock.advance(60)
  await app().jobs.enqueue(app().database.db, reconcileJob, {})
  await app().jobs.drain()
  const { body } = await app().call('GET /api/v4/payments/pending', { token })
  expect(body.list).toEqual([
    expect.objectContaining({ amount: 3_000, status: 'pending', isCancelable: true }),
  ])
  const page = await app().call(`GET ${new URL(body.list[0].checkoutUrl).pathname}`)
  expect(page.body).toContain('Olivia Berger')
  const methods = await app().call('GET /api/v4/payments/methods?type=oneoff', { token })
  expect(methods.body.map((method: { id: string }) => method.id)).toContain('banktransfer')
  // past payments match the sandbox
  expect(await app().database.db.selectFrom('paymentAlarms').selectAll().execute()).toEqual([])
  expect(await verifyLedger(app().database.db)).toEqual([])
})

test('the account with a custom domain has two lists, two resources, and a folder of each type', async () => {
  const owner = { email: 'owner@acme.test', password: demoPassword }
  const { access_token: token } = await signInAs(app(), owner)
  await app().jobs.drain()
  const list = async (path: string) => (await app().call(`GET /api/v4/${path}`, { token })).body.list
  const names = (rows: { name: string; isReady: boolean }[]) =>
    rows.filter((row) => row.isReady).map((row) => row.name)
  expect(names(await list('groups'))).toEqual(['All staff', 'Sales'])
  expect(names(await list('resources'))).toEqual(['Company car', 'Meeting room'])
  const folders = await list('shared-folders?sort=type')
  expect(folders.map((row: { type: string }) => row.type)).toEqual([
    'contact',
    'event',
    'file',
    'mail',
    'note',
    'task',
  ])
  const [car] = await list('resources')
  const { body } = await app().call(`GET /api/v4/resources/${car.id}`, { token })
  expect(body.config.invitation_policy).toBe('manual:owner@acme.test')
})

test('the account with a custom domain has a room with a moderator, and a locked one with a password', async () => {
  const as = async (email: string) => {
    const { access_token: token } = await signInAs(app(), { email, password: demoPassword })
    return (path: string) => app().call(`GET /api/v4/${path}`, { token })
  }
  const owner = await as('owner@acme.test')
  const { list } = (await owner('rooms')).body
  expect(list.map((room: { name: string }) => room.name)).toEqual(['acme-board', 'acme-daily'])
  expect((await owner('rooms/acme-board')).body.config).toMatchObject({
    locked: true,
    password: demoPassword,
  })
  expect((await owner('rooms/acme-daily')).body.config).toMatchObject({ acl: ['jane@acme.test, full'] })
  const jane = await as('jane@acme.test')
  expect((await jane('rooms')).body.list).toMatchObject([{ name: 'acme-daily', isOwner: false }])
})

test('there is a plan of each mode, a token, vouchers, an open invitation and a referral programme', async () => {
  const { body } = await app().call('GET /api/auth/signup/plans')
  const modes = body.plans.map((plan: { title: string; mode: string }) => `${plan.title} ${plan.mode}`)
  expect(modes).toEqual(['individual email', 'group email', 'phone mandate', 'club token'])
  const last = { domain: 'example.test', password: strongPassword, password_confirmation: strongPassword }
  const tries = [
    { plan: 'phone', voucher: 'TEST100' },
    { plan: 'phone', voucher: 'TEST10' },
    { plan: 'club', token: 'DEMO-TOKEN' },
  ]
  for (const one of tries) {
    const step = { login: 'visitor', ...last, ...one }
    expect((await app().call('POST /api/auth/signup/validate', { body: step })).status).toBe(200)
  }
  const { id } = await app()
    .database.db.selectFrom('signupInvitations')
    .select('id')
    .where('email', '=', 'guest@elsewhere.test')
    .executeTakeFirstOrThrow()
  expect((await app().call(`GET /api/auth/signup/invitations/${id}`)).status).toBe(200)
  const owner = { email: 'owner@acme.test', password: demoPassword }
  const { access_token: token, id: ownerId } = await signInAs(app(), owner)
  const user = await app().call(`GET /api/v4/users/${ownerId}`, { token })
  const programs = await app().call(`GET /api/v4/wallets/${user.body.wallet.id}/referral-programs`, { token })
  expect(programs.body.list).toMatchObject([{ name: 'Bring a friend', refcount: 0 }])
})

describe('the reseller', () => {
  const cockpit = async (path: string) => {
    const { access_token: token } = await signInAs(app(), {
      email: 'reseller@partner.test',
      password: demoPassword,
    })
    return (await app().call(`GET ${path}`, { token, host: 'reseller.localhost' })).body
  }

  test('has customers, including a suspended one with a reason and one who has to pay', async () => {
    const found = async (search: string) => (await cockpit(`/api/v4/users?search=${search}`)).list
    expect((await found('partner.test')).length).toBeGreaterThan(0)
    const [nina] = await found('nina@partner.test')
    expect(nina).toMatchObject({ isSuspended: true, tenant_id: 1 })
    expect((await cockpit(`/api/v4/users/${nina.id}`)).suspension_reason).toBe('abuse')
    const log = await cockpit(`/api/v4/eventlog/user/${nina.id}`)
    expect(log.list[0]).toMatchObject({ kind: 'user.suspend', user: 'reseller@partner.test' })
    const [luca] = await found('luca@partner.test')
    expect(luca).toMatchObject({ isDegraded: true })
    const [clara] = await found('clara@bistro.test')
    const users = await cockpit(`/api/v4/users?owner=${clara.id}`)
    expect(users.list.map((user: { email: string }) => user.email)).toEqual([
      'clara@bistro.test',
      'lea@bistro.test',
      'tom@bistro.test',
    ])
  })

  test('has invitations in every state on the first page', async () => {
    const { list } = await cockpit('/api/v4/invitations')
    type Item = Record<'isNew' | 'isSent' | 'isFailed' | 'isCompleted' | 'isExpired', boolean>
    for (const state of ['isNew', 'isSent', 'isFailed', 'isCompleted', 'isExpired'] as const) {
      expect(
        list.some((item: Item) => item[state]),
        state,
      ).toBe(true)
    }
  })

  test("has revenue from several past months in the tenant's wallet", async () => {
    const { list } = await cockpit('/api/v4/tenants/1/settlements')
    expect(list.length).toBeGreaterThan(2)
    const lines = (await cockpit(`/api/v4/tenants/1/settlements/${list[1].period}`)).lines
    expect(lines.map((line: { email: string }) => line.email)).toContain('clara@bistro.test')
    const earned = list.reduce((sum: number, month: { profit: number }) => sum + month.profit, 0)
    const tenant = await cockpit('/api/v4/tenants/1')
    expect(tenant).toMatchObject({ title: 'Partner', wallet: { balance: earned }, usage: { users: 7 } })
    expect(earned).toBeGreaterThan(0)
    expect(await verifyLedger(app().database.db)).toEqual([])
  })
})

test('the owner has files, and a collection that another user can read', async () => {
  const { database, clock, secrets } = app()
  await makeDemoFiles({
    db: database.db,
    clock,
    config: loadConfig({ DATA_DIR: app().dataDir }),
    secrets,
  })
  const namesOf = async (email: string, path: string) => {
    const { access_token: token } = await signInAs(app(), { email, password: demoPassword })
    const { body } = await app().call(`GET ${path}`, { token })
    return body.list.map((item: { name: string }) => item.name)
  }
  expect(await namesOf('owner@acme.test', '/api/v4/fs')).toEqual(['Projects', 'Welcome.txt'])
  expect(await namesOf('jane@acme.test', '/api/v4/fs/shared')).toEqual(['Projects'])
})
