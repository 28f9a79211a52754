import { userStatus } from '@gatehouse/contract/status'
import { beforeEach, describe, expect, test } from 'vitest'
import { makeAccount, packageOf, skusOf, type TestAccount } from '../../testing/account-fixture.ts'
import { jobsDue, makeDomain, makeTenant, makeUser, setStatus, signInAs } from '../../testing/factories.ts'
import { makeStaff } from '../../testing/staff.ts'
import { useTestApp } from '../../testing/test-app.ts'
import { setDomainSuspended } from './suspend-domain.ts'

const app = useTestApp({ APP_URL: 'https://portal.gatehouse.test' })
let account: TestAccount
let hosting = ''
let made = 0

beforeEach(async () => {
  account = await makeAccount(app())
  hosting = await packageOf(app(), 'domain-hosting')
})

const nextName = () => `brought${++made}.test`
const bring = (body: Record<string, unknown> = {}, who: 'owner' | 'controller' | 'member' = 'owner') =>
  account.as(who, 'POST /api/v4/domains', { namespace: nextName(), package: hosting, ...body })
const read = async (id: number) => (await account.as('owner', `GET /api/v4/domains/${id}`)).body
const events = async (id: number) => {
  const { rows } = await app().database.pool.query<{ event: string; wallet_id: string }>(
    `select event, wallet_id from event_log where object_type = 'domain' and object_id = $1 order by id`,
    [id],
  )
  expect(rows.every((row) => row.wallet_id === account.owner.walletId)).toBe(true)
  return rows.map((row) => row.event)
}

describe('adding a domain', () => {
  test('creates it unconfirmed, billed to the account, with its own token', async () => {
    const namespace = nextName()
    const { status, body } = await bring({ namespace: ` ${namespace.toUpperCase()} ` })
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { status: 'success', message: 'The domain has been added.' },
    })
    const shown = await read(body.id)
    expect(shown).toMatchObject({
      id: body.id,
      namespace,
      displayName: namespace,
      type: 4,
      status: 1,
      isActive: false,
      isConfirmed: false,
      isVerified: false,
      isReady: false,
      isDeleted: false,
      isEmpty: true,
      deleted_at: null,
      missingSince: null,
      config: { spf_whitelist: [] },
      hash_cname: 'kolab-verify',
      wallet: { id: account.owner.walletId, user_id: account.owner.id },
      canUpdate: true,
      canDelete: true,
      canConfigure: true,
      canReadEvents: true,
    })
    expect(shown.hash_code).toMatch(/^[0-9a-f]{32}$/)
    expect(shown.hash_text).toBe(`kolab-verify=${shown.hash_code}`)
    expect(shown.dns).toHaveLength(8)
    expect(shown.dns).toContain(`kolab-verify.${namespace}. IN CNAME ${shown.hash_code}.${namespace}.`)
    expect(shown.proof).toMatchObject({
      name: 'gatehouse-verify',
      text: `gatehouse-verify=${shown.hash_code}`,
    })
    expect(shown.proof.zone).toHaveLength(8)
    expect(shown.proof.zone).toContain(`@ 3600  IN TXT "gatehouse-verify=${shown.hash_code}"`)
    expect(shown.mx).toContain('@ 3600 IN MX 10 mx.portal.gatehouse.test.')
    expect(shown.mx).toContain('@ 3600 IN TXT "v=spf1 include:spf.portal.gatehouse.test ~all"')
    expect(shown.statusInfo).toMatchObject({ isDone: false, processState: 'running' })
    expect(shown.statusInfo.process.map((step: { label: string }) => step.label)).toEqual([
      'domain-new',
      'domain-verified',
      'domain-confirmed',
    ])
    expect(shown.dnsReport.records).toHaveLength(6)
    expect(shown.dnsReport.checkedAt).toBeNull()
    expect(await skusOf(app(), body.id)).toEqual({ 'domain-hosting': 1 })
    expect(await events(body.id)).toEqual(['domain.created'])
  })

  test('costs from the second domain on', async () => {
    const { body } = await bring()
    const { skus } = await read(body.id)
    expect(Object.values(skus)).toEqual([{ count: 1, costs: [100] }])
  })

  test('keeps the original script for display', async () => {
    const { body } = await bring({ namespace: 'Bücher.test' })
    expect(await read(body.id)).toMatchObject({ namespace: 'xn--bcher-kva.test', displayName: 'bücher.test' })
  })

  test('is allowed for a controller', async () => {
    expect((await bring({}, 'controller')).status).toBe(200)
    expect((await bring({}, 'member')).status).toBe(403)
  })

  test('is refused to an account that has to pay first', async () => {
    await setStatus(app(), account.owner, 35 | userStatus.degraded)
    for (const who of ['owner', 'controller'] as const) {
      const { status, body } = await bring({}, who)
      expect({ status, message: body.message }).toEqual({
        status: 403,
        message: 'This account is unpaid. Top up the balance before you add domains.',
      })
    }
  })

  test('is refused if the plan has no domains, matching the flag', async () => {
    const single = await makeUser(app(), { plan: 'individual' })
    const { access_token: token } = await signInAs(app(), single)
    const { body } = await app().call('GET /api/auth/info', { token })
    expect(body.statusInfo.enableDomains).toBe(false)
    const input = { namespace: nextName(), package: hosting }
    expect((await app().call('POST /api/v4/domains', { token, body: input })).status).toBe(403)
  })

  test.each([
    [undefined, ['Fill in this field.']],
    [null, ['Fill in this field.']],
    ['', ['Fill in this field.']],
    ['nodot', ['This domain name isn’t valid.']],
    ['www.company.test', ['This domain name isn’t valid.']],
    ['co.uk', ['This domain name isn’t valid.']],
    ['github.io', ['This domain name isn’t valid.']],
    ['192.168.1.1', ['This domain name isn’t valid.']],
    ['0x7f.1', ['This domain name isn’t valid.']],
    ['[::1]', ['This domain name isn’t valid.']],
    ['a@b.test', ['This domain name isn’t valid.']],
    ['a b.test', ['This domain name isn’t valid.']],
    [`${'a'.repeat(64)}.test`, ['This domain name isn’t valid.']],
    [`${'abcdefgh.'.repeat(22)}test`, ['This domain name isn’t valid.']],
    ['portal.gatehouse.test', ['This domain name isn’t valid.']],
    ['mail.portal.gatehouse.test', ['This domain name isn’t valid.']],
    ['gatehouse.test', ['This domain name isn’t valid.']],
    ['printer.local', ['This domain name isn’t valid.']],
    ['a.localhost', ['This domain name isn’t valid.']],
    ['x\0y.test', ['This must be text.']],
  ])('rejects the name %j', async (namespace, expected) => {
    const { status, body } = await bring({ namespace })
    expect({ status, errors: body.errors }).toEqual({ status: 422, errors: { namespace: expected } })
  })

  test('rejects a name that is not text or far too long', async () => {
    for (const namespace of [7, true, {}, ['a.test'], 'x'.repeat(5000)]) {
      const { status, body } = await bring({ namespace })
      expect({ status, fields: Object.keys(body.errors) }).toEqual({ status: 422, fields: ['namespace'] })
    }
  })

  test('rejects a name that is taken, was deleted recently or is public', async () => {
    const other = await makeAccount(app())
    await makeDomain(app(), 'open-to-all.test')
    const gone = (
      await other.as('owner', 'POST /api/v4/domains', { namespace: nextName(), package: hosting })
    ).body.id
    const { namespace } = (await other.as('owner', `GET /api/v4/domains/${gone}`)).body
    await other.as('owner', `DELETE /api/v4/domains/${gone}`)
    for (const taken of [other.domain, account.domain, namespace]) {
      const { status, body } = await bring({ namespace: taken })
      expect({ status, errors: body.errors }).toEqual({
        status: 422,
        errors: { namespace: 'This domain isn’t available.' },
      })
    }
    for (const open of ['open-to-all.test', 'sub.open-to-all.test']) {
      expect((await bring({ namespace: open })).body.errors.namespace).toEqual([
        'This domain name isn’t valid.',
      ])
    }
  })

  test.each([
    [undefined, 'Choose a package.'],
    ['kolab', 'Choose a package.'],
    ['3f0e1c52-0000-7000-8000-000000000000', 'Choose a package.'],
  ])('rejects the package %j', async (chosen, text) => {
    const { status, body } = await bring({ package: chosen })
    expect({ status, errors: body.errors }).toEqual({ status: 422, errors: { package: text } })
  })

  test('creates nothing if the package is for users or not on sale', async () => {
    const namespace = nextName()
    const forUsers = await packageOf(app(), 'kolab')
    expect((await bring({ namespace, package: forUsers })).body.errors).toEqual({
      package: 'This package can’t be used here. Choose another one.',
    })
    const sale = (active: boolean) =>
      app().database.pool.query(`update skus set active = $1 where title = 'domain-hosting'`, [active])
    await sale(false)
    const { body } = await bring({ namespace })
    await sale(true)
    expect(body.errors).toEqual({ package: 'This package isn’t on sale. Choose another one.' })
    const { rows } = await app().database.pool.query('select from domains where namespace = $1', [namespace])
    expect(rows).toEqual([])
  })

  test('succeeds for one of two concurrent requests', async () => {
    const other = await makeAccount(app())
    const namespace = nextName()
    const input = { namespace, package: hosting }
    const answers = await Promise.all([
      account.as('owner', 'POST /api/v4/domains', input),
      account.as('controller', 'POST /api/v4/domains', input),
      other.as('owner', 'POST /api/v4/domains', input),
    ])
    expect(answers.map((answer) => answer.status).toSorted((one, other) => one - other)).toEqual([
      200, 422, 422,
    ])
    const winner = answers.find((answer) => answer.status === 200)
    expect(await skusOf(app(), winner?.body.id)).toEqual({ 'domain-hosting': 1 })
  })

  test('updates the view of the account immediately', async () => {
    const owner = await makeUser(app(), { plan: 'group' })
    const { access_token: token } = await signInAs(app(), owner)
    const flag = async () =>
      (await app().call('GET /api/auth/info', { token })).body.statusInfo.enableDistlists
    expect(await flag()).toBe(false)
    const input = { namespace: nextName(), package: hosting }
    const { id } = (await app().call('POST /api/v4/domains', { token, body: input })).body
    expect(await flag()).toBe(true)
    await app().call(`DELETE /api/v4/domains/${id}`, { token })
    expect(await flag()).toBe(false)
    await app().call(`POST /api/v4/domains/${id}/restore`, { token, body: {} })
    expect(await flag()).toBe(true)
  })
})

describe('settings of a domain', () => {
  test('are set all or nothing', async () => {
    const route = `POST /api/v4/domains/${account.domainId}/config`
    const { status, body } = await account.as('owner', route, { spf_whitelist: ['.A.test', '', '.b.test.'] })
    expect({ status, message: body.message }).toEqual({
      status: 200,
      message: 'The domain settings have been saved.',
    })
    const before = await read(account.domainId)
    expect(before.config).toEqual({ spf_whitelist: ['.a.test', '.b.test'] })
    const refused = await account.as('owner', route, { spf_whitelist: ['.c.test', 'd.test'], other: 1 })
    expect(refused.status).toBe(422)
    expect(refused.body.errors).toEqual({
      spf_whitelist: { 1: 'Enter a host name with a leading dot, such as .example.org.' },
      other: 'This setting doesn’t exist.',
    })
    expect((await read(account.domainId)).config).toEqual(before.config)
    await account.as('owner', route, {})
    expect((await read(account.domainId)).revision).toBe(before.revision)
    await account.as('owner', route, { spf_whitelist: [] })
    expect((await read(account.domainId)).revision).not.toBe(before.revision)
    expect(await events(account.domainId)).toEqual(['domain.configured', 'domain.configured'])
  })

  test('are refused to users who do not control the account', async () => {
    const route = `POST /api/v4/domains/${account.domainId}/config`
    expect((await account.as('member', route, { spf_whitelist: ['bad'] })).status).toBe(403)
  })
})

describe('access to a domain', () => {
  test('is refused for other accounts, other tenants and unknown domains', async () => {
    const stranger = await makeUser(app())
    const tenantId = await makeTenant(app(), 900 + ++made)
    const foreign = await makeUser(app(), { tenantId })
    const admin = await makeUser(app(), { role: 'admin' })
    const reseller = await makeUser(app(), { role: 'reseller' })
    const ask = async (user: { email: string; password: string }, method: string, rest = '') => {
      const { access_token: token } = await signInAs(app(), user)
      const route = `${method} /api/v4/domains/${account.domainId}${rest}`
      return (await app().call(route, { token, ...(method === 'POST' && { body: {} }) })).status
    }
    const calls = [
      ['GET', ''],
      ['GET', '/skus'],
      ['GET', '/status'],
      ['GET', '/confirm'],
      ['POST', '/confirm'],
      ['POST', '/dns-check'],
      ['POST', '/config'],
      ['DELETE', ''],
    ] as const
    for (const [method, rest] of calls) {
      expect(await ask(stranger, method, rest), `stranger ${method} ${rest}`).toBe(403)
      expect(await ask(foreign, method, rest), `other tenant ${method} ${rest}`).toBe(404)
      expect(await ask(admin, method, rest), `admin ${method} ${rest}`).toBe(403)
      expect(await ask(reseller, method, rest), `reseller ${method} ${rest}`).toBe(403)
      for (const id of ['0', 'x', '4294967296', '1e3', '99999', '-1']) {
        const route = `${method} /api/v4/domains/${id}${rest}`
        const { status } = await account.as('owner', route, method === 'POST' ? {} : undefined)
        expect(status, route).toBe(404)
      }
    }
  })

  test('shows a public domain without an owner', async () => {
    const id = await makeDomain(app(), `public${++made}.test`)
    const admin = await makeStaff(app(), 'admin')
    const host = 'admin.portal.gatehouse.test'
    const { body } = await admin.call(`GET /api/v4/domains/${id}`, { host })
    expect(body).toMatchObject({ wallet: null, isEmpty: false, canDelete: false, type: 1 })
    expect((await admin.call(`DELETE /api/v4/domains/${id}`, { host })).status).toBe(404)
    expect((await account.as('owner', `GET /api/v4/domains/${id}`)).status).toBe(403)
  })

  test('lists the SKUs it can subscribe to', async () => {
    const { body } = await account.as('owner', `GET /api/v4/domains/${account.domainId}/skus`)
    expect(body.map((sku: { title: string }) => sku.title)).toEqual(['domain-hosting'])
  })
})

describe('the back end', () => {
  const known = (id: number) => app().backend.domains.get(id)

  test('is provisioned with every creation, change, deletion and restoration, even after an outage', async () => {
    app().backend.fail(1)
    const { id } = (await bring()).body
    await app().jobs.drain()
    await jobsDue(app())
    await app().jobs.drain()
    const { namespace } = await read(id)
    expect(known(id)).toEqual({ id, namespace, status: 1 })
    const domain = { id, tenantId: 0 }
    await app()
      .database.db.transaction()
      .execute((trx) => setDomainSuspended(trx, app().clock, domain, true, { actor: {} }))
    await app().jobs.drain()
    expect(known(id)).toMatchObject({ status: 5 })
    await account.as('owner', `DELETE /api/v4/domains/${id}`)
    await app().jobs.drain()
    expect(known(id)).toBeUndefined()
    await account.as('owner', `POST /api/v4/domains/${id}/restore`, {})
    expect(await read(id)).toMatchObject({ status: 5, isDeleted: false })
    await app().jobs.drain()
    expect(known(id)).toMatchObject({ status: 5 })
    expect(await app().jobs.failed()).toEqual([])
  })
})

test('a suspended domain is not active until it is unsuspended; its users may still sign in', async () => {
  const { db } = app().database
  const domain = { id: account.domainId, tenantId: 0 }
  const set = (isSuspended: boolean) =>
    db
      .transaction()
      .execute((trx) => setDomainSuspended(trx, app().clock, domain, isSuspended, { actor: {} }))
  await set(true)
  await set(true)
  expect(await read(account.domainId)).toMatchObject({
    isSuspended: true,
    isActive: false,
    isReady: false,
    status: 52,
  })
  await signInAs(app(), account.member)
  await set(false)
  expect(await read(account.domainId)).toMatchObject({ isSuspended: false, isActive: true, status: 50 })
  expect(await events(account.domainId)).toEqual(['domain.suspend', 'domain.unsuspend'])
})
