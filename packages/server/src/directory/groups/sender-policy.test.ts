import { beforeEach, describe, expect, test } from 'vitest'
import { makeAccount, type TestAccount } from '../../testing/account-fixture.ts'
import { makeObject } from '../../testing/directory-fixture.ts'
import { useTestApp } from '../../testing/test-app.ts'

const app = useTestApp()
let account: TestAccount

beforeEach(async () => {
  account = await makeAccount(app())
})

type Person = 'owner' | 'controller' | 'member'

const show = async (id: number) => (await account.as('owner', `GET /api/v4/groups/${id}`)).body

describe('the sender policy', () => {
  const set = (id: number, sender_policy: unknown, who: Person = 'owner') =>
    account.as(who, `POST /api/v4/groups/${id}/config`, { sender_policy })

  test('is normalised without duplicates and provisioned in the back end', async () => {
    const id = await makeObject(account, 'groups')
    const sent = [
      'Jane@Elsewhere.Test',
      '',
      '.Example.org',
      'bücher.example',
      null,
      '.ch',
      '-',
      'xn--bcher-kva.example',
    ]
    const { status, body } = await set(id, sent, 'controller')
    expect({ status, body }).toEqual({
      status: 200,
      body: { status: 'success', message: 'The settings of the distribution list have been saved.' },
    })
    const policy = ['jane@elsewhere.test', '.example.org', 'xn--bcher-kva.example', '.ch']
    expect((await show(id)).config.sender_policy).toEqual(policy)
    await app().jobs.drain()
    expect(app().backend.groups.get(id)?.allowedSenders).toEqual(policy)
    expect((await set(id, 'one.example')).status).toBe(200)
    expect((await show(id)).config).toEqual({ sender_policy: ['one.example'], members_may_send: false })
    expect((await set(id, null)).status).toBe(200)
    expect((await show(id)).config.sender_policy).toEqual([])
  })

  test('is rejected as a whole if entries are invalid, with errors by position', async () => {
    const id = await makeObject(account, 'groups')
    await set(id, ['kept.example'])
    const text = 'Enter an address, a domain, or a domain with a leading dot, such as .example.com.'
    const wrong = [
      'ok.example',
      'a@b@c.example',
      '..',
      '.',
      'one',
      '1.2.3.4',
      ['x'],
      5,
      { a: 1 },
      '*.example',
      'a b.example',
    ]
    const { status, body } = await set(id, wrong)
    expect(status).toBe(422)
    expect(body.errors).toEqual({
      sender_policy: Object.fromEntries(wrong.slice(1).map((_, index) => [index + 1, text])),
    })
    expect((await set(id, { a: 'ok.example' })).body.errors).toEqual({ sender_policy: text })
    expect(
      (
        await set(
          id,
          Array.from({ length: 1001 }, () => 'ok.example'),
        )
      ).status,
    ).toBe(422)
    const both = await account.as('owner', `POST /api/v4/groups/${id}/config`, { sender_policy: [], acl: [] })
    expect(both.body.errors).toEqual({ acl: 'This setting doesn’t exist.' })
    expect((await show(id)).config.sender_policy).toEqual(['kept.example'])
  })
})

describe('a list that its members may send to', () => {
  const set = (id: number, config: Record<string, unknown>) =>
    account.as('owner', `POST /api/v4/groups/${id}/config`, config)
  const told = async (id: number) => {
    await app().jobs.drain()
    return app().backend.groups.get(id)?.allowedSenders
  }

  test('rejects everyone else and follows its membership', async () => {
    const { email } = account.member
    const id = await makeObject(account, 'groups', { members: [email] })
    expect((await show(id)).config).toEqual({ sender_policy: [], members_may_send: false })
    expect((await set(id, { members_may_send: true })).status).toBe(200)
    expect((await show(id)).config).toEqual({ sender_policy: [], members_may_send: true })
    expect(await told(id)).toEqual([email])
    const members = [email, 'friend@elsewhere.test']
    await account.as('owner', `PUT /api/v4/groups/${id}`, { members })
    expect([...((await told(id)) ?? [])].sort()).toEqual([...members].sort())
    expect((await set(id, { members_may_send: false })).status).toBe(200)
    expect(await told(id)).toEqual([])
  })

  test('also accepts the chosen senders, without duplicates', async () => {
    const { email } = account.member
    const id = await makeObject(account, 'groups', { members: [email] })
    const sender_policy = ['boss@elsewhere.test', email]
    expect((await set(id, { sender_policy, members_may_send: 1 })).status).toBe(200)
    expect(await told(id)).toEqual(sender_policy)
  })

  test('stays restricted when a client that knows only the sender policy saves an empty one', async () => {
    const { email } = account.member
    const id = await makeObject(account, 'groups', { members: [email] })
    await set(id, { members_may_send: true })
    expect((await set(id, { sender_policy: ['-'] })).status).toBe(200)
    expect((await show(id)).config).toEqual({ sender_policy: [], members_may_send: true })
    expect(await told(id)).toEqual([email])
  })

  test('is not changed if any of the values sent is invalid', async () => {
    const id = await makeObject(account, 'groups')
    const { status, body } = await set(id, { members_may_send: true, sender_policy: ['a b'] })
    expect({ status, fields: Object.keys(body.errors) }).toEqual({ status: 422, fields: ['sender_policy'] })
    expect((await set(id, { members_may_send: 'perhaps' })).body.errors).toEqual({
      members_may_send: expect.any(String),
    })
    expect((await show(id)).config).toEqual({ sender_policy: [], members_may_send: false })
  })

  test('logs who may send', async () => {
    const id = await makeObject(account, 'groups')
    await set(id, { members_may_send: true })
    const { body } = await account.as('owner', `GET /api/v4/events?objectType=group&objectId=${id}`)
    const [event] = body.list
    expect(event).toMatchObject({ event: 'group.configured' })
    expect(JSON.stringify(event)).toContain('members_may_send')
  })
})
