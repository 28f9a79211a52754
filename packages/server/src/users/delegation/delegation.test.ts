import { languages } from '@gatehouse/contract/language'
import { beforeEach, describe, expect, test } from 'vitest'
import { makeAccount, type TestAccount } from '../../testing/account-fixture.ts'
import { deleteUser, makeAlias, makeUser, signInAs } from '../../testing/factories.ts'
import { useTestApp } from '../../testing/test-app.ts'

const app = useTestApp()
let account: TestAccount

beforeEach(async () => {
  account = await makeAccount(app())
})

type Who = 'owner' | 'controller' | 'member'

const path = (about: Who, email?: string) =>
  `/api/v4/users/${account[about].id}/delegations${email === undefined ? '' : `/${encodeURIComponent(email)}`}`

const add = (who: Who, about: Who, email: unknown, options: unknown) =>
  account.as(who, `POST ${path(about)}`, { email, options })

const list = async (who: Who, about: Who, what = 'delegations') =>
  (await account.as(who, `GET /api/v4/users/${account[about].id}/${what}`)).body

const mail = { mail: 'read-write' }

describe('a delegation', () => {
  test('can be created, listed from both sides, changed and ended', async () => {
    await makeAlias(app(), account.controller, `second@${account.domain}`)
    await account.as('owner', `PUT /api/v4/users/${account.controller.id}`, {
      first_name: 'Ned',
      last_name: 'Fox',
    })
    const email = account.controller.email
    const made = await add('member', 'member', email.toUpperCase(), {
      mail: 'read-only',
      event: 'read-write',
    })
    expect(made).toMatchObject({
      status: 200,
      body: { status: 'success', message: 'The delegate has been added.', id: expect.any(String) },
    })
    const options = { mail: 'read-only', event: 'read-write', send_as: true }
    expect(await list('member', 'member')).toEqual({
      list: [{ email, aliases: [`second@${account.domain}`], name: 'Ned Fox', options, isReady: false }],
      count: 1,
      hasMore: false,
    })
    const from = { email: account.member.email, aliases: [], name: account.member.email, options }
    expect((await list('controller', 'controller', 'delegators')).list).toEqual([{ ...from, isReady: false }])
    expect(await list('controller', 'controller')).toEqual({ list: [], count: 0, hasMore: false })
    await app().jobs.drain()
    expect((await list('member', 'member')).list[0].isReady).toBe(true)

    const changed = await account.as('member', `PUT ${path('member', email)}`, {
      options: { contact: 'read-only', send_as: false },
    })
    const after = { contact: 'read-only', send_as: false }
    expect(changed).toMatchObject({ status: 200, body: { status: 'success', options: after } })
    expect((await list('member', 'member')).list).toMatchObject([{ options: after, isReady: false }])

    const ended = await account.as('member', `DELETE ${path('member', email)}`)
    expect(ended).toMatchObject({ status: 200, body: { message: 'The delegate has been removed.' } })
    expect((await list('member', 'member')).count).toBe(0)
    expect((await account.as('member', `DELETE ${path('member', email)}`)).status).toBe(404)
    expect((await account.as('member', `PUT ${path('member', email)}`, { options: mail })).status).toBe(404)
    // it can be created again
    expect((await add('member', 'member', email, mail)).status).toBe(200)
  })

  test('lists are sorted by address and exclude deleted users', async () => {
    const others = ['b', 'a', 'c'].map((name) =>
      makeUser(app(), { email: `${name}@${account.domain}`, walletId: account.owner.walletId }),
    )
    const [b, a, c] = await Promise.all(others)
    for (const user of [b, a, c]) await add('member', 'member', user?.email, mail)
    const emails = async () => (await list('owner', 'member')).list.map((one: { email: string }) => one.email)
    expect(await emails()).toEqual([a?.email, b?.email, c?.email])
    if (c !== undefined) await deleteUser(app(), c)
    expect(await emails()).toEqual([a?.email, b?.email])
  })
})

describe('granted options', () => {
  test.each([
    [{ mail: 'read-only' }, { mail: 'read-only', send_as: true }],
    [
      { mail: 'read-write', send_as: false },
      { mail: 'read-write', send_as: false },
    ],
    [
      { mail: 'read-write', send_as: null },
      { mail: 'read-write', send_as: true },
    ],
    [{ contact: 'read-only' }, { contact: 'read-only', send_as: false }],
    [
      { contact: 'read-only', send_as: true },
      { contact: 'read-only', send_as: true },
    ],
    [
      { mail: '', event: null, task: 'read-write' },
      { task: 'read-write', send_as: false },
    ],
    [
      { mail: 'read-only', event: 'read-only', task: 'read-only', contact: 'read-only' },
      { mail: 'read-only', event: 'read-only', task: 'read-only', contact: 'read-only', send_as: true },
    ],
  ])('%j are stored as %j', async (sent, kept) => {
    expect((await add('member', 'member', account.owner.email, sent)).status).toBe(200)
    expect((await list('member', 'member')).list[0].options).toEqual(kept)
  })

  const required = ['Fill in this field.']
  const invalid = ['Give access to at least one of mail, events, tasks and contacts.']
  test.each([
    [undefined, required],
    [null, required],
    ['', required],
    [{}, required],
    [[], required],
    [{ mail: '' }, invalid],
    [{ send_as: true }, invalid],
    [{ mail: 'admin' }, invalid],
    [{ mail: 'READ-ONLY' }, invalid],
    [{ mail: true }, invalid],
    [{ mail: ['read-only'] }, invalid],
    [{ mail: 'read-only', send_as: 'true' }, invalid],
    [{ mail: 'read-only', send_as: 1 }, invalid],
    [{ mail: 'read-only', files: 'read-only' }, invalid],
    [{ mail: 'read-only', toString: 'read-only' }, invalid],
    ['mail', invalid],
    [5, invalid],
    [true, invalid],
    [['mail'], invalid],
    [{ mail: 'x'.repeat(100_000) }, invalid],
  ])('cannot be %j', async (options, error) => {
    const { status, body } = await add('member', 'member', account.owner.email, options)
    expect({ status, errors: body.errors }).toEqual({ status: 422, errors: { options: error } })
    await add('member', 'member', account.owner.email, mail)
    const changed = await account.as('member', `PUT ${path('member', account.owner.email)}`, { options })
    expect(changed.body.errors).toEqual({ options: error })
    expect((await list('member', 'member')).list[0].options).toEqual({ ...mail, send_as: true })
  })

  test('keep the send option if a change omits it', async () => {
    const email = account.owner.email
    const change = async (options: unknown) =>
      (await account.as('member', `PUT ${path('member', email)}`, { options })).body.options
    await add('member', 'member', email, { mail: 'read-only', send_as: false })
    expect(await change({ mail: 'read-write' })).toEqual({ mail: 'read-write', send_as: false })
    expect(await change({ mail: 'read-write', send_as: true })).toEqual({ mail: 'read-write', send_as: true })
    expect(await change({ event: 'read-only' })).toEqual({ event: 'read-only', send_as: true })
  })
})

describe('a delegate', () => {
  const notOne = ['Enter the address of another user in this account.']
  const refused = async (email: unknown) => {
    const { status, body } = await add('member', 'member', email, mail)
    return { status, error: body.errors?.email }
  }

  test('must belong to the account, whatever the domain of the address', async () => {
    const stranger = await makeUser(app())
    // same mail domain, but a separate account
    const neighbour = await makeUser(app(), { email: `neighbour@${account.domain}` })
    const gone = await makeUser(app(), { walletId: account.owner.walletId })
    await deleteUser(app(), gone)
    const technical = await makeUser(app(), { walletId: account.owner.walletId, role: 'service' })
    await makeAlias(app(), account.controller, `alias@${account.domain}`)
    const emails = [
      stranger.email,
      neighbour.email,
      gone.email,
      technical.email,
      `alias@${account.domain}`,
      `nobody@${account.domain}`,
    ]
    for (const email of emails) expect(await refused(email), email).toEqual({ status: 422, error: notOne })
    // sharing a public domain doesn't make users colleagues
    const solo = await makeUser(app(), { email: 'solo1@example.test' })
    const { access_token: token } = await signInAs(app(), solo)
    const body = { email: account.owner.email, options: mail }
    const answer = await app().call(`POST /api/v4/users/${solo.id}/delegations`, { token, body })
    expect(answer.body.errors).toEqual({ email: notOne })
  })

  test("must be another user, for all of one's addresses", async () => {
    await makeAlias(app(), account.member, `me@${account.domain}`)
    for (const email of [account.member.email, account.member.email.toUpperCase(), `me@${account.domain}`]) {
      expect(await refused(email)).toEqual({ status: 422, error: ['Users can’t be their own delegate.'] })
    }
  })

  test('cannot be added twice', async () => {
    expect((await refused(account.owner.email)).status).toBe(200)
    const again = { status: 422, error: ['This user is already a delegate.'] }
    expect(await refused(account.owner.email)).toEqual(again)
    expect((await list('member', 'member')).count).toBe(1)
  })

  test.each([
    [undefined, 'Fill in this field.'],
    [null, 'Fill in this field.'],
    ['  ', 'Fill in this field.'],
    [5, 'This must be text.'],
    [true, 'This must be text.'],
    [{}, 'This must be text.'],
    [['a@b.test'], 'This must be text.'],
    ['somebody', 'Enter a valid e-mail address.'],
    ['a@b@c.test', 'Enter a valid e-mail address.'],
    ["' or 1=1 --", 'Enter a valid e-mail address.'],
    [`${'x'.repeat(300)}@example.test`, 'Enter a valid e-mail address.'],
    ['👩@example.test', 'Enter a valid e-mail address.'],
  ])('%j is not an address', async (email, error) => {
    expect(await refused(email)).toEqual({ status: 422, error: [error] })
  })

  test("reports all field errors at once, in the reader's language", async () => {
    const { access_token: token } = await signInAs(app(), account.member)
    const texts = new Set<string>()
    for (const language of languages) {
      for (const email of ['nobody@example.test', account.member.email]) {
        const { body } = await app().call(`POST ${path('member')}`, {
          token,
          body: { email, options: { mail: 'no' } },
          headers: { 'accept-language': language },
        })
        texts.add(body.errors.email[0]).add(body.errors.options[0])
      }
    }
    expect(texts.size).toBe(3 * languages.length)
  })
})

describe('permission to manage delegations', () => {
  test.each([
    ['owner', 'owner', 200],
    ['owner', 'member', 200],
    ['controller', 'member', 200],
    ['controller', 'controller', 200],
    ['controller', 'owner', 403],
    ['member', 'member', 200],
    ['member', 'owner', 403],
    ['member', 'controller', 403],
  ] as const)('%s about %s: %i', async (who, about, status) => {
    const other = await makeUser(app(), { walletId: account.owner.walletId })
    expect((await add(who, about, other.email, mail)).status).toBe(status)
    await add(about, about, other.email, mail)
    const changed = await account.as(who, `PUT ${path(about, other.email)}`, {
      options: { task: 'read-only' },
    })
    expect(changed.status).toBe(status)
    expect((await account.as(who, `DELETE ${path(about, other.email)}`)).status).toBe(status)
  })

  test('does not let the delegate see or change anything of the delegator', async () => {
    await add('owner', 'owner', account.member.email, mail)
    expect((await account.as('member', `GET ${path('owner')}`)).status).toBe(403)
    expect((await account.as('member', `DELETE ${path('owner', account.member.email)}`)).status).toBe(403)
    expect((await account.as('member', `GET /api/v4/users/${account.owner.id}`)).status).toBe(403)
    expect((await list('member', 'member', 'delegators')).count).toBe(1)
  })

  test.each(['', '%00', 'x', '..%2f..', 'a@b@c.test', '%ff', '__proto__', 'nobody@example.test'])(
    'a delegation to %j is not found',
    async (email) => {
      for (const method of ['PUT', 'DELETE']) {
        const { status } = await account.as('member', `${method} ${path('member')}/${email}`, {
          options: mail,
        })
        expect([404, 400]).toContain(status)
      }
    },
  )
})

describe('concurrent delegations', () => {
  test('for the same pair: one succeeds, the others get a field error', async () => {
    const who: Who[] = ['member', 'owner', 'controller', 'member', 'owner', 'controller']
    const email = (await makeUser(app(), { walletId: account.owner.walletId })).email
    const answers = await Promise.all(who.map((person) => add(person, 'member', email, mail)))
    expect(answers.map((answer) => answer.status).sort((one, other) => one - other)).toEqual([
      200, 422, 422, 422, 422, 422,
    ])
    for (const { status, body } of answers) {
      if (status === 422) expect(body.errors).toEqual({ email: ['This user is already a delegate.'] })
    }
    expect((await list('member', 'member')).count).toBe(1)
  })

  test('of a pair in both directions both succeed', async () => {
    const answers = await Promise.all([
      add('member', 'member', account.controller.email, mail),
      add('controller', 'controller', account.member.email, mail),
    ])
    expect(answers.map((answer) => answer.status)).toEqual([200, 200])
  })

  test('during the deletion of one of the two users leave nothing behind', async () => {
    for (let turn = 0; turn < 5; turn++) {
      const user = await makeUser(app(), { walletId: account.owner.walletId })
      const [made, removed] = await Promise.all([
        add('member', 'member', user.email, mail),
        account.as('owner', `DELETE /api/v4/users/${user.id}`),
      ])
      expect(removed.status).toBe(200)
      expect([200, 422]).toContain(made.status)
      const { rows } = await app().database.pool.query('select from delegations where delegatee_id = $1', [
        user.id,
      ])
      expect(rows).toEqual([])
    }
  })
})

test('each change is recorded for the delegator, with actor, delegate, old and new values', async () => {
  const { email } = account.owner
  await add('controller', 'member', email, mail)
  await account.as('member', `PUT ${path('member', email)}`, { options: { mail: 'read-only' } })
  await account.as('member', `PUT ${path('member', email)}`, { options: { mail: 'read-only' } })
  await account.as('owner', `DELETE ${path('member', email)}`)
  const { body } = await account.as(
    'owner',
    `GET /api/v4/users/${account.member.id}/events?event=delegation.`,
  )
  const seen = body.list.map((event: Record<string, unknown>) => [event.event, event.actor, event.data])
  expect(seen).toEqual([
    [
      'delegation.deleted',
      account.owner.email,
      { delegatee: email, before: { mail: 'read-only', send_as: true } },
    ],
    [
      'delegation.updated',
      account.member.email,
      { delegatee: email, before: { mail: 'read-write' }, after: { mail: 'read-only' } },
    ],
    [
      'delegation.created',
      account.controller.email,
      { delegatee: email, after: { mail: 'read-write', send_as: true } },
    ],
  ])
  expect(body.list[0].title).toBe('Delegate removed')
})

describe('with delegation disabled', () => {
  const without = useTestApp({ APP_WITH_DELEGATION: 'false' })
  test('the calls do not exist', async () => {
    const user = await makeUser(without())
    const { access_token: token } = await signInAs(without(), user)
    for (const route of [
      `GET /api/v4/users/${user.id}/delegations`,
      `GET /api/v4/users/${user.id}/delegators`,
      `POST /api/v4/users/${user.id}/delegations`,
      `PUT /api/v4/users/${user.id}/delegations/a@b.test`,
      `DELETE /api/v4/users/${user.id}/delegations/a@b.test`,
    ]) {
      const body = route.startsWith('GET') ? undefined : {}
      expect((await without().call(route, { token, body })).status, route).toBe(404)
    }
  })
})
