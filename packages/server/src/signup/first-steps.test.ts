import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makeDomain, makeTenant } from '../testing/factories.ts'
import { apply, finish } from '../testing/signup/sign-up.ts'
import { type Answer, useTestApp } from '../testing/test-app.ts'

const app = useTestApp()

let caller = 0
let ip = ''
beforeEach(() => {
  ip = `203.0.${++caller >> 8}.${caller & 255}`
})

beforeAll(async () => {
  await makeTenant(app(), 4)
  await makeDomain(app(), 'example.test')
  await makeDomain(app(), 'another.test')
  await makeDomain(app(), 'private.test', { type: 4 })
  await makeDomain(app(), 'foreign.test', { tenantId: 4 })
  const id = await makeDomain(app(), 'gone.test')
  await app()
    .database.db.updateTable('domains')
    .set({ deletedAt: app().clock.now() })
    .where('id', '=', id)
    .execute()
  await app()
    .database.db.insertInto('plans')
    .columns(['id', 'tenantId', 'title', 'name', 'description', 'mode', 'months', 'freeMonths', 'hidden'])
    .expression((from) =>
      from
        .selectFrom('plans')
        .select((eb) => [
          eb.fn<string>('gen_random_uuid').as('id'),
          'tenantId',
          eb.val('hidden_offer').as('title'),
          'name',
          'description',
          'mode',
          'months',
          'freeMonths',
          eb.val(true).as('hidden'),
        ])
        .where('title', '=', 'individual'),
    )
    .execute()
})

const init = (body: object, headers: Record<string, string> = {}): Promise<Answer> =>
  app().call('POST /api/auth/signup/init', {
    body: { email: `person${caller}@elsewhere.test`, plan: 'individual', ...body },
    ip,
    headers,
  })
const verify = (code: unknown, short_code: unknown) =>
  app().call('POST /api/auth/signup/verify', { body: { code, short_code }, ip })
const mailTo = async (address: string) =>
  (await app().mails()).find((mail) => mail.to.some((to) => to.address === address))

describe('the offered plans', () => {
  test('are sorted by months, then by name descending, without hidden ones, in the language of the request', async () => {
    const { status, body } = await app().call('GET /api/auth/signup/plans')
    expect(status).toBe(200)
    expect(body.plans).toMatchObject([
      { title: 'individual', mode: 'email', isDomain: false, cost: 990, currency: 'CHF', freeMonths: 1 },
      { title: 'group', mode: 'email', isDomain: true, cost: 990, currency: 'CHF', freeMonths: 1 },
    ])
    expect(body.plans).toMatchObject([{ users: 1 }, { users: 1 }])
    const storage = { title: 'storage', name: 'Storage', quantity: 5, unit: 'GB' }
    expect(body.plans[1].includes).toContainEqual(storage)
    for (const language of ['de', 'fr', 'it']) {
      const other = await app().call('GET /api/auth/signup/plans', {
        headers: { 'accept-language': language },
      })
      expect(other.body.plans[0].description).not.toBe(body.plans[0].description)
      expect(other.body.plans[0].button).toContain(other.body.plans[0].name)
    }
  })
})

describe('the offered domains', () => {
  test("are the tenant's public ones by name; the first is preselected", async () => {
    const { body } = await app().call('GET /api/auth/signup/domains')
    expect(body).toEqual({
      status: 'success',
      domains: ['another.test', 'example.test'],
      domain: 'another.test',
    })
  })
})

describe('requesting a code', () => {
  test('mails short code and link, and returns the long code', async () => {
    const { status, body } = await init({ first_name: 'Zoë', last_name: 'Müller' })
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        status: 'success',
        code: expect.stringMatching(/^[A-Za-z0-9]{32}$/),
        mode: 'email',
        is_domain: false,
        domains: ['another.test', 'example.test'],
        domain: 'another.test',
      },
    })
    const mail = await mailTo(`person${caller}@elsewhere.test`)
    expect(mail?.subject).toBe('Confirm your sign-up for Gatehouse')
    expect(mail?.text).toContain('Zoë Müller')
    expect(mail?.text).toMatch(new RegExp(`http://localhost:8000/signup/[2-9A-HJ-NP-Z]{5}-${body.code}`))
  })

  test.each([
    ['de', {}],
    ['fr', {}],
    ['it', {}],
    ['it', { cookie: 'language=it', 'accept-language': 'de' }],
  ])('mails in %s', async (language, headers) => {
    const english = 'Confirm your sign-up for Gatehouse'
    await init({}, { 'accept-language': language, ...headers })
    const mail = await mailTo(`person${caller}@elsewhere.test`)
    expect(mail?.subject).toBeTruthy()
    expect(mail?.subject).not.toBe(english)
    expect(mail?.html).toContain(`lang="${language}"`)
  })

  test('needs no names, and treats empty ones as missing', async () => {
    for (const names of [{}, { first_name: '', last_name: '  ' }, { first_name: null }]) {
      expect((await init(names)).status).toBe(200)
    }
    const applicant = await apply(app(), { first_name: '', last_name: '' })
    expect((await verify(applicant.code, applicant.short_code)).body).toMatchObject({
      first_name: null,
      last_name: null,
    })
  })

  test('works for a hidden plan and for one with a domain', async () => {
    expect((await init({ plan: 'hidden_offer' })).body).toMatchObject({ is_domain: false })
    expect((await init({ plan: 'group' })).body).toMatchObject({ is_domain: true })
  })

  const required = ['Fill in this field.']
  const unusable = ['This e-mail address can’t be used.']
  test.each([
    [{ plan: undefined }, { plan: required }],
    [{ plan: 'nothing' }, { plan: required }],
    [{ plan: 'INDIVIDUAL' }, { plan: required }],
    [{ plan: 5 }, { plan: ['This must be text.'] }],
    [{ email: undefined }, { email: required }],
    [{ email: '' }, { email: required }],
    [
      { plan: '', email: '' },
      { plan: required, email: required },
    ],
    [
      { plan: 'nothing', email: 'x', referral: 'y' },
      { plan: required, email: unusable, referral: 'This referral code isn’t valid.' },
    ],
    [{ email: 'x' }, { email: unusable }],
    [{ email: 'a@localhost' }, { email: unusable }],
    [{ email: 'a@127.0.0.1' }, { email: unusable }],
    [{ email: 'a@[::1]' }, { email: unusable }],
    [{ email: 'a..b@elsewhere.test' }, { email: unusable }],
    [{ email: '"a b"@elsewhere.test' }, { email: unusable }],
    [{ email: 'a(comment)@elsewhere.test' }, { email: unusable }],
    [{ email: 'a@elsewhere.test, b@elsewhere.test' }, { email: unusable }],
    [{ email: 'Ada <a@elsewhere.test>' }, { email: unusable }],
    [{ email: 'a@elsewhere.test\r\nBcc: b@elsewhere.test' }, { email: unusable }],
    [{ email: `${'x'.repeat(65)}@elsewhere.test` }, { email: unusable }],
    [
      { email: `${'x'.repeat(60)}@${'y'.repeat(60)}.${'z'.repeat(60)}.${'w'.repeat(20)}.test` },
      { email: unusable },
    ],
    [{ email: ['a@elsewhere.test'] }, { email: ['This must be text.'] }],
    [
      { first_name: 'http://spam.test' },
      { first_name: ['This text contains characters that aren’t allowed.'] },
    ],
    [{ last_name: 'a/b' }, { last_name: ['This text contains characters that aren’t allowed.'] }],
    [{ first_name: 'x'.repeat(51) }, { first_name: ['Enter at most 50 characters.'] }],
    [{ last_name: 7 }, { last_name: ['This must be text.'] }],
    [{ voucher: 'x'.repeat(33) }, { voucher: ['Enter at most 32 characters.'] }],
    [{ referral: 'FRIEND' }, { referral: 'This referral code isn’t valid.' }],
    [{ referral: 'x'.repeat(17) }, { referral: ['Enter at most 16 characters.'] }],
  ])('with %j is reported at the fields', async (input, errors) => {
    const { status, body } = await init(input)
    expect({ status, errors: body.errors }).toEqual({ status: 422, errors })
    const made = await app().database.db.selectFrom('signupCodes').select('id').where('ip', '=', ip).execute()
    expect(made).toEqual([])
  })

  test('does not let a name add lines to the e-mail', async () => {
    const { status } = await init({
      first_name: 'Eve\r\nBcc: victim@elsewhere.test',
      last_name: '<b>{0}',
    })
    expect(status).toBe(200)
    const mail = await mailTo(`person${caller}@elsewhere.test`)
    expect(mail?.to).toHaveLength(1)
    expect(mail?.cc).toEqual([])
    expect(mail?.html).toContain('&lt;b&gt;')
    expect(mail?.html).not.toContain('<b>{0}')
  })

  test('is throttled per address', async () => {
    const email = 'flooded@elsewhere.test'
    for (let turn = 1; turn <= 6; turn++) expect((await init({ email })).status).toBe(200)
    const { status, headers } = await init({ email: email.toUpperCase() })
    expect({ status, wait: headers['retry-after'] }).toEqual({ status: 429, wait: '2' })
    expect((await init({ email: 'calm@elsewhere.test' })).status).toBe(200)
  })
})

describe('the code from the mail', () => {
  test('returns the input of the first step', async () => {
    const applicant = await apply(app(), { plan: 'group', voucher: 'TEST10' })
    expect((await verify(applicant.code, applicant.short_code)).body).toEqual({
      status: 'success',
      email: applicant.email,
      first_name: 'Ada',
      last_name: 'Lovelace',
      voucher: 'TEST10',
      is_domain: true,
      plan: 'group',
      domains: ['another.test', 'example.test'],
      domain: 'another.test',
    })
  })

  test('is case-insensitive and can be checked twice', async () => {
    const { code, short_code } = await apply(app())
    expect((await verify(code, short_code.toLowerCase())).status).toBe(200)
    expect((await verify(code, short_code)).status).toBe(200)
  })

  const invalid = {
    status: 422,
    body: { errors: { short_code: 'This confirmation code is wrong or has expired.' } },
  }

  test('is rejected if wrong, unknown or incomplete', async () => {
    const { code, short_code } = await apply(app())
    expect(await verify(code, 'WRONG')).toMatchObject(invalid)
    expect(await verify(code, short_code.slice(1))).toMatchObject(invalid)
    expect(await verify('A'.repeat(32), short_code)).toMatchObject(invalid)
    expect(await verify(code.toUpperCase(), short_code)).toMatchObject(invalid)
    expect(await verify("' or 1=1 --", '🔑')).toMatchObject(invalid)
  })

  test('is invalidated by five wrong guesses', async () => {
    const { code, short_code } = await apply(app())
    for (let guess = 1; guess <= 5; guess++) expect(await verify(code, 'WRONG')).toMatchObject(invalid)
    expect(await verify(code, short_code)).toMatchObject(invalid)
    app().clock.advance(3600)
    expect(await verify(code, short_code)).toMatchObject(invalid)
  })

  test('survives four wrong guesses', async () => {
    const { code, short_code } = await apply(app())
    for (let guess = 1; guess <= 4; guess++) expect(await verify(code, 'WRONG')).toMatchObject(invalid)
    expect((await verify(code, short_code)).status).toBe(200)
  })

  test('is tried at most five times by fifty concurrent guesses', async () => {
    const { code, short_code } = await apply(app())
    const answers = await Promise.all(Array.from({ length: 50 }, () => verify(code, 'WRONG')))
    expect(answers.every(({ status }) => [422, 429].includes(status))).toBe(true)
    const row = await app()
      .database.db.selectFrom('signupCodes')
      .select('attempts')
      .where('email', '=', await emailOf(code))
      .executeTakeFirstOrThrow()
    expect(row.attempts).toBe(5)
    app().clock.advance(3600)
    expect(await verify(code, short_code)).toMatchObject(invalid)
  })

  test('is rejected after a day', async () => {
    const { code, short_code } = await apply(app())
    app().clock.advance(24 * 3600 - 1)
    expect((await verify(code, short_code)).status).toBe(200)
    app().clock.advance(1)
    expect(await verify(code, short_code)).toMatchObject(invalid)
  })

  test('is rejected once the account exists', async () => {
    const applicant = await apply(app())
    expect((await finish(app(), applicant)).status).toBe(200)
    const used = { short_code: 'This confirmation code has already been used.' }
    expect(await verify(applicant.code, applicant.short_code)).toMatchObject({
      status: 422,
      body: { errors: used, reason: 'used' },
    })
    // other callers don't learn that the account exists
    expect(await verify(applicant.code, 'AAAAA')).toMatchObject(invalid)
  })

  test.each([
    [{}, ['code', 'short_code']],
    [{ code: 'x', short_code: '' }, ['short_code']],
    [{ code: {}, short_code: 12345 }, ['code', 'short_code']],
  ])('%j is reported at its fields', async (body, fields) => {
    const answer = await app().call('POST /api/auth/signup/verify', { body, ip })
    expect({ status: answer.status, fields: Object.keys(answer.body.errors) }).toEqual({
      status: 422,
      fields,
    })
  })
})

async function emailOf(code: string): Promise<string> {
  const { rows } = await app().database.pool.query<{ email: string }>(
    `select email from signup_codes where code_hash = sha256($1::bytea)`,
    [Buffer.from(code)],
  )
  return rows[0]?.email ?? ''
}
