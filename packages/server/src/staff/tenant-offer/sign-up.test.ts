import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makeDiscount, makeDomain } from '../../testing/factories.ts'
import { DnsServer } from '../../testing/servers/dns-server.ts'
import { makeOfferingTenant, type OfferingTenant } from '../../testing/signup/offering-tenant.ts'
import { type MadeStaff, makeStaff } from '../../testing/staff.ts'
import { useTestApp } from '../../testing/test-app.ts'

const dns = await DnsServer.start()
const app = useTestApp({ DNS_SERVERS: dns.address, DNS_TIMEOUT: '150' })
let admin: MadeStaff
let partner: OfferingTenant
let other: OfferingTenant

afterAll(async () => {
  await dns[Symbol.asyncDispose]()
})

beforeAll(async () => {
  await makeDomain(app(), 'example.test')
  admin = await makeStaff(app(), 'admin')
  partner = await makeOfferingTenant(app(), 'partner')
  other = await makeOfferingTenant(app(), 'other')
})

beforeEach(async () => {
  await app().database.pool.query('delete from throttles')
})

const limit = (limits: Record<string, unknown>) =>
  admin.call(`PUT /api/v4/tenants/${partner.id}/limits`, { body: limits })

describe('a public domain', () => {
  const domains = async (of = partner) => (await of.call('GET /public-domains')).body
  const stateOf = async (name: string) =>
    (await domains()).list.find((one: { name: string }) => one.name === name)?.state
  const add = (domain: string, by = partner) => by.call('POST /public-domains', { domain })

  test('exists from the start, and the page says where people sign up', async () => {
    expect(await domains()).toMatchObject({
      list: [{ name: 'partner.test', state: 'open', record: null }],
      canConfirm: false,
      signupUrl: 'https://mail.partner.test/signup',
    })
  })

  test('opens once verified in the DNS, and is available for sign-up', async () => {
    const { body } = await add('Neu.Partner-Mail.test')
    expect(body.domain).toMatchObject({ name: 'neu.partner-mail.test', state: 'waiting' })
    const check = () => partner.call('POST /public-domains/neu.partner-mail.test/check', {})
    expect((await check()).body.status).toBe('error')
    await expect(partner.signUp({ plan: 'individual', domain: 'neu.partner-mail.test' })).rejects.toThrow(
      'domain',
    )
    dns.txt(body.domain.record.name, body.domain.record.value)
    expect((await check()).body).toMatchObject({ status: 'success' })
    expect(await stateOf('neu.partner-mail.test')).toBe('open')
    await partner.signUp({ plan: 'individual', domain: 'neu.partner-mail.test' })
  })

  test('that is closed accepts no new users, and its users keep their addresses', async () => {
    const id = await partner.signUp({ plan: 'individual' })
    const open = (isOpen: boolean) => partner.call('PUT /public-domains/partner.test', { open: isOpen })
    expect((await open(false)).status).toBe(200)
    expect(await stateOf('partner.test')).toBe('closed')
    await expect(partner.signUp({ plan: 'individual' })).rejects.toThrow('domain')
    const { email } = await app()
      .database.db.selectFrom('users')
      .select('email')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    expect(email).toMatch(/@partner\.test$/)
    await open(true)
    await partner.signUp({ plan: 'individual' })
  })

  test.each([
    ['of another tenant', 'other.test', 'isn’t valid'],
    ['below that of another tenant', 'sub.other.test', 'isn’t valid'],
    ['of the service', 'example.test', 'isn’t valid'],
    ['of the installation', 'localhost', 'isn’t valid'],
    ['of a customer', 'customer.test', 'isn’t available'],
    ['of its own', 'partner.test', 'already'],
    ['that is a public suffix', 'co.uk', 'isn’t valid'],
    ['that is none', 'a b', 'isn’t valid'],
  ])('%s is rejected', async (_, domain, text) => {
    await makeDomain(app(), 'customer.test', { type: 4, walletId: partner.reseller.walletId }).catch(
      () => undefined,
    )
    const { status, body } = await add(domain)
    expect({ status, error: String(body.errors?.domain).toLowerCase() }).toMatchObject({
      status: 422,
      error: expect.stringContaining(text.toLowerCase()),
    })
  })

  test('claimed by two tenants goes to the first to verify it, and the other is told', async () => {
    const ask = async (tenant: OfferingTenant) => (await add('wanted.test', tenant)).body.domain.record
    const [first, second] = [await ask(partner), await ask(other)]
    expect(first.value).not.toBe(second.value)
    dns.txt(second.name, second.value)
    const check = (tenant: OfferingTenant) => tenant.call('POST /public-domains/wanted.test/check', {})
    expect((await check(other)).body.status).toBe('success')
    expect((await check(partner)).body.status).toBe('error')
    expect((await partner.call('DELETE /public-domains/wanted.test')).status).toBe(200)
    expect((await partner.call('PUT /public-domains/wanted.test', { open: false })).status).toBe(404)
  })

  test('can be confirmed without the DNS only by an admin, with a reason', async () => {
    await add('contract.test')
    const path = `POST /api/v4/tenants/${partner.id}/public-domains/contract.test/confirm`
    expect((await partner.reseller.call(path, { body: { reason: 'x' } })).status).toBe(404)
    expect((await admin.call(path, { body: {} })).status).toBe(422)
    expect((await admin.call(path, { body: { reason: 'Contract 4711' } })).status).toBe(200)
    const { body } = await admin.call(`GET /api/v4/eventlog/tenant/${partner.id}`)
    expect(body.list[0]).toMatchObject({
      kind: 'tenant.public-domain-confirmed',
      comment: 'Contract 4711',
      data: { name: 'contract.test' },
    })
  })

  test("counts towards the tenant's limit, even with concurrent claims", async () => {
    const used = (await domains()).list.filter(({ state }: { state: string }) => state !== 'closed').length
    await limit({ publicDomains: used + 1 })
    const answers = await Promise.all([add('one.test'), add('two.test')])
    expect(answers.map(({ status }) => String(status)).sort()).toEqual(['200', '422'])
    await limit({ publicDomains: null })
  })
})

describe('a sign-up token', () => {
  let club = ''

  beforeAll(async () => {
    const { body } = await partner.call('GET /catalogue')
    const lite = body.packages.find(({ title }: { title: string }) => title === 'lite')
    const plan = { title: 'club', name: { en: 'Club' }, description: {}, mode: 'token', months: 1 }
    const made = await partner.call('POST /plans', {
      ...plan,
      freeMonths: 0,
      hidden: true,
      packages: [lite.id],
    })
    club = made.body.id
  })

  const create = (facts: Record<string, unknown> = {}) =>
    partner.call('POST /signup-tokens', { plan: club, ...facts })
  const list = async (query = '') => (await partner.call(`GET /signup-tokens${query}`)).body.list

  test("is valid for its plan on the tenant's host up to its usage limit, and is counted", async () => {
    const { body } = await create({ tokens: ['Once'], limit: 1 })
    expect(body.tokens).toEqual(['ONCE'])
    await partner.signUp({ plan: 'club', token: 'once' })
    await expect(partner.signUp({ plan: 'club', token: 'once' })).rejects.toThrow('token')
    expect(await list('?search=onc')).toMatchObject([
      { token: 'ONCE', used: 1, limit: 1, state: 'used-up', plan: { title: 'club', name: 'Club' } },
    ])
  })

  test('is invalid once revoked, or with another tenant', async () => {
    await create({ tokens: ['gone'] })
    await partner.signUp({ plan: 'club', token: 'gone' })
    await expect(other.signUp({ plan: 'club', token: 'gone' })).rejects.toThrow()
    expect((await other.call('DELETE /signup-tokens/gone')).status).toBe(404)
    expect((await partner.call('DELETE /signup-tokens/gone')).status).toBe(200)
    expect((await partner.call('DELETE /signup-tokens/gone')).status).toBe(404)
    await expect(partner.signUp({ plan: 'club', token: 'gone' })).rejects.toThrow('token')
    expect(await list('?state=revoked')).toMatchObject([{ token: 'GONE', used: 1, state: 'revoked' }])
  })

  test('expires at the end of its last day', async () => {
    await create({ tokens: ['brief'], lastDay: '2026-03-31' })
    const [brief] = await list('?search=brief')
    expect(brief).toMatchObject({ expires_at: '2026-04-01 00:00:00', state: 'usable' })
    expect((await create({ lastDay: '2020-01-01' })).body.errors).toEqual({
      lastDay: 'This date is in the past. Choose a later one.',
    })
  })

  test('may have a name that another tenant uses, without revealing that', async () => {
    const plans = (await other.call('GET /catalogue')).body
    const lite = plans.packages.find(({ title }: { title: string }) => title === 'lite')
    const plan = { title: 'club', name: { en: 'Club' }, description: {}, mode: 'token', months: 1 }
    const made = await other.call('POST /plans', {
      ...plan,
      freeMonths: 0,
      hidden: false,
      packages: [lite.id],
    })
    const answer = await other.call('POST /signup-tokens', { plan: made.body.id, tokens: ['ONCE'] })
    expect(answer.status).toBe(200)
    await other.signUp({ plan: 'club', token: 'once' })
  })

  test('can be generated by the hundred, each unique', async () => {
    const { body } = await create({ count: 100, limit: 1 })
    expect(new Set(body.tokens).size).toBe(100)
    expect((await list('?size=100')).length).toBe(100)
  })

  test.each<[string, Record<string, unknown>, string]>([
    ['of a plan in another mode', { plan: '00000000-0000-7000-8000-000000000000' }, 'plan'],
    ['with a space', { tokens: ['a b'] }, 'tokens'],
    ['listed twice', { tokens: ['twin', 'TWIN'] }, 'tokens'],
    ['that is there', { tokens: ['fresh', 'once'] }, 'tokens'],
    ['for nobody', { limit: 0 }, 'limit'],
    ['by none', { count: 0 }, 'count'],
    ['of no name', { tokens: [] }, 'tokens'],
  ])('%s is rejected, and nothing is created', async (_, facts, field) => {
    const { status, body } = await create(facts)
    expect({ status, fields: Object.keys(body.errors ?? {}) }).toEqual({ status: 422, fields: [field] })
    expect(await list('?search=fresh')).toEqual([])
  })

  test('counts towards a limit, which the error states', async () => {
    expect((await create({ count: 0 })).body.errors).toEqual({ count: ['Enter 1 or more.'] })
    expect((await create({ count: 5000 })).body.errors).toEqual({
      count: [expect.stringMatching(/^Enter 1.000 or less\.$/)],
    })
  })

  test('counts towards the limit of usable tokens', async () => {
    const { rows } = await app().database.pool.query(
      `select count(*)::int as count from signup_tokens where tenant_id = $1 and revoked_at is null
        and (usage_limit is null or counter < usage_limit)`,
      [partner.id],
    )
    await limit({ signupTokens: rows[0].count + 1 })
    expect((await create({ count: 2 })).body.errors).toEqual({
      count: 'The service allows only 1 more usable tokens.',
    })
    expect((await create()).status).toBe(200)
    await limit({ signupTokens: null })
  })

  test('is never recorded while it is usable', async () => {
    const { body } = await create({ tokens: ['VERY-SECRET'] })
    expect(body.status).toBe('success')
    const log = await partner.reseller.call(`GET /api/v4/eventlog/tenant/${partner.id}`)
    expect(log.body.list[0]).toMatchObject({
      kind: 'tenant.tokens-created',
      data: { plan: 'club', count: 1 },
    })
    expect(JSON.stringify(log.body)).not.toContain('VERY-SECRET')
  })
})

describe('a referral programme', () => {
  const programs = async (of = partner) => (await of.call('GET /referral-programs')).body.list
  const input = { name: { en: 'Friends' }, description: {}, award: 500, threshold: 2000, active: true }

  test('can be created, changed and paused, and old and new values are recorded', async () => {
    const { body } = await partner.call('POST /referral-programs', input)
    const [made] = await programs()
    expect(made).toMatchObject({ id: body.id, name: 'Friends', award: 500, accounts: 0, awarded: 0 })
    const put = (facts: object) => partner.call(`PUT /referral-programs/${body.id}`, { ...input, ...facts })
    expect((await put({ award: 700, active: false, revision: made.revision })).status).toBe(200)
    expect((await put({ award: 800, revision: made.revision })).status).toBe(409)
    expect(await programs()).toMatchObject([{ award: 700, active: false }])
    const log = await partner.reseller.call(`GET /api/v4/eventlog/tenant/${partner.id}`)
    expect(log.body.list[0].data).toMatchObject({
      before: { award: 500, active: true },
      after: { award: 700, active: false },
    })
    expect(await programs(other)).toEqual([])
    expect((await other.call(`PUT /referral-programs/${body.id}`, input)).status).toBe(404)
  })

  test('cannot award more than the service allows, and uses discounts of its own tenant only', async () => {
    const post = (facts: object) => partner.call('POST /referral-programs', { ...input, ...facts })
    expect((await post({ award: 10_001 })).body.errors).toEqual({
      award: 'The service allows an award of at most CHF\u00a0100.00.',
    })
    const foreign = await makeDiscount(app(), { discount: 10 })
    expect(Object.keys((await post({ discount: foreign })).body.errors)).toEqual(['discount'])
  })
})
