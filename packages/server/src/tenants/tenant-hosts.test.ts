import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { loadConfig } from '../main/settings/config.ts'
import { makeDomain, makeTenant, makeUser } from '../testing/factories.ts'
import { DnsServer } from '../testing/servers/dns-server.ts'
import { type MadeStaff, makeStaff } from '../testing/staff.ts'
import { useTestApp } from '../testing/test-app.ts'
import { Brands } from './brand.ts'

const dns = await DnsServer.start()
const app = useTestApp({ DNS_SERVERS: dns.address, DNS_TIMEOUT: '150' })
let admin: MadeStaff
let mallory: MadeStaff
let victim: MadeStaff

afterAll(async () => {
  await dns[Symbol.asyncDispose]()
})

beforeAll(async () => {
  await makeDomain(app(), 'example.test')
  admin = await makeStaff(app(), 'admin')
  mallory = await resellerOf(11)
  victim = await resellerOf(12)
})

beforeEach(async () => {
  await app().database.pool.query('delete from throttles')
})

async function resellerOf(tenantId: number): Promise<MadeStaff> {
  await makeTenant(app(), tenantId)
  const reseller = await makeStaff(app(), 'reseller', tenantId)
  const { db } = app().database
  await db.updateTable('tenants').set({ walletId: reseller.walletId }).where('id', '=', tenantId).execute()
  return reseller
}

const put = (as: MadeStaff, id: number, body: unknown) => as.call(`PUT /api/v4/tenants/${id}`, { body })
const read = async (as: MadeStaff, id: number) => (await as.call(`GET /api/v4/tenants/${id}`)).body
const check = (as: MadeStaff, id: number, name: string) =>
  as.call(`POST /api/v4/tenants/${id}/names/${name}/check`, { body: {} })

/** Returns the brand for a host, at the installation's shared URL by default. */
const brand = (hostname = 'localhost', appUrl = 'http://localhost:8000') =>
  new Brands(app().database.db, loadConfig({ NODE_ENV: 'test', APP_URL: appUrl }), ['default']).of({
    ...{ hostname, variant: 'user' as const, cookie: undefined },
  })

/** Publishes the DNS record that the tenant is shown. */
async function publish(as: MadeStaff, id: number, name: string): Promise<void> {
  const { names } = await read(as, id)
  const { record } = names.find((one: { name: string }) => one.name === name)
  dns.txt(record.name, record.value)
}

async function prove(as: MadeStaff, id: number, name: string): Promise<void> {
  await publish(as, id, name)
  expect((await check(as, id, name)).body).toMatchObject({ status: 'success', name: { state: 'confirmed' } })
}

const stateOf = async (as: MadeStaff, id: number, name: string) =>
  (await read(as, id)).names.find((one: { name: string }) => one.name === name)

describe("a reseller who claims the installation's host", () => {
  test.each([
    ['itself', 'http://localhost:8000'],
    ['at another port', 'https://localhost:1234'],
    ['in capitals with a trailing dot', 'https://LOCALHOST.'],
    ['of the admin cockpit', 'https://admin.localhost'],
    ['of the reseller cockpit', 'https://reseller.localhost:8000/'],
    ['of a service', 'https://autodiscover.localhost'],
    ['of nobody yet, below it', 'https://anything.localhost'],
  ])('cannot claim the host %s', async (_, url) => {
    for (const key of ['app.url', 'app.public_url']) {
      const { status, body } = await put(mallory, 11, { [key]: url })
      expect({ status, fields: Object.keys(body.errors ?? {}) }).toEqual({ status: 422, fields: [key] })
    }
    expect(await brand()).toMatchObject({ tenantId: 0, url: 'http://localhost:8000' })
    expect((await read(mallory, 11)).settings['app.public_url']).toBeNull()
  })

  test('cannot get it through user information in the URL', async () => {
    const url = 'http://localhost:x@evil.example/'
    const { status, body } = await put(mallory, 11, { 'app.public_url': url })
    expect({ status, errors: body.errors }).toEqual({
      status: 422,
      errors: { 'app.public_url': 'Leave out the username and password.' },
    })
    expect((await brand()).url).toBe('http://localhost:8000')
  })

  test('cannot get it through an existing database row', async () => {
    const { pool } = app().database
    const settings = JSON.stringify({ 'app.public_url': 'https://gate.mallory.test' })
    await pool.query('update tenants set settings = $1 where id = 11', [settings])
    await pool.query(
      `insert into tenant_names (tenant_id, name, is_host, claimed_at, confirmed_at, confirmed_by)
        values (11, 'gate.mallory.test', true, now(), now(), 'staff') on conflict do nothing`,
    )
    expect(await brand('gate.mallory.test')).toMatchObject({ tenantId: 11 })
    for (const hostname of ['gate.mallory.test', 'GATE.mallory.test', 'gate.mallory.test.'])
      expect(await brand(hostname, 'https://gate.mallory.test')).toMatchObject({ tenantId: 0 })
    await put(mallory, 11, { 'app.public_url': null })
  })
})

describe('a tenant URL', () => {
  test.each([
    ['a path that would become the base path', 'https://mail.mallory.test/nowhere', 'Enter the host only'],
    ['a query', 'https://mail.mallory.test/?x=1', 'Enter the host only'],
    ['a fragment', 'https://mail.mallory.test/#x', 'Enter the host only'],
    ['a backslash', 'https://mail.mallory.test\\@evil.example', 'Enter the host only'],
    ['a user', 'https://me@mail.mallory.test', 'Leave out the username'],
    ['an IPv4 address', 'https://192.0.2.1', 'Enter a full host name'],
    ['an IPv4 address as a number', 'https://3221225985', 'Enter a full host name'],
    ['an IPv6 address', 'https://[2001:db8::1]', 'Enter a full host name'],
    ['a single label', 'https://intranet', 'Enter a full host name'],
    ['a public suffix', 'https://co.uk', 'Enter a full host name'],
    ['two trailing dots', 'https://mail.mallory.test..', 'Enter a full host name'],
    ['another scheme', 'javascript:alert(1)', 'Enter a web address'],
  ])('with %s is rejected', async (_, url, text) => {
    const { status, body } = await put(mallory, 11, { 'app.url': url })
    expect({ status, error: String(body.errors?.['app.url']) }).toMatchObject({
      status: 422,
      error: expect.stringContaining(text),
    })
  })

  test('is stored in one form, and the port is not part of its identity', async () => {
    const saved = await put(mallory, 11, { 'app.url': 'https://Bücher.Mallory.test.:8443/' })
    expect(saved.status).toBe(200)
    const { settings, names } = await read(mallory, 11)
    expect(settings['app.url']).toBe('https://xn--bcher-kva.mallory.test:8443')
    expect(names).toMatchObject([
      {
        name: 'xn--bcher-kva.mallory.test',
        isHost: true,
        isSender: false,
        state: 'unchecked',
        record: { type: 'TXT', name: '_gatehouse.xn--bcher-kva.mallory.test' },
      },
    ])
    await put(mallory, 11, { 'app.url': null })
    expect((await read(mallory, 11)).names).toEqual([])
  })

  test('or sender that predates the rules and cannot be verified is not listed for verification', async () => {
    const settings = JSON.stringify({ 'app.url': 'http://localhost', 'mail.sender.address': 'me@localhost' })
    await app().database.pool.query('update tenants set settings = $1 where id = 11', [settings])
    expect((await read(mallory, 11)).names).toEqual([])
    expect((await check(mallory, 11, 'localhost')).status).toBe(404)
    expect((await put(mallory, 11, { 'app.url': null, 'mail.sender.address': null })).status).toBe(200)
  })

  test('of the help pages may have a path, but no user information', async () => {
    const help = (url: string) => put(mallory, 11, { 'app.support_url': url })
    expect((await help('https://help.mallory.test/start?lang=en')).status).toBe(200)
    expect((await help('https://localhost:x@evil.example/')).body.errors).toEqual({
      'app.support_url': 'Leave out the username and password.',
    })
  })

  test('that the tenant already has does not block other changes', async () => {
    const { pool } = app().database
    const settings = JSON.stringify({ 'app.public_url': 'http://legacy.localhost' })
    await pool.query('update tenants set settings = $1 where id = 11', [settings])
    const body = { 'app.public_url': 'http://legacy.localhost', 'app.name': 'Mallory' }
    expect((await put(mallory, 11, body)).status).toBe(200)
    await put(mallory, 11, { 'app.public_url': null, 'app.name': null })
  })
})

describe("another tenant's host", () => {
  beforeAll(async () => {
    await put(victim, 12, { 'app.public_url': 'https://mail.victim.test' })
    await prove(victim, 12, 'mail.victim.test')
  })

  test.each([
    'https://mail.victim.test',
    'https://mail.victim.test:444/',
    'https://MAIL.Victim.test.',
    'https://mail.victim。test',
  ])('is rejected as %s', async (url) => {
    const { status, body } = await put(mallory, 11, { 'app.url': url })
    expect({ status, errors: body.errors }).toEqual({
      status: 422,
      errors: { 'app.url': 'Another tenant uses this host.' },
    })
    expect(await brand('mail.victim.test')).toMatchObject({ tenantId: 12 })
  })

  test('goes to exactly one of two concurrent claims', async () => {
    const url = 'https://race.example.test'
    const answers = await Promise.all(
      [0, 1, 2].flatMap(() => [put(mallory, 11, { 'app.url': url }), put(victim, 12, { 'app.url': url })]),
    )
    const { rows } = await app().database.pool.query(
      `select tenant_id from tenant_names where name = 'race.example.test'`,
    )
    expect(rows).toHaveLength(1)
    const winner = rows[0].tenant_id
    answers.forEach(({ status }, turn) => {
      expect(status).toBe((turn % 2 === 0 ? 11 : 12) === winner ? 200 : 422)
    })
    for (const [staff, id] of [
      [mallory, 11],
      [victim, 12],
    ] as const)
      await put(staff, id, { 'app.url': null })
  })

  test('that was never verified becomes available after seven days', async () => {
    await put(mallory, 11, { 'app.url': 'https://squat.victim.test' })
    const ask = () => put(victim, 12, { 'app.url': 'https://squat.victim.test' })
    expect((await ask()).status).toBe(422)
    app().clock.advance(7 * 86_400 + 1)
    victim = await again(victim)
    mallory = await again(mallory)
    admin = await again(admin)
    expect((await ask()).status).toBe(200)
    expect(await stateOf(mallory, 11, 'squat.victim.test')).toMatchObject({
      state: 'failed',
      reason: 'taken',
    })
    await publish(mallory, 11, 'squat.victim.test')
    const late = await check(mallory, 11, 'squat.victim.test')
    expect(late.body).toMatchObject({ status: 'error', name: { state: 'failed', reason: 'taken' } })
    await put(mallory, 11, { 'app.url': null })
    await put(victim, 12, { 'app.url': null })
  })
})

/** Signs the same person in again after the clock was moved. */
async function again(staff: MadeStaff): Promise<MadeStaff> {
  const role = staff === admin ? 'admin' : 'reseller'
  const { body } = await app().call('POST /api/auth/login', {
    body: { email: staff.email, password: staff.password },
  })
  const host = `${role}.localhost:8000`
  return {
    ...staff,
    call: (route, options = {}) => app().call(route, { token: body.access_token, host, ...options }),
  }
}

describe('a host', () => {
  const host = 'portal.mallory.test'
  beforeAll(async () => {
    await put(mallory, 11, { 'app.public_url': `https://${host}`, 'app.name': 'Mallory Mail' })
  })

  test('has no effect before it is verified', async () => {
    expect(await brand(host)).toMatchObject({ tenantId: 0 })
    expect(await stateOf(mallory, 11, host)).toMatchObject({ state: 'unchecked', confirmed_at: null })
    expect((await check(mallory, 11, host)).body).toMatchObject({
      status: 'error',
      message: 'The TXT record wasn’t found yet. New records can take a few hours to appear.',
      name: { state: 'waiting', reason: 'absent', checked_at: expect.any(String) },
    })
  })

  test.each<[string, string, () => void]>([
    ['another value', 'different', () => dns.txt(`_gatehouse.${host}`, `gatehouse-verify=${'0'.repeat(32)}`)],
    [
      'an alias',
      'alias',
      () => {
        dns.add({ name: `_gatehouse.${host}`, type: 'CNAME', data: 'stranger.test' })
      },
    ],
    ['no answer', 'unreachable', () => dns.fail(`_gatehouse.${host}`, 'servfail')],
  ])('is not verified with %s at its record name', async (_, reason, prepare) => {
    prepare()
    if (reason === 'alias') {
      const { record } = await stateOf(mallory, 11, host)
      dns.txt('stranger.test', record.value)
    }
    const { body } = await check(mallory, 11, host)
    expect(body).toMatchObject({ status: 'error', name: { state: 'failed', reason } })
    expect(await brand(host)).toMatchObject({ tenantId: 0 })
    dns.remove(`_gatehouse.${host}`)
    dns.remove('stranger.test')
  })

  test("is not verified by another tenant's record", async () => {
    const { record } = await stateOf(victim, 12, 'mail.victim.test')
    dns.txt(`_gatehouse.${host}`, record.value)
    expect((await check(mallory, 11, host)).body.name).toMatchObject({ state: 'failed', reason: 'different' })
    dns.remove(`_gatehouse.${host}`)
  })

  test('is verified once the record exists, which is recorded in the activity', async () => {
    await publish(mallory, 11, host)
    const answers = await Promise.all([check(mallory, 11, host), check(mallory, 11, host)])
    expect(answers.map(({ body }) => body.status)).toEqual(['success', 'success'])
    expect(await brand(host)).toMatchObject({ tenantId: 11, name: 'Mallory Mail', url: `https://${host}` })
    expect(await brand(`${host}.`)).toMatchObject({ tenantId: 11 })
    const { rows } = await app().database.pool.query(
      `select data from event_log where event = 'tenant.name-confirmed' and object_id = 11`,
    )
    expect(rows).toEqual([{ data: { name: host, by: 'dns' } }])
  })

  test('loses its effect when the setting is removed, even if the record remains', async () => {
    await put(mallory, 11, { 'app.public_url': null })
    expect(await brand(host)).toMatchObject({ tenantId: 0 })
    expect((await check(mallory, 11, host)).status).toBe(404)
  })

  test('is verified when an administrator confirms it with a reason', async () => {
    await put(mallory, 11, { 'app.public_url': `https://${host}` })
    const path = `POST /api/v4/tenants/11/names/${host}/confirm`
    expect((await mallory.call(path, { body: { reason: 'mine' } })).status).toBe(404)
    expect((await admin.call(path, { body: {} })).body.errors).toHaveProperty('reason')
    expect((await admin.call(path, { body: { reason: 'Contract 4711' } })).status).toBe(200)
    expect(await stateOf(admin, 11, host)).toMatchObject({ state: 'confirmed', confirmedBy: 'staff' })
    const { rows } = await app().database.pool.query(
      `select comment, data from event_log where event = 'tenant.name-confirmed' order by id desc limit 1`,
    )
    expect(rows).toEqual([{ comment: 'Contract 4711', data: { name: host, by: 'staff' } }])
    await put(mallory, 11, { 'app.public_url': null })
  })

  test('can only be verified by those who may see the tenant', async () => {
    expect((await check(mallory, 12, 'mail.victim.test')).status).toBe(404)
    expect(
      (await app().call('POST /api/v4/tenants/12/names/mail.victim.test/check', { body: {} })).status,
    ).toBe(404)
    expect((await check(victim, 12, 'mail.elsewhere.test')).status).toBe(404)
  })

  test('has throttled checks', async () => {
    await put(mallory, 11, { 'app.public_url': `https://${host}` })
    dns.remove(`_gatehouse.${host}`)
    const statuses: number[] = []
    for (let turn = 0; turn < 13; turn++) statuses.push((await check(mallory, 11, host)).status)
    expect(statuses.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => 200))
    expect(statuses.at(-1)).toBe(429)
    await put(mallory, 11, { 'app.public_url': null })
  })
})

describe("e-mails to a tenant's customers", () => {
  async function resetMail(tenantId: number) {
    const external = `guest${tenantId}-${Math.random()}@elsewhere.test`
    const guest = await makeUser(app(), { tenantId, settings: { external_email: external } })
    await app().call('POST /api/auth/password-reset/init', { body: { email: guest.email } })
    const mails = await app().mails()
    const mail = mails.find((one) => JSON.stringify(one).includes(external))
    return {
      text: mail?.text ?? '',
      from: JSON.stringify(mail?.from),
      replyTo: JSON.stringify(mail?.replyTo),
    }
  }

  test('never link to an unverified host', async () => {
    await put(mallory, 11, { 'app.public_url': 'https://evil.example.org' })
    const { text } = await resetMail(11)
    expect(text).toContain('http://localhost:8000/password-reset/')
    expect(text).not.toContain('evil.example.org')
  })

  test('link to the verified host', async () => {
    expect((await resetMail(12)).text).toContain('https://mail.victim.test/password-reset/')
  })

  test("are not sent from a bank's domain", async () => {
    expect((await put(mallory, 11, { 'mail.sender.address': 'security@bank.example' })).status).toBe(200)
    const { from, replyTo } = await resetMail(11)
    expect(from).toContain('noreply@localhost')
    expect(replyTo).toContain('security@bank.example')
    expect((await read(mallory, 11)).sender).toEqual({
      address: 'noreply@localhost',
      isOwn: false,
      replyTo: 'security@bank.example',
    })
  })

  test('are sent from a domain that the tenant verified, and its subdomains', async () => {
    await put(mallory, 11, { 'mail.sender.address': 'hello@mallory.test' })
    await prove(mallory, 11, 'mallory.test')
    expect((await resetMail(11)).from).toContain('hello@mallory.test')
    await put(victim, 12, { 'mail.sender.address': 'hello@news.mail.victim.test' })
    expect((await resetMail(12)).from).toContain('hello@news.mail.victim.test')
    expect(await stateOf(victim, 12, 'news.mail.victim.test')).toMatchObject({ confirmedBy: 'parent' })
  })

  test('are not sent from a parent of a verified name', async () => {
    await put(victim, 12, { 'mail.sender.address': 'security@victim.test' })
    expect((await resetMail(12)).from).toContain('noreply@localhost')
  })

  test("are sent from the tenant's own confirmed domain, not from its customers'", async () => {
    await makeDomain(app(), 'own.example', { tenantId: 12, type: 4, walletId: victim.walletId })
    await put(victim, 12, { 'mail.sender.address': 'hello@own.example' })
    expect((await resetMail(12)).from).toContain('hello@own.example')
    expect(await stateOf(victim, 12, 'own.example')).toMatchObject({
      state: 'confirmed',
      confirmedBy: 'directory',
    })
    const customer = await makeUser(app(), { tenantId: 12 })
    await makeDomain(app(), 'customer.example', { tenantId: 12, type: 4, walletId: customer.walletId })
    await put(victim, 12, { 'mail.sender.address': 'boss@customer.example' })
    expect((await resetMail(12)).from).toContain('noreply@localhost')
  })

  test.each([
    ['the domain of the installation', 'security@mail.localhost'],
    ['a sign-up domain of the service', 'security@example.test'],
    ['a name below it', 'security@bank.example.test'],
    ['a sign-up domain of another tenant', 'security@open.example'],
    ['a public suffix', 'security@co.uk'],
  ])('cannot be set to come from %s', async (_, address) => {
    if (address.endsWith('open.example')) await makeDomain(app(), 'open.example', { tenantId: 12 })
    const { status, body } = await put(mallory, 11, { 'mail.sender.address': address })
    expect({ status, fields: Object.keys(body.errors ?? {}) }).toEqual({
      status: 422,
      fields: ['mail.sender.address'],
    })
  })
})

test('settings of a tenant require recent authentication', async () => {
  app().clock.advance(700)
  for (const [route, body] of [
    ['PUT /api/v4/tenants/11', { 'app.url': 'https://later.mallory.test' }],
    ['PUT /api/v4/tenants/11', { 'mail.sender.address': 'hello@later.test' }],
  ] as const) {
    const { status, body: answer } = await mallory.call(route, { body })
    expect({ status, stepUp: answer.stepUp }).toEqual({ status: 403, stepUp: true })
  }
  const confirm = await admin.call('POST /api/v4/tenants/11/names/mallory.test/confirm', {
    body: { reason: 'x' },
  })
  expect(confirm).toMatchObject({ status: 403, body: { stepUp: true } })
})
