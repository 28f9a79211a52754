import { beforeEach, describe, expect, test } from 'vitest'
import { makeAccount, type TestAccount } from '../../testing/account-fixture.ts'
import { makeObject, newObject, statusesOf } from '../../testing/directory-fixture.ts'
import { makeAlias, makeUser } from '../../testing/factories.ts'
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

describe('nested lists', () => {
  const chain = async (length: number) => {
    const emails = Array.from({ length }, (_, index) => `chain${index}@${account.domain}`)
    const ids: number[] = []
    for (const [index, email] of emails.entries()) {
      const members = [index === 0 ? 'end@elsewhere.test' : (emails[index - 1] ?? '')]
      ids.push(await makeObject(account, 'groups', { email, members }))
    }
    return { emails, ids }
  }
  const loop = 'This list sends its mail back to the list you’re editing, so it can’t be a member.'

  test('never form a loop, at any depth', async () => {
    const { emails, ids } = await chain(12)
    const [first = 0] = ids
    const { status, body } = await update(first, {
      members: ['end@elsewhere.test', emails[11], emails[1], 'x@y.test'],
    })
    expect({ status, errors: body.errors }).toEqual({
      status: 422,
      errors: { members: { 1: loop, 2: loop } },
    })
    expect((await show(first)).members).toEqual(['end@elsewhere.test'])
    // in the other direction several paths lead to one list, but there is no loop
    expect((await update(ids[11] ?? 0, { members: emails.slice(0, 11) })).status).toBe(200)
  })

  test('cannot be closed to a loop by two concurrent requests', async () => {
    for (let turn = 0; turn < 5; turn++) {
      const [one, other] = [await makeObject(account, 'groups'), await makeObject(account, 'groups')]
      const [a, b] = [(await show(one)).email, (await show(other)).email]
      const answers = await Promise.all([
        update(one, { members: [b] }),
        update(other, { members: [a] }, 'controller'),
      ])
      expect(statusesOf(answers)).toEqual([200, 422])
    }
  })

  test('cannot form a loop across accounts or through a new list', async () => {
    const other = await makeAccount(app())
    const later = `later@${account.domain}`
    const theirs = await makeObject(other, 'groups', { members: [later] })
    const email = (await other.as('owner', `GET /api/v4/groups/${theirs}`)).body.email
    expect(await refused({ email: later, members: [email] })).toEqual({ members: { 0: loop } })
    const mine = await makeObject(account, 'groups', { members: [email] })
    const address = (await show(mine)).email
    const change = (members: string[]) => other.as('owner', `PUT /api/v4/groups/${theirs}`, { members })
    expect((await change([address])).body.errors).toEqual({ members: { 0: loop } })
    for (let turn = 0; turn < 5; turn++) {
      await update(mine, { members: ['end@elsewhere.test'] })
      await change(['end@elsewhere.test'])
      const answers = await Promise.all([update(mine, { members: [email] }), change([address])])
      expect(statusesOf(answers)).toEqual([200, 422])
    }
  })
})

describe('a list whose recipients are deleted', () => {
  test("loses the account's users, aliases, lists and folders with them and is provisioned", async () => {
    const { domain, member } = account
    const alias = `alias@${domain}`
    const kept = `kept@${domain}`
    for (const address of [alias, kept]) await makeAlias(app(), member, address)
    const inner = await makeObject(account, 'groups', { email: `inner@${domain}` })
    const folder = await makeObject(account, 'shared-folders')
    const members = [
      alias,
      kept,
      `inner@${domain}`,
      `mail-${folder}@${domain}`,
      member.email,
      'x@elsewhere.test',
    ]
    const id = await makeObject(account, 'groups', { members })
    const now = async () => (await show(id)).members
    await account.as('owner', `PUT /api/v4/users/${member.id}`, { aliases: [kept] })
    expect(await now()).toEqual(members.filter((one) => one !== alias).sort())
    await account.as('owner', `DELETE /api/v4/groups/${inner}`)
    await account.as('owner', `DELETE /api/v4/shared-folders/${folder}`)
    await account.as('owner', `DELETE /api/v4/users/${member.id}`)
    expect(await now()).toEqual(['x@elsewhere.test'])
    await app().jobs.drain()
    expect(app().backend.groups.get(id)?.members).toEqual(['x@elsewhere.test'])
    const { list } = (await account.as('owner', 'GET /api/v4/groups')).body
    expect(list.find((row: { id: number }) => row.id === id).members).toBe(1)
  })

  test('does not affect lists of other accounts', async () => {
    const other = await makeAccount(app())
    const theirs = await makeObject(other, 'groups', { members: [account.member.email] })
    await account.as('owner', `DELETE /api/v4/users/${account.member.id}`)
    expect((await other.as('owner', `GET /api/v4/groups/${theirs}`)).body.members).toEqual([
      account.member.email,
    ])
  })
})

test('a list may contain a user of a public domain in the account, who is removed on deletion', async () => {
  const guest = await makeUser(app(), { walletId: account.owner.walletId })
  const id = await makeObject(account, 'groups', { members: [guest.email, 'x@elsewhere.test'] })
  await account.as('owner', `DELETE /api/v4/users/${guest.id}`)
  expect((await show(id)).members).toEqual(['x@elsewhere.test'])
})
