import { beforeAll, describe, expect, test } from 'vitest'
import {
  deleteUser,
  makeAlias,
  makeDiscount,
  makeDomain,
  makeTenant,
  makeUser,
} from '../testing/factories.ts'
import { apply, countRows, finish, lastStep } from '../testing/signup/sign-up.ts'
import { type Answer, useTestApp } from '../testing/test-app.ts'

const app = useTestApp()
let free = ''

beforeAll(async () => {
  await makeTenant(app(), 4)
  await makeDomain(app(), 'example.test')
  await makeDomain(app(), 'foreign.test', { tenantId: 4 })
  await makeDomain(app(), 'private.test', { type: 4 })
  const gone = await makeDomain(app(), 'gone.test')
  await app()
    .database.db.updateTable('domains')
    .set({ deletedAt: app().clock.now() })
    .where('id', '=', gone)
    .execute()
  free = await makeDiscount(app(), { code: 'FREE100', discount: 100 })
  await makeDiscount(app(), { code: 'TEN', discount: 10 })
  await makeDiscount(app(), { code: 'OLD', discount: 10, active: false })
  await makeDiscount(app(), { code: 'FOREIGN', discount: 10, tenantId: 4 })
})

const database = () => app().database.db

const entitlements = (walletId: string) =>
  database()
    .selectFrom('entitlements as e')
    .innerJoin('skus as s', 's.id', 'e.skuId')
    .select(['s.title', 'e.objectType', 'e.cost', 'e.fee'])
    .where('e.walletId', '=', walletId)
    .orderBy('s.title')
    .execute()

const storage = Array.from({ length: 5 }, () => ({ title: 'storage', objectType: 'user', cost: 0, fee: 0 }))
const mailAndGroupware = [
  { title: 'groupware', objectType: 'user', cost: 490, fee: 327 },
  { title: 'mailbox', objectType: 'user', cost: 500, fee: 333 },
  ...storage,
]

const validate = (body: object) => app().call('POST /api/auth/signup/validate', { body, ip: '8.8.8.8' })

describe('finishing a sign-up', () => {
  test('creates user, wallet, entitlements and settings for a single person, and signs in', async () => {
    const applicant = await apply(app())
    const answer = await finish(app(), applicant, { login: 'Ada.L', domain: 'EXAMPLE.test' })
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({
      status: 'success',
      email: 'ada.l@example.test',
      userStatus: 1 + 128,
      isRestricted: true,
      isActive: false,
      isReady: false,
      isLocked: false,
      tenant_id: null,
      settings: {
        country: 'US',
        currency: 'CHF',
        external_email: applicant.email,
        first_name: 'Ada',
        last_name: 'Lovelace',
      },
      wallet: { balance: 0, currency: 'CHF', discount_id: null, discount: null },
      statusInfo: { processState: 'running', isDone: false, enableWallets: true, enableDomains: false },
    })
    expect(await entitlements(answer.body.wallet.id)).toEqual(mailAndGroupware)
    const settings = await database()
      .selectFrom('userSettings')
      .select(['key', 'value'])
      .where('userId', '=', answer.body.id)
      .execute()
    const plan = await database()
      .selectFrom('plans')
      .select('id')
      .where('title', '=', 'individual')
      .executeTakeFirstOrThrow()
    expect(settings).toContainEqual({ key: 'plan_id', value: plan.id })
    const code = await database()
      .selectFrom('signupCodes')
      .selectAll()
      .where('email', '=', applicant.email)
      .executeTakeFirstOrThrow()
    expect(code).toMatchObject({ userId: answer.body.id, submitIp: '8.8.8.8', usedAt: app().clock.now() })
    const log = await database()
      .selectFrom('eventLog')
      .selectAll()
      .where('objectId', '=', answer.body.id)
      .execute()
    expect(log).toMatchObject([{ event: 'user.signed-up', ip: '8.8.8.8', data: { plan: 'individual' } }])
  })

  test('is completed by the enqueued job', async () => {
    const { body } = await finish(app(), await apply(app()))
    await app().jobs.drain()
    const { body: info } = await app().call('GET /api/auth/info', { token: body.access_token })
    expect(info).toMatchObject({ isReady: true, isActive: true, isImapReady: true, isRestricted: true })
    expect(app().backend.users.get(body.id)).toMatchObject({ id: body.id, email: body.email })
  })

  test("for a group also creates the customer's new domain, free of charge", async () => {
    const answer = await finish(app(), await apply(app(), { plan: 'group' }), {
      login: 'boss',
      domain: 'Company.Test',
    })
    expect(answer.body).toMatchObject({
      email: 'boss@company.test',
      statusInfo: { enableDomains: true, enableDistlists: true },
    })
    const walletId = answer.body.wallet.id as string
    const domain = await database()
      .selectFrom('domains')
      .selectAll()
      .where('namespace', '=', 'company.test')
      .executeTakeFirstOrThrow()
    expect(domain).toMatchObject({ tenantId: 0, status: 1, type: 4, walletId: walletId, deletedAt: null })
    // the domain has its own ownership token, which is checked from now on
    expect(domain.token).toMatch(/^[0-9a-f]{32}$/)
    expect(domain.nextCheckAt).toEqual(app().clock.now())
    expect(await entitlements(walletId)).toEqual([
      { title: 'domain-hosting', objectType: 'domain', cost: 0, fee: 0 },
      ...mailAndGroupware,
    ])
  })

  test('for a group on a public domain creates and bills no domain', async () => {
    const { status, body } = await finish(app(), await apply(app(), { plan: 'group' }))
    expect(status).toBe(200)
    expect(await entitlements(body.wallet.id)).toEqual(mailAndGroupware)
    expect(body.statusInfo).toMatchObject({ enableDomains: true, enableDistlists: false })
  })

  test('stores an internationalized domain as Punycode', async () => {
    const applicant = await apply(app(), { plan: 'group' })
    const { body } = await finish(app(), applicant, { login: 'chef', domain: 'Bücher.example' })
    expect(body.email).toBe('chef@xn--bcher-kva.example')
  })

  test("sets the user's language to that of the request", async () => {
    const applicant = await apply(app())
    const { body } = await app().call('POST /api/auth/signup', {
      body: lastStep(applicant),
      headers: { 'accept-language': 'it' },
    })
    const user = await database()
      .selectFrom('users')
      .select('language')
      .where('id', '=', body.id)
      .executeTakeFirstOrThrow()
    expect(user.language).toBe('it')
  })

  test('uses the plan of the code, whatever the last step sends', async () => {
    const applicant = await apply(app())
    const own = await finish(app(), applicant, { plan: 'group', domain: 'sneaky.test' })
    expect(own.body.errors).toEqual({ domain: 'This domain name isn’t valid.' })
    const { body } = await finish(app(), applicant, { plan: 'group' })
    expect(body.statusInfo.enableDomains).toBe(false)
  })

  test('makes password and second sign-in work immediately', async () => {
    const { body } = await finish(app(), await apply(app()), {
      password: ' pa ss anchor ',
      password_confirmation: ' pa ss anchor ',
    })
    const login = await app().call('POST /api/auth/login', {
      body: { email: body.email, password: ' pa ss anchor ' },
    })
    expect(login.status).toBe(200)
  })
})

describe('a voucher', () => {
  test("becomes the wallet's discount, regardless of case", async () => {
    const { body } = await finish(app(), await apply(app()), { voucher: 'ten' })
    expect(body.wallet).toMatchObject({ discount: 10, discount_description: '10 % off' })
    expect(body.isRestricted).toBe(true)
  })

  test('of 100 % lifts the restriction of unpaid accounts', async () => {
    const { body } = await finish(app(), await apply(app()), { voucher: 'FREE100' })
    expect(body).toMatchObject({
      isRestricted: false,
      userStatus: 1,
      wallet: { discount_id: free, discount: 100 },
    })
  })

  test.each(['NOTHING', 'OLD', 'FOREIGN', '%', "' or 1=1", '_EN'])('%s is refused', async (voucher) => {
    const { status, body } = await finish(app(), await apply(app()), { voucher })
    expect({ status, errors: body.errors }).toEqual({
      status: 422,
      errors: { voucher: 'This voucher code isn’t valid or has expired.' },
    })
  })

  test('is protected against guessing', async () => {
    const applicant = await apply(app())
    const guess = (turn: number) =>
      app().call('POST /api/auth/signup/validate', {
        body: lastStep(applicant, { voucher: `G${turn}` }),
        ip: '192.0.2.50',
      })
    for (let turn = 1; turn <= 50; turn++) expect((await guess(turn)).status).toBe(422)
    expect((await guess(51)).status).toBe(429)
  })
})

describe('login and domain', () => {
  const loginTaken = { login: 'This username isn’t available.' }
  const loginReserved = { login: 'This entry is already in use.' }
  const loginInvalid = { login: 'This entry isn’t valid.' }
  const domainInvalid = { domain: 'This domain name isn’t valid.' }
  const domainTaken = { domain: 'This domain isn’t available.' }

  async function refusal(plan: string, login: string, domain: string): Promise<Answer['body']> {
    const applicant = await apply(app(), { plan })
    const before = await countRows(app())
    const answer = await finish(app(), applicant, { login, domain })
    expect(answer.status).toBe(422)
    expect(await countRows(app())).toEqual(before)
    return answer.body.errors
  }

  test.each([
    '.ada',
    'ada.',
    'a..b',
    'ädä',
    'a b',
    'a+b',
    'a@b',
    'a/b',
    "a'b",
    '<b>',
    'a%',
    '🔑🔑',
    '__proto__ x',
    'x'.repeat(65),
  ])('the login "%s" is rejected', async (login) => {
    expect(await refusal('individual', login, 'example.test')).toEqual(loginInvalid)
  })

  test.each(['admin', 'Postmaster', 'ROOT', 'abuse', 'noreply', 'mailer-daemon', 'support'])(
    'the name %s is reserved in public domains, for groups too',
    async (login) => {
      expect(await refusal('individual', login, 'example.test')).toEqual(loginReserved)
      expect(await refusal('group', login, 'example.test')).toEqual(loginReserved)
    },
  )

  test.each([
    ['-ada', 'Addresses can’t start with a hyphen.'],
    ['Shared', 'This name is reserved for shared folders. Choose another one.'],
  ])('the name %s is refused in every domain, because the mail store can’t have it', async (login, text) => {
    expect(await refusal('individual', login, 'example.test')).toEqual({ login: text })
    expect(await refusal('group', login, 'own-names.test')).toEqual({ login: text })
  })

  test('on a custom domain such a name is fine', async () => {
    const applicant = await apply(app(), { plan: 'group' })
    expect((await finish(app(), applicant, { login: 'admin', domain: 'own-admin.test' })).status).toBe(200)
  })

  test('a login is taken if it matches a user, a deleted user or an alias', async () => {
    const user = await makeUser(app(), { email: 'taken@example.test' })
    await makeAlias(app(), user, 'also.taken@example.test')
    await deleteUser(app(), await makeUser(app(), { email: 'was.taken@example.test' }))
    for (const login of ['taken', 'TAKEN', 'also.taken', 'was.taken']) {
      expect(await refusal('individual', login, 'example.test'), login).toEqual(loginTaken)
    }
  })

  test.each([
    ['individual', 'private.test', domainTaken],
    ['individual', 'foreign.test', domainTaken],
    ['individual', 'gone.test', domainTaken],
    ['individual', 'unknown.test', domainInvalid],
    ['group', 'private.test', domainTaken],
    ['group', 'foreign.test', domainTaken],
    ['group', 'gone.test', domainTaken],
    ['group', 'www.company.test', domainInvalid],
    ['group', 'co.uk', domainInvalid],
    ['group', 'github.io', domainInvalid],
    ['group', 'sub.example.test', domainInvalid],
    ['group', 'deep.sub.example.test', domainInvalid],
    ['group', 'mail.localhost', domainInvalid],
    ['group', 'test', domainInvalid],
    ['group', 'localhost', domainInvalid],
    ['group', '127.0.0.1', domainInvalid],
    ['group', '[::1]', domainInvalid],
    ['group', 'a..test', domainInvalid],
    ['group', '-a.test', domainInvalid],
    ['group', 'a_b.test', domainInvalid],
    ['group', 'http://a.test', domainInvalid],
    ['group', 'a.test:80', domainInvalid],
    ['group', 'a.test/path', domainInvalid],
    ['group', 'a b.test', domainInvalid],
    ['group', `${'a'.repeat(64)}.test`, domainInvalid],
    ['group', "a'.test", domainInvalid],
    ['group', '🔑', domainInvalid],
  ])('a plan for %s rejects the domain %s', async (plan, domain, errors) => {
    expect(await refusal(plan, 'ada', domain)).toEqual(errors)
  })

  test('an address of more than 191 characters is rejected', async () => {
    const domain = `${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(10)}.test`
    expect(await refusal('group', 'x'.repeat(64), domain)).toEqual(loginInvalid)
  })

  test('an invalid login and an invalid domain are reported together', async () => {
    expect(await refusal('individual', '.x', 'nowhere.test')).toEqual({
      ...loginInvalid,
      domain: 'This domain name isn’t valid.',
    })
  })
})

describe('the last step reports all invalid fields at once', () => {
  test('password, login, domain and voucher', async () => {
    const answer = await finish(app(), await apply(app(), { plan: 'group' }), {
      ...{ login: 'nora newcomer', domain: 'nodot', voucher: 'NONE' },
      ...{ password: 'abc', password_confirmation: 'abc' },
    })
    expect(Object.keys(answer.body.errors).sort()).toEqual(['domain', 'login', 'password', 'voucher'])
  })

  test('a taken login and a weak password', async () => {
    await finish(app(), await apply(app()), { login: 'first-here' })
    const answer = await finish(app(), await apply(app()), {
      ...{ login: 'first-here', password: 'abc', password_confirmation: 'abc' },
    })
    expect(Object.keys(answer.body.errors).sort()).toEqual(['login', 'password'])
  })

  const required = ['Fill in this field.']
  const text = ['This must be text.']
  test.each([
    [
      {},
      {
        ...{ login: required, domain: required, password: required },
        ...{ plan: required, code: required, short_code: required },
      },
    ],
    [
      { login: 'x', domain: null, password: 'abc', password_confirmation: 'abd', voucher: 'x'.repeat(33) },
      {
        login: ['Enter at least 2 characters.'],
        domain: required,
        password: ['The two entries don’t match.', 'This password doesn’t meet all the rules.'],
        voucher: ['Enter at most 32 characters.'],
        plan: required,
        code: required,
        short_code: required,
      },
    ],
    [
      { login: ['a'], domain: {}, password: 5, code: true, short_code: 1, plan: [], token: {} },
      { login: text, domain: text, password: text, code: text, short_code: text, plan: text, token: text },
    ],
    [
      {
        login: 'x'.repeat(192),
        domain: 'x'.repeat(192),
        password: 'x'.repeat(1025),
        password_confirmation: 'x'.repeat(1025),
        code: 'x',
        short_code: 'x',
      },
      {
        login: ['Enter at most 191 characters.'],
        domain: ['Enter at most 191 characters.'],
        password: [expect.stringContaining('Enter at most')],
        password_confirmation: [expect.stringContaining('Enter at most')],
      },
    ],
  ])('%j', async (body, errors) => {
    for (const route of ['POST /api/auth/signup/validate', 'POST /api/auth/signup']) {
      const answer = await app().call(route, { body })
      expect({ status: answer.status, errors: answer.body.errors }).toEqual({ status: 422, errors })
    }
  })

  test('a wrong short code is counted here too', async () => {
    const applicant = await apply(app())
    const wrong = lastStep({ ...applicant, short_code: 'WRONG' })
    for (let guess = 1; guess <= 5; guess++) {
      expect(await validate(wrong)).toMatchObject({
        status: 422,
        body: { errors: { short_code: 'This confirmation code is wrong or has expired.' } },
      })
    }
    expect((await finish(app(), applicant)).status).toBe(422)
  })
})

describe('validating the last step', () => {
  test('creates nothing and keeps the code valid', async () => {
    const applicant = await apply(app(), { plan: 'group' })
    const step = lastStep(applicant, { domain: 'validated.test', voucher: 'TEN' })
    const before = await countRows(app())
    expect(await validate(step)).toMatchObject({ status: 200, body: { status: 'success' } })
    expect(await validate(step)).toMatchObject({ status: 200 })
    expect(await countRows(app())).toEqual(before)
    expect((await app().call('POST /api/auth/signup', { body: step })).status).toBe(200)
  })

  test('returns the same errors as the last step', async () => {
    const applicant = await apply(app())
    const taken = lastStep(applicant, { login: 'admin' })
    expect((await validate(taken)).body).toEqual(
      (await app().call('POST /api/auth/signup', { body: taken })).body,
    )
  })
})
