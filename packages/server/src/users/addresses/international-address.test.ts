import { beforeAll, describe, expect, test } from 'vitest'
import { makeAccount, type TestAccount } from '../../testing/account-fixture.ts'
import { makeObject } from '../../testing/directory-fixture.ts'
import { type MadeUser, makeDomain, makeUser, strongPassword } from '../../testing/factories.ts'
import { fileOwner } from '../../testing/files.ts'
import { makeRoom, skuIds } from '../../testing/meetings.ts'
import { apply, finish } from '../../testing/signup/sign-up.ts'
import { makeStaff } from '../../testing/staff.ts'
import { useTestApp } from '../../testing/test-app.ts'

const app = useTestApp()
let account: TestAccount
let jane: MadeUser

const ascii = 'xn--mnchen-3ya.test'
const spellings = ['jane@münchen.test', 'Jane@MÜNCHEN.test', 'jane@mu\u0308nchen.test', `jane@${ascii}`]

beforeAll(async () => {
  account = await makeAccount(app())
  const { walletId } = account.owner
  await makeDomain(app(), ascii, { type: 4, status: 50, walletId })
  const settings = { external_email: 'jane@elsewhere.test' }
  jane = await makeUser(app(), { email: `jane@${ascii}`, walletId, settings })
})

describe.each(spellings)('%s identifies the same person', (email) => {
  test('when signing in', async () => {
    const body = { email, password: jane.password }
    expect(await app().call('POST /api/auth/login', { body })).toMatchObject({
      status: 200,
      body: { id: jane.id, email: jane.email },
    })
  })

  test('when resetting a password', async () => {
    const before = (await app().mails()).length
    const answer = await app().call('POST /api/auth/password-reset/init', { body: { email } })
    expect(answer.status).toBe(200)
    const [mail, ...more] = (await app().mails()).slice(0, -before || undefined)
    expect(more).toEqual([])
    expect(mail?.to).toMatchObject([{ address: 'jane@elsewhere.test' }])
  })

  test('as a delegate', async () => {
    const path = `/api/v4/users/${account.member.id}/delegations`
    const body = { email, options: { mail: 'read-only' } }
    expect((await account.as('member', `POST ${path}`, body)).status).toBe(200)
    const { list } = (await account.as('member', `GET ${path}`)).body
    expect(list).toMatchObject([{ email: jane.email }])
    const one = `${path}/${encodeURIComponent(email)}`
    expect((await account.as('member', `DELETE ${one}`)).status).toBe(200)
  })

  test('as a list member, an allowed sender, and a user of a shared folder', async () => {
    const group = await makeObject(account, 'groups', { members: [email] })
    expect((await account.as('owner', `GET /api/v4/groups/${group}`)).body.members).toEqual([jane.email])
    const config = `POST /api/v4/groups/${group}/config`
    expect((await account.as('owner', config, { sender_policy: [email] })).status).toBe(200)
    const { body } = await account.as('owner', `GET /api/v4/groups/${group}`)
    expect(body.config.sender_policy).toEqual([jane.email])
    const folder = await makeObject(account, 'shared-folders')
    const acl = { acl: [`${email}, read-only`] }
    expect((await account.as('owner', `POST /api/v4/shared-folders/${folder}/config`, acl)).status).toBe(200)
    const shown = (await account.as('owner', `GET /api/v4/shared-folders/${folder}`)).body
    expect(shown.config.acl).toEqual([`${jane.email}, read-only`])
  })

  test('when sharing a file', async () => {
    const files = await fileOwner(app(), account.owner)
    const id = await files.upload('plan.txt', 'x')
    const body = { user: email, permissions: 'read-only' }
    const made = await files.call(`POST /api/v4/fs/${id}/permissions`, { body })
    expect(made.body).toMatchObject({ status: 'success', user: jane.email })
    const again = { body: { ...body, user: jane.email } }
    expect((await files.call(`POST /api/v4/fs/${id}/permissions`, again)).status).toBe(422)
  })

  test('when the address is already taken', async () => {
    const { status, body } = await account.as('owner', 'POST /api/v4/users', account.newUser({ email }))
    expect(status).toBe(422)
    expect(body.errors).toEqual({ email: 'This entry is already in use.' })
  })
})

test('the external address and the sign-up address may have an internationalized domain', async () => {
  const path = `PUT /api/v4/users/${jane.id}`
  expect((await account.as('owner', path, { external_email: 'Jane@Почта.рф' })).status).toBe(200)
  const { body } = await account.as('owner', `GET /api/v4/users/${jane.id}`)
  expect(body.settings.external_email).toBe('jane@xn--80a1acny.xn--p1ai')
  const answer = await app().call('POST /api/auth/signup/init', {
    body: { plan: 'individual', email: 'new@bücher.test' },
  })
  expect(answer.status).toBe(200)
  expect((await app().mails())[0]?.to).toMatchObject([{ address: 'new@xn--bcher-kva.test' }])
})

test('an invitation is sent once, however the address is spelled', async () => {
  const reseller = await makeStaff(app(), 'reseller')
  const invite = (email: string) => reseller.call('POST /api/v4/invitations', { body: { email } })
  expect((await invite('guest@münchen.test')).body.invitation).toMatchObject({ email: `guest@${ascii}` })
  expect((await invite(`guest@${ascii}`)).status).toBe(422)
  const search = encodeURIComponent('Guest@MÜNCHEN.test')
  expect((await reseller.call(`GET /api/v4/invitations?search=${search}`)).body.count).toBe(1)
})

describe.each(['mün', 'MÜNCHEN', 'mu\u0308n', 'jane@mün', 'münchen.test'])(
  'a search for %s finds the user',
  (text) => {
    const search = encodeURIComponent(text)
    const found = ({ list }: { list: { id: number }[] }) => list.map(({ id }) => id)

    test('in the user list and the global search', async () => {
      const users = await account.as('owner', `GET /api/v4/users?search=${search}`)
      expect(found(users.body)).toContain(jane.id)
      const { list } = (await account.as('owner', `GET /api/v4/search?q=${search}`)).body
      expect(list).toContainEqual(expect.objectContaining({ type: 'user', id: jane.id }))
    })

    test('in the cockpit', async () => {
      const admin = await makeStaff(app(), 'admin')
      const { body } = await admin.call(`GET /api/v4/users?search=${search}`)
      expect(found(body)).toContain(jane.id)
    })
  },
)

test('a search in another script finds no one in another domain', async () => {
  for (const text of ['zür', 'ned@mün', 'x@mün']) {
    const { body } = await account.as('owner', `GET /api/v4/users?search=${encodeURIComponent(text)}`)
    expect(body.list, text).toEqual([])
  }
})

describe('a sign-up', () => {
  const bücher = 'xn--bcher-kva.test'
  beforeAll(() => makeDomain(app(), bücher))

  test('creates one account for both spellings of a public domain', async () => {
    const made = await finish(app(), await apply(app()), { login: 'Ada', domain: 'BÜCHER.test' })
    expect(made.body).toMatchObject({ status: 'success', email: `ada@${bücher}` })
    const again = await finish(app(), await apply(app()), { login: 'ada', domain: bücher })
    expect(again.status).toBe(422)
    expect(Object.keys(again.body.errors)).toEqual(['login'])
    const { body } = await app().call('POST /api/auth/login', {
      body: { email: 'ada@bu\u0308cher.test', password: strongPassword },
    })
    expect(body).toMatchObject({ email: `ada@${bücher}` })
  })

  test('throttles e-mails for both spellings of an address together', async () => {
    const body = (email: string) => ({ plan: 'individual', email })
    const codes = async (email: string) => {
      const answers = []
      for (let time = 0; time < 8; time++)
        answers.push(
          await app().call('POST /api/auth/signup/init', { body: body(email), ip: `198.51.100.${time}` }),
        )
      return answers.filter(({ status }) => status === 200).length
    }
    const before = (await app().mails()).length
    const first = await codes('twice@bücher.test')
    const second = await codes(`twice@${bücher}`)
    const sent = (await app().mails()).slice(0, -before || undefined)
    expect(sent.every(({ to }) => to[0]?.address === `twice@${bücher}`)).toBe(true)
    expect({ first: first > 0, second }).toEqual({ first: true, second: 0 })
  })

  test('returns public domains in their stored form', async () => {
    const { body } = await app().call('GET /api/auth/signup/domains')
    expect(body.domains).toContain(bücher)
  })
})

test('a room is shared with one person, however the address is spelled', async () => {
  const { 'group-room': shared = '' } = await skuIds(app())
  const { id } = await makeRoom(account, {}, { skus: { [shared]: 1 } })
  const room = `/api/v4/rooms/${id}`
  const rules = { acl: [`${spellings[0]}, full`] }
  expect((await account.as('owner', `POST ${room}/config`, rules)).status).toBe(200)
  expect((await account.as('owner', `GET ${room}`)).body.config.acl).toEqual([`${jane.email}, full`])
})
