import { beforeEach, describe, expect, test } from 'vitest'
import type { BackendUser } from '../../provisioning/backend.ts'
import { NullBackend } from '../../provisioning/null-backend.ts'
import { makeAccount, type TestAccount } from '../../testing/account-fixture.ts'
import { makeAlias, makeUser } from '../../testing/factories.ts'
import { apply, finish } from '../../testing/signup/sign-up.ts'
import { useTestApp } from '../../testing/test-app.ts'

const backend = new NullBackend()
const app = useTestApp({}, backend)
let account: TestAccount
let ids: Record<string, string>

beforeEach(async () => {
  account = await makeAccount(app())
  await makeAlias(app(), account.member, `old@${account.domain}`)
  await update({ first_name: 'Ada' })
  await app().jobs.drain()
  backend.calls.length = 0
  const skus = await app().database.db.selectFrom('skus').select(['id', 'title']).execute()
  ids = Object.fromEntries(skus.map((sku) => [sku.title, sku.id]))
})

const update = (body: Record<string, unknown>) =>
  account.as('owner', `PUT /api/v4/users/${account.member.id}`, body)
const skus = (units: Record<string, number>) =>
  update({
    skus: Object.fromEntries(Object.entries(units).map(([title, count]) => [ids[title] ?? title, count])),
  })
const password = { password: 'brand-new-1', password_confirmation: 'brand-new-1' }
const gib = 1_048_576

/** Returns the calls about users and domains since the action, in no particular order. */
async function calls(): Promise<string[]> {
  await app().jobs.drain()
  return backend.calls.map((call) => call.name).sort()
}

/** Changes of a user with the resulting state in the back end; reference api-objects §5.2. */
const changes: [string, () => Promise<unknown>, () => Partial<Record<keyof BackendUser, unknown>>][] = [
  ['the first name', () => update({ first_name: 'Grace' }), () => ({ firstName: 'Grace' })],
  ['the last name', () => update({ last_name: 'Hopper' }), () => ({ lastName: 'Hopper' })],
  ['the organisation', () => update({ organization: 'Navy' }), () => ({ organization: 'Navy' })],
  ['a name that is taken away', () => update({ first_name: null }), () => ({ firstName: null })],
  [
    'an alias more',
    () => update({ aliases: [`old@${account.domain}`, `more@${account.domain}`] }),
    () => ({ aliases: [`more@${account.domain}`, `old@${account.domain}`] }),
  ],
  ['an alias less', () => update({ aliases: [] }), () => ({ aliases: [] })],
  ['more storage', () => skus({ mailbox: 1, groupware: 1, storage: 9 }), () => ({ quota: 9 * gib })],
  [
    'the groupware that is given up',
    () => skus({ mailbox: 1, storage: 5 }),
    () => ({ roles: ['imap-user'] }),
  ],
  [
    'mobile synchronisation',
    () => skus({ mailbox: 1, groupware: 1, storage: 5, activesync: 1 }),
    () => ({ roles: ['activesync-user'] }),
  ],
  [
    'a second factor',
    () => skus({ mailbox: 1, groupware: 1, storage: 5, '2fa': 1 }),
    () => ({ roles: ['2fa-user'] }),
  ],
  ['a password', () => update(password), () => ({})],
  [
    'the own password',
    () => account.as('member', `PUT /api/v4/users/${account.member.id}`, password),
    () => ({}),
  ],
]

describe('the back end is called once for', () => {
  test.each(changes)('%s', async (_, change, known) => {
    const before = backend.users.get(account.member.id)
    expect(await change()).toMatchObject({ status: 200 })
    expect(await calls()).toEqual(['updateUser'])
    const after = backend.users.get(account.member.id)
    expect(after).toMatchObject(known())
    // the provisioned state did change
    expect(after).not.toEqual(before)
  })

  test('all changes of one request', async () => {
    await update({ first_name: 'Grace', aliases: [], ...password })
    await update({ last_name: 'Hopper' })
    expect(await calls()).toEqual(['updateUser'])
  })

  test('a new user', async () => {
    const { body } = await account.as('owner', 'POST /api/v4/users', account.newUser())
    expect(await calls()).toEqual(['createUser'])
    expect(backend.users.get(body.id)).toMatchObject({ id: body.id, quota: 5 * gib })
  })

  test('a mailbox bought later', async () => {
    const user = await makeUser(app(), { walletId: account.owner.walletId, plan: null, status: 1 })
    await account.as('owner', `PUT /api/v4/users/${user.id}`, { first_name: 'Ada' })
    expect(await calls()).toEqual([])
    const wanted = { [ids.mailbox ?? '']: 1, [ids.storage ?? '']: 5 }
    await account.as('owner', `PUT /api/v4/users/${user.id}`, { skus: wanted })
    expect(await calls()).toEqual(['createUser'])
    expect((await account.as('owner', `GET /api/v4/users/${user.id}`)).body.isReady).toBe(true)
  })

  test('a deleted user', async () => {
    await account.as('owner', `DELETE /api/v4/users/${account.member.id}`)
    expect(await calls()).toEqual(['deleteUser'])
  })

  test('a password set by e-mail link', async () => {
    await update({ external_email: 'member@elsewhere.test' })
    await app().jobs.drain()
    backend.calls.length = 0
    const { body } = await app().call('POST /api/auth/password-reset/init', {
      body: { email: account.member.email },
      ip: '8.8.1.1',
    })
    const mails = await app().mails()
    const short = mails.map((mail) => /\/password-reset\/([A-Z0-9]+)-/.exec(mail.text)?.[1]).find(Boolean)
    const before = backend.users.get(account.member.id)?.passwordHash
    const answer = await app().call('POST /api/auth/password-reset', {
      body: { code: body.code, short_code: short, ...password },
      ip: '8.8.1.1',
    })
    expect(answer.status).toBe(200)
    expect(await calls()).toEqual(['updateUser'])
    expect(backend.users.get(account.member.id)?.passwordHash).not.toBe(before)
  })

  test('a deleted account and its domain', async () => {
    await account.as('owner', `DELETE /api/v4/users/${account.owner.id}`)
    expect(await calls()).toEqual(['deleteUser', 'deleteUser', 'deleteUser'])
    // this domain was never provisioned
    const { rows } = await app().database.pool.query('select status from domains where id = $1', [
      account.domainId,
    ])
    expect(rows).toEqual([{ status: 56 }])
  })

  test('a new account with a domain, and its deletion', async () => {
    const applicant = await apply(app(), { plan: 'group' })
    const { body } = await finish(app(), applicant, { domain: 'brought-along.test' })
    expect(await calls()).toEqual(['createDomain', 'createUser'])
    const [domain] = [...backend.domains.values()].slice(-1)
    expect(domain).toMatchObject({ namespace: 'brought-along.test' })
    backend.calls.length = 0
    await app().call(`DELETE /api/v4/users/${body.id}`, { token: body.access_token })
    expect(await calls()).toEqual(['deleteDomain', 'deleteUser'])
    expect(backend.domains.has(domain?.id ?? 0)).toBe(false)
  })
})

test('the back end is not called for rejected changes or changes without effect', async () => {
  await update({ first_name: 'Ada' })
  await update({ first_name: 'Grace', phone: 'call me' })
  expect(await calls()).toEqual([])
})
