import { userStatus } from '@gatehouse/contract/status'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makeAccount, packageOf, skusOf, type TestAccount } from '../../testing/account-fixture.ts'
import {
  deleteUser,
  makeAlias,
  makeDomain,
  makeTenant,
  makeUser,
  setStatus,
  signInAs,
  strongPassword,
} from '../../testing/factories.ts'
import { countRows } from '../../testing/signup/sign-up.ts'
import { useTestApp } from '../../testing/test-app.ts'

const app = useTestApp()
const ascending = (one: number, other: number) => one - other
let account: TestAccount

beforeAll(async () => {
  await makeDomain(app(), 'example.test')
})

beforeEach(async () => {
  account = await makeAccount(app())
})

const create = (facts: Record<string, unknown> = {}, who: 'owner' | 'controller' | 'member' = 'owner') =>
  account.as(who, 'POST /api/v4/users', account.newUser(facts))

describe('a new user', () => {
  test.each(['owner', 'controller'] as const)(
    'is created by the %s with everything that was said',
    async (who) => {
      const { domain } = account
      const email = `Jane.Doe@${domain.toUpperCase()}`
      const { status, body } = await create(
        {
          email,
          first_name: 'Jané',
          last_name: 'Do/e',
          organization: 'Acme',
          phone: '+41 (44) 000-00',
          external_email: 'jane@elsewhere.test',
          billing_address: 'Street 1\nTown',
          country: 'de',
          currency: 'eur',
          aliases: [`J.Doe@${domain}`, '', `jane.doe@${domain}`, `j.doe@${domain}`],
        },
        who,
      )
      expect({ status, body }).toEqual({
        status: 200,
        body: { status: 'success', message: 'The user has been created.', id: body.id },
      })
      const shown = await account.as('owner', `GET /api/v4/users/${body.id}`)
      expect(shown.body).toMatchObject({
        email: `jane.doe@${domain}`,
        status: userStatus.new,
        aliases: [`j.doe@${domain}`],
        settings: {
          first_name: 'Jané',
          last_name: 'Do/e',
          organization: 'Acme',
          phone: '+41 (44) 000-00',
          external_email: 'jane@elsewhere.test',
          billing_address: 'Street 1\nTown',
          country: 'DE',
          currency: 'EUR',
        },
        wallet: { id: account.owner.walletId },
      })
      expect(shown.body.wallets).toHaveLength(1)
      expect(await skusOf(app(), body.id)).toEqual({ mailbox: 1, storage: 5, groupware: 1 })
      await app().jobs.drain()
      expect(app().backend.users.get(body.id)).toMatchObject({
        email: `jane.doe@${domain}`,
        aliases: [`j.doe@${domain}`],
        firstName: 'Jané',
        quota: 5 * 1_048_576,
        roles: [],
      })
      expect((await account.as('owner', `GET /api/v4/users/${body.id}`)).body.isReady).toBe(true)
      await signInAs(app(), { email: `jane.doe@${domain}`, password: strongPassword })
    },
  )

  test("requires only address, password and package, and inherits the caller's country", async () => {
    const { body } = await create()
    const shown = await account.as('owner', `GET /api/v4/users/${body.id}`)
    expect(shown.body).toMatchObject({ settings: { country: 'CH', currency: 'CHF' }, aliases: [] })
  })

  test('is restricted if the owner is', async () => {
    await setStatus(app(), account.owner, userStatus.active | userStatus.restricted)
    const { body } = await create()
    expect((await account.as('owner', `GET /api/v4/users/${body.id}`)).body.isRestricted).toBe(true)
  })

  test("gets an address in a public domain, but none that looks like the operator's", async () => {
    expect((await create({ email: 'free.name@example.test' })).status).toBe(200)
    const { status, body } = await create({ email: 'Postmaster@example.test' })
    expect({ status, errors: body.errors }).toEqual({
      status: 422,
      errors: { email: 'This entry is already in use.' },
    })
    expect((await create({ email: `postmaster@${account.domain}` })).status).toBe(200)
  })

  test('is created once per Idempotency-Key', async () => {
    const { access_token: token } = await signInAs(app(), account.owner)
    const body = account.newUser()
    const call = () =>
      app().call('POST /api/v4/users', { token, body, headers: { 'idempotency-key': 'create-one-user' } })
    const [first, second] = [await call(), await call()]
    expect(second.body).toEqual(first.body)
    expect(second.headers['idempotency-replayed']).toBe('true')
  })

  test('sets the password with a link that only its creator sees', async () => {
    const link = (await account.as('owner', 'POST /api/v4/password-reset/code')).body
    const passwordLinkCode = `${link.short_code}-${link.code}`
    const email = `linked@${account.domain}`
    const { status, body } = await create({
      email,
      passwordLinkCode,
      password: '',
      password_confirmation: '',
    })
    expect(status).toBe(200)
    const shown = async (who: 'owner' | 'controller') =>
      (await account.as(who, `GET /api/v4/users/${body.id}`)).body.passwordLinkCode
    expect(await shown('owner')).toBe(passwordLinkCode)
    expect(await shown('controller')).toBeUndefined()
    const reset = await app().call('POST /api/auth/password-reset', {
      body: { ...link, password: 'chosen-by-me', password_confirmation: 'chosen-by-me' },
    })
    expect(reset.status).toBe(200)
    expect(await shown('owner')).toBeUndefined()
    await signInAs(app(), { email, password: 'chosen-by-me' })
  })

  test.each([
    [
      'of somebody else',
      async () => (await account.as('controller', 'POST /api/v4/password-reset/code')).body.code,
    ],
    ['that does not exist', async () => 'X'.repeat(32)],
    [
      'with a wrong short code',
      async () => `AAAAAAAA-${(await account.as('owner', 'POST /api/v4/password-reset/code')).body.code}`,
    ],
    [
      'that is too old',
      async () => {
        const { code } = (await account.as('owner', 'POST /api/v4/password-reset/code')).body
        await app().database.pool.query(`update verification_codes set expires_at = '2020-01-01'`)
        return code
      },
    ],
  ])('with a link %s requires a password', async (_, code) => {
    const { body } = await create({ passwordLinkCode: await code(), password: '', password_confirmation: '' })
    expect(body.errors).toEqual({ password: ['Fill in this field.'] })
  })
})

describe('address validation', () => {
  const refused = 'This entry isn’t valid.'
  const taken = 'This entry is already in use.'
  const unknown = 'This domain name isn’t valid.'
  const cases: [name: string, email: unknown, error: string | string[]][] = [
    ['missing', undefined, 'Fill in this field.'],
    ['empty', '  ', 'Fill in this field.'],
    ['a number', 7, ['This must be text.']],
    ['a list', ['a@b.test'], ['This must be text.']],
    ['without "@"', 'jane', refused],
    ['without local part', '@DOMAIN', refused],
    ['without domain', 'jane@', refused],
    ['with two "@"', 'jane@DOMAIN@example.test', refused],
    ['with two "@" and a foreign end', 'jane@DOMAIN@evil.test', refused],
    ['in an unknown domain', 'jane@unknown.test', unknown],
    ['in something that is no domain', 'jane@-.test', unknown],
    ['with a leading dot', '.jane@DOMAIN', refused],
    ['with a double dot', 'ja..ne@DOMAIN', refused],
    ['with a plus sign', 'jane+shop@DOMAIN', refused],
    ['with a leading hyphen', '-jane@DOMAIN', 'Addresses can’t start with a hyphen.'],
    ['of shared folders', 'shared@DOMAIN', 'This name is reserved for shared folders. Choose another one.'],
    ['with letters beyond ASCII', 'jané@DOMAIN', refused],
    ['with look-alike letters', 'jаne@DOMAIN', refused],
    ['with a blank', 'ja ne@DOMAIN', refused],
    ['with a quote', `"jane"@DOMAIN`, refused],
    ['with SQL', `a'or'1'='1@DOMAIN`, refused],
    ['with line breaks', 'jane@DOMAIN\r\nBcc: x@y.test', refused],
    ['with a long local part', `${'x'.repeat(65)}@DOMAIN`, refused],
    ['of 1000 characters', `${'x'.repeat(990)}@DOMAIN`, refused],
    ['of 100 kB', `${'x'.repeat(100_000)}@DOMAIN`, [`Enter at most 1'024 characters.`]],
    ['of the owner', 'OWNER', taken],
    ['of a user of the account', 'member@DOMAIN', taken],
  ]
  test.each(cases)('rejects %s', async (_, email, error) => {
    const text =
      typeof email === 'string'
        ? email.replace('DOMAIN', account.domain).replace('OWNER', account.owner.email)
        : email
    const { status, body } = await create({ email: text })
    expect({ status, errors: body.errors }).toEqual({ status: 422, errors: { email: error } })
  })

  test('accepts 64 characters before the "@"', async () => {
    expect((await create({ email: `${'x'.repeat(64)}@${account.domain}` })).status).toBe(200)
  })

  test('rejects with 422 an address longer than the database allows, whatever its parts', async () => {
    const name = `${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(50)}.test`
    await makeDomain(app(), name, { type: 4, status: 50, walletId: account.owner.walletId })
    const { body } = await create({ email: `${'x'.repeat(30)}@${name}` })
    expect(body.errors).toEqual({ email: refused })
  })

  test('rejects an address in an unconfirmed domain', async () => {
    await makeDomain(app(), `mine-${account.domain}`, {
      type: 4,
      status: 1,
      walletId: account.owner.walletId,
    })
    const { body } = await create({ email: `jane@mine-${account.domain}` })
    expect(body.errors).toEqual({ email: 'This domain isn’t verified yet. Verify it first.' })
  })

  test('rejects an address in the domain of another account or tenant', async () => {
    const other = await makeAccount(app())
    expect((await create({ email: `jane@${other.domain}` })).body.errors).toEqual({
      email: 'This domain isn’t available.',
    })
    const tenantId = await makeTenant(app(), 5)
    await makeDomain(app(), 'their.test', { tenantId })
    expect((await create({ email: 'jane@their.test' })).body.errors).toEqual({ email: unknown })
  })

  test('treats both spellings of an international domain as equal', async () => {
    const name = `xn--bcher-kva${account.domain}`
    await makeDomain(app(), 'xn--bcher-kva.test', { type: 4, status: 50, walletId: account.owner.walletId })
    const { status, body } = await create({ email: 'jane@BÜCHER.test', aliases: ['jane@xn--bcher-kva.test'] })
    expect({ status, name }).toMatchObject({ status: 200 })
    const shown = await account.as('owner', `GET /api/v4/users/${body.id}`)
    expect(shown.body).toMatchObject({ email: 'jane@xn--bcher-kva.test', aliases: [] })
  })

  test('rejects a former alias and the address of a deleted user', async () => {
    await makeAlias(app(), account.member, `alias@${account.domain}`)
    const gone = await makeUser(app(), { email: `gone@${account.domain}`, walletId: account.owner.walletId })
    await deleteUser(app(), gone)
    for (const local of ['alias', 'gone']) {
      const { body } = await create({ email: `${local}@${account.domain}` })
      expect(body.errors).toEqual({ email: taken })
    }
  })

  test('gives a contested address to one request and reports a field error to the others', async () => {
    const email = `popular@${account.domain}`
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, turn) => create({ email }, turn % 2 === 0 ? 'owner' : 'controller')),
    )
    expect(answers.map((answer) => answer.status).sort(ascending)).toEqual([200, 422, 422, 422, 422, 422])
    for (const { body } of answers.filter((answer) => answer.status === 422)) {
      expect(body.errors).toEqual({ email: taken })
    }
  })

  test('does not deadlock when two requests claim the same addresses crosswise', async () => {
    const one = `one@${account.domain}`
    const two = `two@${account.domain}`
    const answers = await Promise.all([
      create({ email: one, aliases: [two] }),
      create({ email: two, aliases: [one] }, 'controller'),
    ])
    expect(answers.map((answer) => answer.status).sort(ascending)).toEqual([200, 422])
  })
})

describe('other fields', () => {
  const max = (length: string) => [`Enter at most ${length} characters.`]
  const wrong = ['This text contains characters that aren’t allowed.']
  const text = ['This must be text.']
  const huge = 'x'.repeat(100_000)
  const cases: [field: string, value: unknown, error: unknown][] = [
    ['first_name', 'x'.repeat(129), max('128')],
    ['first_name', huge, max('128')],
    ['first_name', 5, text],
    ['first_name', { a: 1 }, text],
    ['first_name', 'a\nb', wrong],
    ['first_name', '\u202egnp', wrong],
    ['last_name', 'x'.repeat(129), max('128')],
    ['last_name', [], text],
    ['last_name', 'a\u0007', wrong],
    ['organization', 'x'.repeat(513), max('512')],
    ['organization', false, text],
    ['billing_address', 'x'.repeat(1025), max("1'024")],
    ['billing_address', 'a\u0000b', text],
    ['phone', 'x'.repeat(3), wrong],
    ['phone', '1'.repeat(65), max('64')],
    ['phone', '+41.44', wrong],
    ['external_email', 'nobody', ['Enter a valid e-mail address.']],
    ['external_email', `${'x'.repeat(190)}@a.test`, ['Enter at most 191 characters.']],
    ['country', 'XX', ['This isn’t a valid country code.']],
    ['country', '12', wrong],
    ['country', 'CHE', undefined],
    ['country', 5, text],
    ['currency', 'XXX', ['This isn’t a valid currency code.']],
    ['currency', 'CH', undefined],
    ['aliases', 'a@b.test', ['This must be a list.']],
    ['aliases', { 0: 'a' }, ['This must be a list.']],
    ['password', undefined, ['Fill in this field.']],
    ['password', 'other', undefined],
    ['password', 'short', undefined],
    ['package', undefined, undefined],
  ]
  test.each(cases)('%s, case %#', async (field, value, error) => {
    const { status, body } = await create({ [field]: value })
    expect(status).toBe(422)
    expect(Object.keys(body.errors)).toEqual([field])
    if (error !== undefined) expect(body.errors[field]).toEqual(error)
  })

  test('are rejected together, each with its kind of error and the package last', async () => {
    const { body } = await account.as('owner', 'POST /api/v4/users', {
      email: 'nobody',
      password: 'abc',
      password_confirmation: 'abd',
      phone: 'call me',
      country: 'XX',
      aliases: [`fine@${account.domain}`, 'wrong', null, `member@${account.domain}`],
      package: 'nothing',
    })
    expect(body.errors).toEqual({
      email: 'This entry isn’t valid.',
      password: ['The two entries don’t match.', 'This password doesn’t meet all the rules.'],
      phone: ['This text contains characters that aren’t allowed.'],
      country: ['This isn’t a valid country code.'],
      aliases: { 1: 'This entry isn’t valid.', 3: 'This entry is already in use.' },
    })
  })

  test('reject a package for domains, of another tenant, or no package', async () => {
    const tenantId = await makeTenant(app(), 6)
    const theirs = '01900000-0000-7000-8000-000000000001'
    await app()
      .database.db.insertInto('packages')
      .values({
        id: theirs,
        tenantId,
        title: 'x',
        name: '{}',
        description: '{}',
        discountRate: 0,
      })
      .execute()
    const domains = await packageOf(app(), 'domain-hosting')
    for (const packageId of [domains, theirs, 'nothing', undefined, account.owner.walletId]) {
      const { status, body } = await create({ package: packageId })
      expect(status).toBe(422)
      expect(Object.keys(body.errors)).toEqual(['package'])
      expect(typeof body.errors.package).toBe('string')
    }
  })

  test('follow the password policy of the account', async () => {
    await app()
      .database.db.insertInto('userSettings')
      .values({ userId: account.owner.id, key: 'password_policy', value: 'min:10,max:255,upper' })
      .execute()
    expect((await create({}, 'controller')).body.errors).toEqual({
      password: ['This password doesn’t meet all the rules.'],
    })
    const password = 'Long enough'
    expect((await create({ password, password_confirmation: password })).status).toBe(200)
  })

  test('leave nothing behind when rejected, except a log entry if creation is not allowed', async () => {
    const before = await countRows(app())
    await create({ email: 'nobody' })
    await create({ package: undefined })
    await app().events.settled()
    expect(await countRows(app())).toEqual(before)
    expect((await create({}, 'member')).status).toBe(403)
    // the entry is written after the response
    await app().events.settled()
    const { event_log: entries, ...others } = await countRows(app())
    const { event_log: entriesBefore, ...othersBefore } = before
    expect(others).toEqual(othersBefore)
    expect(Number(entries) - Number(entriesBefore)).toBe(1)
  })
})
