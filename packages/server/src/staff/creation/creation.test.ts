import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makeAccount, skusOf, type TestAccount } from '../../testing/account-fixture.ts'
import { newObject } from '../../testing/directory-fixture.ts'
import { makeController, makeDomain, setStatus } from '../../testing/factories.ts'
import { type MadeStaff, makeStaff } from '../../testing/staff.ts'
import { useTestApp } from '../../testing/test-app.ts'

const app = useTestApp()
let account: TestAccount
let admin: MadeStaff
let reseller: MadeStaff

const reason = 'asked by phone'

beforeAll(async () => {
  await makeDomain(app(), 'example.test')
  admin = await makeStaff(app(), 'admin')
  reseller = await makeStaff(app(), 'reseller')
})

beforeEach(async () => {
  account = await makeAccount(app())
})

const path = (rest: string, id = account.owner.id) => `/api/v4/accounts/${id}/${rest}`
const create = (kind: string, body: object, by: MadeStaff = admin) =>
  by.call(`POST ${path(kind)}`, { body: { reason, ...body } })

async function packageOf(title: string): Promise<string> {
  const { body } = await admin.call(`GET ${path('creation')}`)
  return body.packages.find((one: { title: string }) => one.title === title).id
}

async function newUser(facts: object = {}) {
  return { email: `new@${account.domain}`, package: await packageOf('kolab'), ...facts }
}

/** Returns what the owner sees in the activity about an object's creation. */
async function recordOf(id: number) {
  const { body } = await account.as('owner', 'GET /api/v4/events')
  return body.list.find((one: { objectId: number }) => one.objectId === id)
}

describe('a user created by staff', () => {
  test('has no password until the link is used, which only the owner receives', async () => {
    const { body } = await create('users', await newUser({ first_name: 'Ada' }))
    expect(body).toMatchObject({ status: 'success', id: expect.any(Number) })
    expect(JSON.stringify(body)).not.toContain('password-reset')
    expect(await skusOf(app(), body.id)).toMatchObject({ mailbox: 1 })

    const [mail] = await app().mails()
    expect(JSON.stringify(mail?.to)).toContain(account.owner.email)
    const [, shortCode, code] = /\/password-reset\/(\w+)-(\w+)/.exec(mail?.text ?? '') ?? []
    const seen = await account.as('owner', `GET /api/v4/users/${body.id}`)
    expect(seen.body).toMatchObject({
      passwordLinkCode: `${shortCode}-${code}`,
      settings: { first_name: 'Ada' },
    })
    const staffPage = await admin.call(`GET /api/v4/users/${body.id}`)
    expect(JSON.stringify(staffPage.body)).not.toContain(code)

    const password = 'a long enough passphrase 7'
    const secret = { password, password_confirmation: password, code, short_code: shortCode }
    expect((await app().call('POST /api/auth/password-reset', { body: secret })).status).toBe(200)
    const login = { email: `new@${account.domain}`, password }
    expect((await app().call('POST /api/auth/login', { body: login })).status).toBe(200)
  })

  test('is recorded with the staff member and the reason', async () => {
    const { body } = await create('users', await newUser(), reseller)
    expect(await recordOf(body.id)).toMatchObject({
      event: 'user.created',
      actor: reseller.email,
      comment: reason,
    })
  })

  test('cannot be given a password by staff', async () => {
    const password = 'chosen by support 1'
    const { body } = await create('users', await newUser({ password, password_confirmation: password }))
    const login = { email: `new@${account.domain}`, password }
    expect((await app().call('POST /api/auth/login', { body: login })).status).toBe(401)
    const { rows } = await app().database.pool.query('select password_hash from users where id = $1', [
      body.id,
    ])
    expect(rows).toEqual([{ password_hash: null }])
  })

  test('needs an address, a package and a reason, all reported at once', async () => {
    const { status, body } = await admin.call(`POST ${path('users')}`, { body: {} })
    expect([status, Object.keys(body.errors).sort()]).toEqual([422, ['email', 'reason']])
    const missing = await create('users', { email: `new@${account.domain}` })
    expect(Object.keys(missing.body.errors)).toEqual(['package'])
    const taken = await create('users', await newUser({ email: account.member.email }))
    expect(Object.keys(taken.body.errors)).toEqual(['email'])
    const foreign = await create('users', await newUser({ email: 'x@nowhere.test' }))
    expect(Object.keys(foreign.body.errors)).toEqual(['email'])
  })

  test("costs what the preview says, and no more than the account's limit", async () => {
    const { package: id } = await newUser()
    const { body } = await admin.call(`POST ${path('users/preview')}`, { body: { package: id } })
    expect(body.monthly.next).toBeGreaterThan(0)
    await app()
      .database.db.insertInto('walletSettings')
      .values({ walletId: account.owner.walletId, key: 'monthly_ceiling', value: '1' })
      .execute()
    const over = await create('users', await newUser())
    expect([over.status, Object.keys(over.body.errors)]).toEqual([422, ['package']])
    const preview = await admin.call(`POST ${path('users/preview')}`, { body: { package: id } })
    expect([preview.status, Object.keys(preview.body.errors)]).toEqual([422, ['package']])
  })
})

describe('staff can create', () => {
  test('a domain, which its owner must confirm', async () => {
    const namespace = `more-${account.domain}`
    const { body } = await create('domains', { namespace, package: await packageOf('domain-hosting') })
    const seen = await account.as('owner', `GET /api/v4/domains/${body.id}`)
    expect(seen.body).toMatchObject({ namespace, isConfirmed: false })
    expect(await recordOf(body.id)).toMatchObject({
      event: 'domain.created',
      actor: admin.email,
      comment: reason,
    })
  })

  test.each(['groups', 'resources', 'shared-folders'] as const)('%s', async (kind) => {
    const { status, body } = await create(kind, newObject(account, kind))
    expect(status).toBe(200)
    expect((await account.as('owner', `GET /api/v4/${kind}/${body.id}`)).status).toBe(200)
    expect(await recordOf(body.id)).toMatchObject({ actor: admin.email, comment: reason })
  })

  const offered = [
    { kind: 'users', type: 'user', title: 'kolab' },
    { kind: 'domains', type: 'domain', title: 'domain-hosting' },
    { kind: 'groups', type: 'group' },
    { kind: 'resources', type: 'resource' },
    { kind: 'shared-folders', type: 'sharedFolder' },
  ] as const

  test.each(offered)("$kind at the price shown to the account's owner", async (one) => {
    const chosen = 'title' in one ? { package: await packageOf(one.title) } : {}
    const told = await account.as('owner', 'POST /api/v4/subscriptions/preview', {
      ...{ type: one.type, action: 'create' },
      ...chosen,
    })
    expect(told.body.lines.length).toBeGreaterThan(0)
    expect((await admin.call(`POST ${path(`${one.kind}/preview`)}`, { body: chosen })).body).toEqual(
      told.body,
    )
  })

  test('no list that forwards mail to outside recipients', async () => {
    const members = [account.member.email, 'x@elsewhere.test']
    const { status, body } = await create('groups', newObject(account, 'groups', { members }))
    expect([status, body.errors]).toEqual([422, { members: { 1: expect.stringContaining('this account') } }])
  })

  test.each(['users', 'domains', 'groups', 'resources', 'shared-folders'])(
    '%s only with a reason',
    async (kind) => {
      const { status, body } = await admin.call(`POST ${path(kind)}`, { body: { reason: 'no' } })
      expect([status, Object.keys(body.errors)]).toEqual([422, expect.arrayContaining(['reason'])])
    },
  )
})

describe('staff cannot create anything', () => {
  const kinds = ['users', 'domains', 'groups', 'resources', 'shared-folders']

  async function statuses(by: MadeStaff = admin) {
    const answers = await Promise.all(kinds.map((kind) => create(kind, {}, by)))
    return new Set(answers.map(({ status }) => status))
  }

  const obstacle = async (by: MadeStaff = admin) => (await by.call(`GET ${path('creation')}`)).body.obstacle

  test('in an account that denies staff access', async () => {
    expect(await obstacle()).toBeNull()
    await app()
      .database.db.insertInto('userSettings')
      .values({ userId: account.owner.id, key: 'staff_access_policy', value: 'false' })
      .execute()
    expect(await statuses()).toEqual(new Set([403]))
    expect(await obstacle()).toBe('refused')
  })

  test('in an account that must pay first', async () => {
    await setStatus(app(), account.owner, 2 | 64)
    expect(await statuses()).toEqual(new Set([403]))
    expect(await obstacle()).toBe('degraded')
  })

  test('in an account that they control', async () => {
    const insider = await makeStaff(app(), 'admin')
    await makeController(app(), insider, account.owner.walletId)
    expect(await statuses(insider)).toEqual(new Set([403]))
    expect(await obstacle(insider)).toBe('refused')
  })

  test('for colleagues and for users who own no account', async () => {
    const body = { reason }
    expect((await admin.call(`POST ${path('users', reseller.id)}`, { body })).status).toBe(403)
    expect((await admin.call(`POST ${path('users', account.member.id)}`, { body })).status).toBe(404)
  })
})

test('the offer lists packages, prices, domains and kinds of the account', async () => {
  const { body } = await reseller.call(`GET ${path('creation')}`)
  expect(body).toMatchObject({
    owner: { id: account.owner.id, email: account.owner.email },
    obstacle: null,
    domains: [account.domain],
    isDomainWaiting: false,
    currency: 'CHF',
  })
  expect(body.kinds).toEqual(['users', 'domains', 'groups', 'resources', 'shared-folders'])
  expect(body.skus.every((sku: { nextCost: number; active: number }) => sku.active === 1)).toBe(true)
})

describe('a service user', () => {
  const createService = (body: object, by: MadeStaff = admin) =>
    by.call('POST /api/v4/service-users', { body: { reason, ...body } })

  test("is created by admins in the service's tenant, with a password that is shown once", async () => {
    const { status, body } = await createService({ email: 'robot@example.test' })
    expect([status, body.email, body.password]).toEqual([200, 'robot@example.test', expect.any(String)])
    const { rows } = await app().database.pool.query(
      `select u.role, u.tenant_id, e.actor_email, e.comment from users u
       join event_log e on e.object_type = 'user' and e.object_id = u.id where u.id = $1`,
      [body.id],
    )
    expect(rows).toEqual([{ role: 'service', tenant_id: 0, actor_email: admin.email, comment: reason }])
    const login = { email: body.email, password: body.password }
    expect((await app().call('POST /api/auth/login', { body: login })).status).toBe(401)
  })

  test("needs a free address outside customers' domains", async () => {
    await createService({ email: 'twice@example.test' })
    for (const email of ['twice@example.test', `robot@${account.domain}`, 'nonsense', null]) {
      const { status, body } = await createService({ email })
      expect([status, Object.keys(body.errors)], String(email)).toEqual([422, ['email']])
    }
  })
})
