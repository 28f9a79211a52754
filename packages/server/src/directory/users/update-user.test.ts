import { userStatus } from '@gatehouse/contract/status'
import { beforeEach, describe, expect, test } from 'vitest'
import { post } from '../../billing/ledger/post.ts'
import { makeAccount, skusOf, type TestAccount } from '../../testing/account-fixture.ts'
import { makeAlias, makeUser, signInAs } from '../../testing/factories.ts'
import { useTestApp } from '../../testing/test-app.ts'
import { writeSettings } from '../../users/setting-store.ts'

const app = useTestApp()
const ascending = (one: number, other: number) => one - other
let account: TestAccount
let path = ''

beforeEach(async () => {
  account = await makeAccount(app())
  path = `/api/v4/users/${account.member.id}`
})

const put = (body: Record<string, unknown>, who: 'owner' | 'controller' | 'member' = 'owner') =>
  account.as(who, `PUT ${path}`, body)

const shown = async () => (await account.as('owner', `GET ${path}`)).body

/** The user's current quantities by SKU id, with changes. */
async function wanted(changes: Record<string, number> = {}): Promise<Record<string, number>> {
  const rows = await app().database.db.selectFrom('skus').select(['id', 'title']).execute()
  const held = await skusOf(app(), account.member.id)
  return Object.fromEntries(
    rows.flatMap(({ id, title }) => {
      const units = changes[title] ?? held[title]
      return units === undefined ? [] : [[id, units]]
    }),
  )
}

const events = async () =>
  (
    await app()
      .database.db.selectFrom('eventLog')
      .select(['event', 'data', 'actorId', 'ip'])
      .where('objectId', '=', account.member.id)
      .where('event', 'not like', 'sign-in.%')
      .orderBy('id')
      .execute()
  ).map(({ event, data, actorId, ip }) => ({ event, data, actor: actorId, ip }))

describe('updating a user', () => {
  test('changes only the given fields; null and empty values clear them', async () => {
    await put({ first_name: 'Jane', last_name: 'Favre', phone: '1', country: 'de' })
    const { status, body } = await put({ first_name: 'Jo', phone: '', last_name: null, email: 'x@y.test' })
    expect({ status, body }).toEqual({
      status: 200,
      body: { status: 'success', message: 'The user has been updated.', revision: body.revision },
    })
    const { settings, email } = await shown()
    expect(settings).toEqual({ country: 'DE', currency: 'CHF', first_name: 'Jo' })
    expect(email).toBe(account.member.email)
  })

  test('also works with PATCH', async () => {
    expect((await account.as('owner', `PATCH ${path}`, { first_name: 'Pat' })).status).toBe(200)
    expect((await shown()).settings.first_name).toBe('Pat')
  })

  test("returns the current permissions only for the user's own account", async () => {
    expect((await put({ first_name: 'Me' }, 'member')).body.statusInfo).toMatchObject({ isDone: true })
    expect((await put({ first_name: 'You' }, 'owner')).body).not.toHaveProperty('statusInfo')
  })

  test.each([
    { aliases: [] },
    { skus: {} },
    { aliases: 'nonsense' },
    { skus: 7 },
    { first_name: 'x', aliases: [] },
  ])('rejects changes users may not make themselves before validating them: %j', async (body) => {
    const { status } = await put(body, 'member')
    expect(status).toBe(403)
    expect((await shown()).settings.first_name).toBeUndefined()
  })

  test('reports all errors at once', async () => {
    const { status, body } = await put({
      phone: 'x',
      country: 'XX',
      password: 'abc',
      password_confirmation: '',
      aliases: [`ok@${account.domain}`, 'wrong'],
      skus: { nothing: 1 },
    })
    expect(status).toBe(422)
    expect(Object.keys(body.errors).sort()).toEqual(['aliases', 'country', 'password', 'phone', 'skus'])
    expect(body.errors.aliases).toEqual({ 1: 'This entry isn’t valid.' })
    expect(await events()).toEqual([])
  })

  test('logs old and new values, the actor and the origin', async () => {
    await put({ first_name: 'Jane', organization: 'Acme' })
    await account.as('controller', `PUT ${path}`, { first_name: 'Jo', aliases: [`j@${account.domain}`] })
    await put({ first_name: 'Jo' })
    expect(await events()).toEqual([
      {
        event: 'user.updated',
        actor: account.owner.id,
        ip: '127.0.0.1',
        data: {
          before: { first_name: null, organization: null },
          after: { first_name: 'Jane', organization: 'Acme' },
        },
      },
      {
        event: 'user.updated',
        actor: account.controller.id,
        ip: '127.0.0.1',
        data: {
          before: { first_name: 'Jane', aliases: [] },
          after: { first_name: 'Jo', aliases: [`j@${account.domain}`] },
        },
      },
    ])
  })
})

describe('two people changing the same user', () => {
  test('from the same revision: the second gets a conflict and changes nothing', async () => {
    const { revision } = await shown()
    const first = await put({ first_name: 'First', revision })
    const second = await put({ last_name: 'Second', revision }, 'controller')
    expect([first.status, second.status]).toEqual([200, 409])
    expect(second.body).toEqual({
      status: 'error',
      message: 'Someone else changed this user. Reload the page and try again.',
    })
    expect((await shown()).settings).toMatchObject({ first_name: 'First' })
    expect((await shown()).settings).not.toHaveProperty('last_name')
    const third = await put({ last_name: 'Third', revision: first.body.revision }, 'controller')
    expect(third.status).toBe(200)
    expect(third.body.revision).toBe((await shown()).revision)
  })

  test('concurrently: one of them wins', async () => {
    const { revision } = await shown()
    const answers = await Promise.all(
      Array.from({ length: 5 }, (_, turn) => put({ first_name: `Turn ${turn}`, revision })),
    )
    expect(answers.map((answer) => answer.status).sort(ascending)).toEqual([200, 409, 409, 409, 409])
  })

  test("don't conflict without a revision, and neither does a charge", async () => {
    const { revision } = await shown()
    const charge = { walletId: account.owner.walletId, type: 'debit', amount: 100, key: 'a charge' } as const
    await post(app().database.db, app().clock, { ...charge, text: 'charge' })
    await app().database.pool.query('update users set language = $1', ['de'])
    expect((await put({ first_name: 'A', revision })).status).toBe(200)
    expect((await put({ first_name: 'B' })).status).toBe(200)
  })
})

describe('aliases', () => {
  test('are the complete new list: missing ones are removed and available to others', async () => {
    const at = (local: string) => `${local}@${account.domain}`
    await put({ aliases: [at('a'), at('b'), 'free@DOMAIN'.replace('DOMAIN', account.domain)] })
    const { status } = await put({ aliases: [at('B'), '', at('c'), account.member.email] })
    expect(status).toBe(200)
    expect((await shown()).aliases).toEqual([at('b'), at('c')])
    const other = await account.as('owner', `PUT /api/v4/users/${account.controller.id}`, {
      aliases: [at('a')],
    })
    expect(other.status).toBe(200)
    expect((await put({ aliases: [at('a')] })).body.errors).toEqual({
      aliases: { 0: 'This entry is already in use.' },
    })
    await put({ aliases: [] })
    expect((await shown()).aliases).toEqual([])
  })

  test('are kept if null or absent', async () => {
    await makeAlias(app(), account.member, `kept@${account.domain}`)
    await put({ aliases: null, first_name: 'x' })
    expect((await shown()).aliases).toEqual([`kept@${account.domain}`])
  })

  test("that are kept don't have to satisfy newer rules", async () => {
    await makeAlias(app(), account.member, `odd+one@${account.domain}`)
    const aliases = [`odd+one@${account.domain}`, `new@${account.domain}`]
    expect((await put({ aliases })).status).toBe(200)
    expect((await shown()).aliases.sort()).toEqual(aliases.sort())
  })

  test("swapped by two concurrent requests don't deadlock", async () => {
    const [a, b] = [`a@${account.domain}`, `b@${account.domain}`]
    const other = `/api/v4/users/${account.controller.id}`
    await put({ aliases: [a] })
    await account.as('owner', `PUT ${other}`, { aliases: [b] })
    for (let turn = 0; turn < 5; turn++) {
      const answers = await Promise.all([
        put({ aliases: [b] }),
        account.as('controller', `PUT ${other}`, { aliases: [a] }),
      ])
      for (const { status } of answers) expect([200, 422]).toContain(status)
    }
  })

  test.each([
    ['a number in the list', [5], { aliases: { 0: 'This must be text.' } }],
    ['a list in the list', [['a']], { aliases: { 0: 'This must be text.' } }],
    ['100 kB', ['x'.repeat(100_000)], { aliases: { 0: `Enter at most 1'024 characters.` } }],
    ['a text', 'a@b.test', { aliases: ['This must be a list.'] }],
  ])('with invalid values are rejected: %s', async (_, aliases, errors) => {
    expect((await put({ aliases })).body.errors).toEqual(errors)
  })
})

describe('subscriptions', () => {
  test('are the complete new state', async () => {
    const { status } = await put({ skus: await wanted({ storage: 8, groupware: 1, activesync: 1 }) })
    expect(status).toBe(200)
    expect(await skusOf(app(), account.member.id)).toMatchObject({ storage: 8, activesync: 1 })
    const [entry] = await events()
    expect(entry?.data).toMatchObject({ after: { subscriptions: { storage: 8, activesync: 1 } } })
    await app().jobs.drain()
    expect(app().backend.users.get(account.member.id)).toMatchObject({
      quota: 8 * 1_048_576,
      roles: ['activesync-user'],
    })
  })

  test('without a mailbox, or with too many units, are rejected at the field', async () => {
    const cases: Record<string, number>[] = [
      { mailbox: 0 },
      { mailbox: 2 },
      { storage: 10_000 },
      { '2fa': 1, activesync: 1 },
    ]
    for (const changes of cases) {
      const { status, body } = await put({ first_name: 'x', skus: await wanted(changes) })
      expect({ status, fields: Object.keys(body.errors) }).toEqual({ status: 422, fields: ['skus'] })
    }
    expect((await shown()).settings.first_name).toBeUndefined()
  })

  test('with a mailbox create one for a user without it', async () => {
    const { id } = await makeUser(app(), {
      email: `plain@${account.domain}`,
      walletId: account.owner.walletId,
      plan: null,
      status: userStatus.new,
    })
    const skus = await wanted({ mailbox: 1, storage: 5, groupware: 1 })
    expect((await account.as('owner', `PUT /api/v4/users/${id}`, { skus })).status).toBe(200)
    await app().jobs.drain()
    expect((await account.as('owner', `GET /api/v4/users/${id}`)).body.isReady).toBe(true)
  })
})

describe('a password', () => {
  const password = (text: string) => ({ password: text, password_confirmation: text })

  test('set by the user ends their other sessions and is announced by e-mail', async () => {
    await writeSettings(app().database.db, account.member.id, { external_email: 'm@elsewhere.test' })
    const other = (await signInAs(app(), account.member)).access_token
    expect((await put(password('another anchor'), 'member')).status).toBe(200)
    expect((await app().call(`GET ${path}`, { token: other })).status).toBe(401)
    expect((await account.as('member', `GET ${path}`)).status).toBe(200)
    await signInAs(app(), { email: account.member.email, password: 'another anchor' })
    const mail = (await app().mails()).find(({ to }) => JSON.stringify(to).includes('m@elsewhere.test'))
    expect(mail?.subject).toMatch(/password/i)
  })

  test("set by a controller ends all of the user's sessions", async () => {
    expect((await put(password('another anchor'), 'controller')).status).toBe(200)
    expect((await account.as('member', `GET ${path}`)).status).toBe(401)
    expect((await account.as('controller', `GET ${path}`)).status).toBe(200)
  })

  test('is logged as changed without its value', async () => {
    await put(password('top secret 1'))
    const recorded = await events()
    expect(recorded.map((entry) => entry.event)).toEqual(['password.changed'])
    const { rows } = await app().database.pool.query('select event_log::text as row from event_log')
    expect(JSON.stringify(rows)).not.toMatch(/top secret|argon/)
  })

  test("used before is rejected if the account's policy says so", async () => {
    const settings = { password_policy: 'min:6,max:255,last:2' }
    await writeSettings(app().database.db, account.owner.id, settings)
    const refused = { password: ['This password doesn’t meet all the rules.'] }
    expect((await put(password('first anchor'), 'member')).status).toBe(200)
    expect((await put(password('first anchor'), 'member')).body.errors).toEqual(refused)
    expect((await put(password('second anchor'), 'member')).status).toBe(200)
    expect((await put(password('first anchor'), 'member')).body.errors).toEqual(refused)
    expect((await put(password('third anchor'), 'member')).status).toBe(200)
    expect((await put(password('first anchor'), 'member')).status).toBe(200)
  })

  test.each([
    [{ password: 'first anchor' }, ['The two entries don’t match.']],
    [{ password_confirmation: 'first anchor' }, ['Fill in this field.']],
    [{ ...password('abc') }, ['This password doesn’t meet all the rules.']],
    [{ password: 5 }, ['This must be text.']],
    [{ ...password('x'.repeat(100_000)) }, [`Enter at most 1'024 characters.`]],
  ])('is not changed by invalid input %#', async (body, errors) => {
    const answer = await put(body, 'member')
    expect(answer.body.errors?.password).toEqual(errors)
  })

  test('is not changed by empty fields', async () => {
    expect((await put(password(''), 'member')).status).toBe(200)
    await signInAs(app(), account.member)
  })

  test('may be set with a link from a controller; a second link replaces the first', async () => {
    const make = async () => (await account.as('owner', 'POST /api/v4/password-reset/code')).body
    const [first, second] = [await make(), await make()]
    await put({ passwordLinkCode: `${first.short_code}-${first.code}` })
    await put({ passwordLinkCode: second.code })
    expect((await shown()).passwordLinkCode).toBe(`${second.short_code}-${second.code}`)
    expect((await account.as('controller', `GET ${path}`)).body).not.toHaveProperty('passwordLinkCode')
    const verify = (link: { code: string; short_code: string }) =>
      app().call('POST /api/auth/password-reset/verify', { body: link })
    expect((await verify(first)).status).toBe(422)
    expect((await verify(second)).body).toMatchObject({ userId: account.member.id })
    app().clock.advance(24 * 3600 + 1)
    const { access_token: token } = await signInAs(app(), account.owner)
    expect((await app().call(`GET ${path}`, { token })).body).not.toHaveProperty('passwordLinkCode')
  })

  test('link for oneself or from another user is ignored', async () => {
    const own = (await account.as('member', 'POST /api/v4/password-reset/code')).body.code
    expect((await put({ passwordLinkCode: own }, 'member')).status).toBe(200)
    expect((await put({ passwordLinkCode: own }, 'owner')).status).toBe(200)
    expect(await shown()).not.toHaveProperty('passwordLinkCode')
  })
})
