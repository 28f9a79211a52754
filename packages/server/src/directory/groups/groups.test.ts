import { groupStatus } from '@gatehouse/contract/status'
import { beforeEach, describe, expect, test } from 'vitest'
import { makeAccount, skusOf, type TestAccount } from '../../testing/account-fixture.ts'
import { makeObject, newObject, statusesOf } from '../../testing/directory-fixture.ts'
import { makeAlias, makeDomain } from '../../testing/factories.ts'
import { useTestApp } from '../../testing/test-app.ts'

const app = useTestApp()
let account: TestAccount

beforeEach(async () => {
  account = await makeAccount(app())
})

type Person = 'owner' | 'controller' | 'member'

const create = (facts: Record<string, unknown> = {}, who: Person = 'owner') =>
  account.as(who, 'POST /api/v4/groups', newObject(account, 'groups', facts))
const show = async (id: number) => (await account.as('owner', `GET /api/v4/groups/${id}`)).body
const update = (id: number, body: Record<string, unknown>, who: Person = 'owner') =>
  account.as(who, `PUT /api/v4/groups/${id}`, body)
const refused = async (facts: Record<string, unknown>) => {
  const { status, body } = await create(facts)
  expect(status).toBe(422)
  return body.errors
}

describe('a new distribution list', () => {
  test.each(['owner', 'controller'] as const)(
    'is created by the %s and reaches the back end',
    async (who) => {
      const { domain, member } = account
      const members = ['Friend@Elsewhere.Test', '', member.email.toUpperCase(), `  ${member.email} `]
      const { status, body } = await create(
        { email: `Staff@${domain.toUpperCase()}`, name: ' Staff ', members },
        who,
      )
      expect({ status, body }).toEqual({
        status: 200,
        body: { status: 'success', message: 'The distribution list has been created.', id: body.id },
      })
      expect(await skusOf(app(), body.id)).toEqual({ group: 1 })
      const group = await show(body.id)
      expect(group).toMatchObject({
        id: body.id,
        email: `staff@${domain}`,
        name: 'Staff',
        members: ['friend@elsewhere.test', member.email],
        status: groupStatus.new,
        deleted_at: null,
        config: { sender_policy: [] },
        wallet: { id: account.owner.walletId },
        isActive: false,
        isReady: false,
        isSuspended: false,
        isDeleted: false,
        statusInfo: { isDone: false, processState: 'running' },
        canUpdate: true,
        canDelete: true,
        canConfigure: true,
        canReadEvents: true,
      })
      expect(Object.values(group.skus)).toEqual([{ count: 1, costs: [0] }])
      expect(group).not.toHaveProperty('isLdapReady')
      await app().jobs.drain()
      expect(app().backend.groups.get(body.id)).toEqual({
        id: body.id,
        address: `staff@${domain}`,
        previousAddresses: [],
        name: 'Staff',
        members: ['friend@elsewhere.test', member.email],
        allowedSenders: [],
        isSuspended: false,
      })
      expect(await show(body.id)).toMatchObject({
        isActive: true,
        isReady: true,
        statusInfo: { isDone: true, processState: 'done' },
      })
    },
  )

  test('reports all missing fields at once', async () => {
    expect(await refused({ email: null, name: '', members: [] })).toEqual({
      email: 'Fill in this field.',
      name: ['Fill in this field.'],
      members: 'Add at least one member.',
    })
    expect(await refused({ members: ['', null, '   '] })).toEqual({
      members: 'Add at least one member.',
    })
    expect(await refused({ members: null })).toEqual({ members: 'Add at least one member.' })
  })

  test('requires an available address in a confirmed domain of the account', async () => {
    await makeDomain(app(), `open${account.owner.id}.test`)
    const other = await makeAccount(app())
    await makeDomain(app(), `new${account.owner.id}.test`, {
      type: 4,
      status: 1,
      walletId: account.owner.walletId,
    })
    const alias = `alias@${account.domain}`
    await makeAlias(app(), account.member, alias)
    const inUse = 'This entry is already in use.'
    const notOwn = 'This domain isn’t available.'
    const cases: [string, string][] = [
      ['nothing', 'This entry isn’t valid.'],
      [`a@b@${account.domain}`, 'This entry isn’t valid.'],
      [`${account.domain}@`, 'This entry isn’t valid.'],
      [`spaced name@${account.domain}`, 'This entry isn’t valid.'],
      [`ünder@${account.domain}`, 'This entry isn’t valid.'],
      [`${'x'.repeat(65)}@${account.domain}`, 'This entry isn’t valid.'],
      ['list@nowhere.test', 'This domain name isn’t valid.'],
      [`list@open${account.owner.id}.test`, notOwn],
      [`postmaster@open${account.owner.id}.test`, notOwn],
      [`list@${other.domain}`, notOwn],
      [`list@new${account.owner.id}.test`, 'This domain isn’t verified yet. Verify it first.'],
      [account.member.email, inUse],
      [alias.toUpperCase(), inUse],
    ]
    for (const [email, text] of cases) expect(await refused({ email }), email).toEqual({ email: text })
    // in a custom domain such a name can't be mistaken for the operator's
    expect((await create({ email: `postmaster@${account.domain}` })).status).toBe(200)
  })

  test('requires a name that is unique in the domain, regardless of case', async () => {
    await makeObject(account, 'groups', { name: 'Équipe' })
    const taken = { name: ['This name is already in use in this domain.'] }
    expect(await refused({ name: 'éQUIPE ' })).toEqual(taken)
    expect(await refused({ name: 'x'.repeat(192) })).toEqual({ name: [expect.stringContaining('too long')] })
    expect(await refused({ name: 'é'.repeat(96) })).toEqual({ name: [expect.stringContaining('too long')] })
    expect(await refused({ name: 'a\r\nBcc: b' })).toEqual({ name: [expect.any(String)] })
    expect(await refused({ name: 5 })).toEqual({ name: ['This must be text.'] })
    expect((await create({ name: `é<;'"(${'x'.repeat(180)}` })).status).toBe(200)
  })

  test('is created for one of two concurrent requests with the same name', async () => {
    const answers = await Promise.all([
      create({ name: 'Twice' }),
      create({ name: 'twice' }),
      create({ name: 'TWICE' }),
    ])
    expect(statusesOf(answers)).toEqual([200, 422, 422])
    const email = `twice@${account.domain}`
    const again = await Promise.all([create({ email }), create({ email })])
    expect(statusesOf(again)).toEqual([200, 422])
    expect(again.find((answer) => answer.status === 422)?.body.errors).toEqual({
      email: 'This entry is already in use.',
    })
  })

  test('requires local recipients to exist and reports errors by position', async () => {
    const { domain, member } = account
    const alias = `second@${domain}`
    await makeAlias(app(), member, alias)
    const list = await makeObject(account, 'groups', { email: `inner@${domain}` })
    const folder = await makeObject(account, 'shared-folders')
    const resource = await makeObject(account, 'resources')
    const members = [alias, `inner@${domain}`, `mail-${folder}@${domain}`, `resource-${resource}@${domain}`]
    expect((await create({ members })).status).toBe(200)
    expect((await account.as('owner', `DELETE /api/v4/groups/${list}`)).status).toBe(200)
    const own = `own@${domain}`
    const wrong = [
      'ok@elsewhere.test',
      `nobody@${domain}`,
      'a@b@c.test',
      '',
      'plain',
      own,
      `inner@${domain}`,
      'x@1.2.3.4',
    ]
    expect(await refused({ email: own, members: wrong })).toEqual({
      members: {
        1: 'This address doesn’t exist in this account.',
        2: 'This e-mail address can’t be used.',
        4: 'This e-mail address can’t be used.',
        5: 'A list can’t be a member of itself.',
        6: 'This address doesn’t exist in this account.',
        7: 'This e-mail address can’t be used.',
      },
    })
    expect(await refused({ members: ['ok@elsewhere.test', 5] })).toEqual({
      members: { 1: 'This must be text.' },
    })
    expect(await refused({ members: 'ok@elsewhere.test' })).toEqual({ members: ['This must be a list.'] })
  })

  test('may have at most ten thousand recipients', async () => {
    const many = Array.from({ length: 10_000 }, (_, index) => `person${index}@elsewhere.test`)
    const id = await makeObject(account, 'groups', { members: many })
    const answer = await update(id, { members: [...many.slice(1), 'one@elsewhere.test'] })
    expect(answer.status).toBe(200)
    const { list } = (await account.as('owner', 'GET /api/v4/groups')).body
    expect(list[0].members).toBe(10_000)
    expect((await show(id)).members).toContain('one@elsewhere.test')
    expect(await refused({ members: [...many, 'one@elsewhere.test'] })).toEqual({
      members: ["Enter at most 10'000 entries."],
    })
  }, 60_000)

  test('is not created without a SKU on sale, and leaves nothing behind', async () => {
    const { db } = app().database
    const set = (active: boolean) =>
      db.updateTable('skus').set({ active }).where('title', '=', 'group').execute()
    await set(false)
    const email = `later@${account.domain}`
    try {
      expect(await refused({ email })).toEqual({ skus: 'This isn’t on sale.' })
    } finally {
      await set(true)
    }
    expect((await create({ email })).status).toBe(200)
  })

  test('is refused to users without control and accounts that have to pay', async () => {
    expect((await create({}, 'member')).status).toBe(403)
    await app()
      .database.db.updateTable('users')
      .set({ status: 3 | 32 | 64 })
      .where('id', '=', account.owner.id)
      .execute()
    const { status, body } = await create({}, 'controller')
    expect({ status, message: body.message }).toEqual({
      status: 403,
      message: 'This account is unpaid. Top up the balance before you add anything.',
    })
  })

  test('is created once per Idempotency-Key', async () => {
    const { access_token: token } = (
      await app().call('POST /api/auth/login', {
        body: { email: account.owner.email, password: account.owner.password },
      })
    ).body
    const body = newObject(account, 'groups')
    const call = () =>
      app().call('POST /api/v4/groups', { token, body, headers: { 'idempotency-key': 'create-one-list' } })
    const [first, second] = [await call(), await call()]
    expect(second.body).toEqual(first.body)
  })
})

describe('updating a distribution list', () => {
  test('keeps absent keys, provisions the back end and is logged', async () => {
    const id = await makeObject(account, 'groups', {
      name: 'Before',
      members: ['a@elsewhere.test', 'b@elsewhere.test'],
    })
    await app().jobs.drain()
    const { status, body } = await update(id, { name: 'After' }, 'controller')
    expect({ status, message: body.message }).toEqual({
      status: 200,
      message: 'The distribution list has been updated.',
    })
    expect(await show(id)).toMatchObject({
      name: 'After',
      members: ['a@elsewhere.test', 'b@elsewhere.test'],
      revision: body.revision,
    })
    expect((await update(id, { members: ['c@elsewhere.test', 'A@elsewhere.test'] })).status).toBe(200)
    expect((await show(id)).members).toEqual(['a@elsewhere.test', 'c@elsewhere.test'])
    await app().jobs.drain()
    expect(app().backend.groups.get(id)).toMatchObject({
      name: 'After',
      members: ['a@elsewhere.test', 'c@elsewhere.test'],
    })
    const { list } = (await account.as('owner', `GET /api/v4/events?objectType=group&object=${id}`)).body
    expect(
      list.map((one: { title: string; data: unknown; object: string }) => [one.title, one.data]),
    ).toEqual([
      ['Distribution list changed', { added: ['c@elsewhere.test'], removed: ['b@elsewhere.test'] }],
      ['Distribution list changed', { before: { name: 'Before' }, after: { name: 'After' } }],
      ['Distribution list created', { after: expect.objectContaining({ name: 'Before', members: 2 }) }],
    ])
    expect(list[0].object).toBe((await show(id)).email)
  })

  test('requires at least one recipient and a name', async () => {
    const id = await makeObject(account, 'groups')
    const errors = async (body: Record<string, unknown>) => (await update(id, body)).body.errors
    expect(await errors({ members: [] })).toEqual({ members: 'Add at least one member.' })
    expect(await errors({ members: [' '] })).toEqual({ members: 'Add at least one member.' })
    expect(await errors({ name: '' })).toEqual({ name: ['Fill in this field.'] })
    const { email } = await show(id)
    expect(await errors({ members: [email] })).toEqual({
      members: { 0: 'A list can’t be a member of itself.' },
    })
    expect((await update(id, { members: null })).status).toBe(200)
    expect((await update(id, {})).status).toBe(200)
  })

  test('rejects a name that another list took concurrently', async () => {
    const [one, other] = [await makeObject(account, 'groups'), await makeObject(account, 'groups')]
    const answers = await Promise.all([update(one, { name: 'Same' }), update(other, { name: 'same' })])
    expect(statusesOf(answers)).toEqual([200, 422])
    // its own name in different case is not a conflict
    const winner = answers[0]?.status === 200 ? one : other
    expect((await update(winner, { name: 'SAME' })).status).toBe(200)
  })

  test('rejects a change based on a stale revision', async () => {
    const id = await makeObject(account, 'groups')
    const { revision } = await show(id)
    const answers = await Promise.all([
      update(id, { members: ['a@elsewhere.test'], revision }),
      update(id, { members: ['b@elsewhere.test'], revision }, 'controller'),
    ])
    expect(statusesOf(answers)).toEqual([200, 409])
    const next = answers.find((answer) => answer.status === 200)?.body.revision
    expect((await update(id, { name: 'Third', revision: next })).status).toBe(200)
  })
})
