import { fieldsWith } from '@gatehouse/contract/directory/user-fields'
import { beforeEach, describe, expect, test } from 'vitest'
import { makeAccount, packageOf, type TestAccount } from '../../testing/account-fixture.ts'
import { makeUser, signInAs } from '../../testing/factories.ts'
import { useTestApp } from '../../testing/test-app.ts'

const app = useTestApp()
let account: TestAccount

beforeEach(async () => {
  account = await makeAccount(app())
})

const headings = (...names: string[]) => names.map((name) => `"${name}"`).join(',')

const lines = async (path: string) => {
  const { status, body } = await account.as('owner', `GET /api/v4/${path}`)
  expect(status).toBe(200)
  return body.split('\r\n').slice(0, -1) as string[]
}

describe('the user list as a CSV file', () => {
  test('contains the users shown in the list, sorted by address', async () => {
    const { domain } = account
    await account.as(
      'owner',
      'POST /api/v4/users',
      account.newUser({ email: `zoe@${domain}`, first_name: 'Zoë' }),
    )
    const found = await lines(`users/export?search=${domain}`)
    expect(found[0]).toBe(
      headings(
        'email',
        ...fieldsWith('headings'),
        ...['aliases', 'package', 'quota', 'mail_used', 'status', 'created_at', 'id'],
      ),
    )
    expect(found.slice(1).map((line) => line.split(',')[0])).toEqual([
      `"controller@${domain}"`,
      `"member@${domain}"`,
      `"zoe@${domain}"`,
    ])
    expect(found[3]).toMatch(/,"Zoë",.*,"kolab",5,,"pending",2026-03-10 12:00:00,\d+$/)
    expect(await lines('users/export?status=suspended')).toHaveLength(1)
  })

  test('is empty for users who control no account, and requires sign-in', async () => {
    const { body } = await account.as('member', 'GET /api/v4/users/export')
    expect(body.split('\r\n')).toHaveLength(2)
    expect((await app().call('GET /api/v4/users/export')).status).toBe(401)
    expect((await account.as('owner', 'GET /api/v4/users/export?status=lost')).status).toBe(422)
  })

  test('can be opened in a spreadsheet without executing formulas', async () => {
    const { id } = account.member
    const organization = '=HYPERLINK("http://evil.test"),"x"'
    await account.as('owner', `PUT /api/v4/users/${id}`, {
      first_name: '@SUM(A1)',
      last_name: '-1+1',
      phone: '+41 44 123',
      organization,
    })
    const { headers, body } = await account.as('owner', 'GET /api/v4/users/export?search=member&bom=1')
    expect(headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="users-2026-03-10.csv"',
      'x-content-type-options': 'nosniff',
    })
    expect(body.startsWith('\uFEFF"email",')).toBe(true)
    expect(body.split('\r\n')[1]).toContain(`,"'@SUM(A1)","'-1+1","'=HYPERLINK(""http://evil.test""),""x""",`)
    expect(body.split('\r\n')[1]).toContain(`,"'+41 44 123",`)
  })

  test('is streamed, whatever its length', async () => {
    const { domain } = account
    for (let number = 0; number < 1010; number++) {
      await makeUser(app(), { email: `u${number}@${domain}`, walletId: account.owner.walletId, plan: null })
    }
    const found = await lines(`users/export?search=${domain}`)
    expect(new Set(found).size).toBe(1010 + 2 + 1)
  }, 120_000)

  test('creates the same users when it is re-imported', async () => {
    const { domain } = account
    const lite = await packageOf(app(), 'lite')
    const phone = '+41 44 123'
    const names = { first_name: "=Ann's", last_name: "x;=cmd|'/C calc'!A1;y", organization: "'=Acme" }
    await account.as(
      'owner',
      'POST /api/v4/users',
      account.newUser({ email: `ann@${domain}`, ...names, phone, aliases: [`a@${domain}`] }),
    )
    await account.as(
      'owner',
      'POST /api/v4/users',
      account.newUser({ email: `bob@${domain}`, package: lite }),
    )
    const file = (await lines(`users/export?search=${domain}`))
      .filter((line) => !/^"(member|controller)@/.test(line))
      .join('\r\n')
      .replaceAll('ann@', 'ann2@')
      .replaceAll('a@', 'a2@')
      .replaceAll('bob@', 'bob2@')
    const { access_token: token } = await signInAs(app(), account.owner)
    const { body } = await app().call('POST /api/v4/imports?kind=users', {
      token,
      body: file,
      headers: { 'content-type': 'text/csv' },
    })
    await app().jobs.drain()
    await app().call(`POST /api/v4/batches/${body.batch.id}/start`, { token, body: {} })
    await app().jobs.drain()
    const again = (await lines(`users/export?search=${domain}`)).map((line) =>
      line.replace(/,[^,]*,[^,]*,[^,]*$/, ''),
    )
    for (const name of ['ann', 'bob']) {
      const original = again.find((line) => line.startsWith(`"${name}@`))
      expect(original).toBeDefined()
      const copy = again.find((line) => line.startsWith(`"${name}2@`))
      expect(copy?.replaceAll('2@', '@')).toBe(original)
    }
    const { body: found } = await account.as('owner', `GET /api/v4/users?search=ann2@${domain}`)
    const copied = await account.as('owner', `GET /api/v4/users/${found.list[0].id}`)
    expect(copied.body.settings).toMatchObject({ ...names, phone })
  })
})

describe('other lists as CSV files', () => {
  test('are lists with their members, resources and shared folders', async () => {
    const { domain } = account
    const group = {
      email: `team@${domain}`,
      name: 'Team, all',
      members: [account.member.email, 'x@else.test'],
    }
    expect((await account.as('owner', 'POST /api/v4/groups', group)).status).toBe(200)
    const [head, row] = await lines('groups/export')
    expect(head).toBe(headings('email', 'name', 'members', 'created_at', 'id'))
    const members = group.members.toSorted()
    expect(row).toMatch(new RegExp(`^"team@${domain}","Team, all","${members.join(' ')}",`))
    expect(await lines('groups/export?by=member')).toEqual([
      headings('list', 'member'),
      ...members.map((member) => `"team@${domain}","${member}"`),
    ])
    expect(await lines('groups/export?search=nobody')).toHaveLength(1)
    expect(await lines('resources/export')).toEqual([
      headings('email', 'name', 'invitation_policy', 'created_at', 'id'),
    ])
    expect(await lines('shared-folders/export')).toEqual([
      headings('email', 'name', 'type', 'aliases', 'created_at', 'id'),
    ])
    for (const kind of ['groups', 'resources', 'shared-folders']) {
      expect((await app().call(`GET /api/v4/${kind}/export`)).status).toBe(401)
    }
  })
})
