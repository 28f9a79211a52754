import { type BorrowedCaller, borrowedCallers, type RouteDefinition } from '@gatehouse/contract/route'
import { routes } from '@gatehouse/contract/routes'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makeAccount, type TestAccount } from '../testing/account-fixture.ts'
import { appToken, impersonate, makeApiKey } from '../testing/borrowed.ts'
import { makeObject } from '../testing/directory-fixture.ts'
import { makeDomain, makeUser, signInAs, strongPassword } from '../testing/factories.ts'
import { fileOwner } from '../testing/files.ts'
import { type MadeStaff, makeStaff } from '../testing/staff.ts'
import { useTestApp } from '../testing/test-app.ts'

/**
 * What impersonating staff and applications can access: only what the route table allows, and nothing that
 * lasts.
 */

const app = useTestApp({
  APP_WITH_LOGINAS: '1',
  APP_WEBMAIL_URL: '/webmail',
  // a key makes every call of the table
  API_KEY_RATE: '100000',
})
let admin: MadeStaff
let account: TestAccount

beforeAll(async () => {
  // the OAuth library uses its own clock
  app().clock.advance((Date.now() - app().clock.now().getTime()) / 1000)
  await makeDomain(app(), 'example.test')
})

async function tokenOf(caller: BorrowedCaller): Promise<string> {
  const { owner } = account
  if (caller === 'impersonated') return impersonate(app(), admin, owner.id)
  if (caller === 'apiKey') return makeApiKey(app(), owner)
  return appToken(app(), { user: owner, token: (await signInAs(app(), owner)).access_token })
}

const texts = {
  impersonated: 'You can’t do this in a support session.',
  thirdParty: 'Connected apps can’t do this. Sign in to the portal instead.',
  apiKey: 'API keys can’t do this. Sign in to the portal instead.',
} as const

const ask = async (caller: BorrowedCaller, route: string, body?: unknown) =>
  app().call(route, { token: await tokenOf(caller), ...(body !== undefined && { body }) })

const refusal = (caller: BorrowedCaller) =>
  expect.objectContaining({
    status: 403,
    body: {
      status: 'error',
      message: texts[caller],
      ...(caller === 'apiKey' && { reason: 'key-closed' }),
    },
  })

describe('the route table', () => {
  const table = (Object.entries(routes) as [string, RouteDefinition][]) // the keys of an object literal
    .filter(([, { auth }]) => auth !== 'public')
  const tokens = new Map<BorrowedCaller | 'owner', string>()

  async function objectOf(collection: string): Promise<string> {
    const { owner } = account
    switch (collection) {
      case 'users':
        return String((await makeUser(app(), { walletId: owner.walletId })).id)
      case 'wallets':
        return owner.walletId
      case 'domains':
        return String(account.domainId)
      case 'groups':
      case 'resources':
      case 'shared-folders':
        return String(await makeObject(account, collection))
      case 'rooms':
        return String((await account.as('owner', 'POST /api/v4/rooms', {})).body.id)
      case 'fs':
        return (await fileOwner(app(), owner)).upload('plan.txt', 'content')
      default:
        return 'none'
    }
  }

  async function statusFor(key: string, caller: BorrowedCaller | 'owner', host: string, id: string) {
    const [method = '', path = ''] = key.split(' ')
    const token = tokens.get(caller) ?? (await signInFor(caller))
    tokens.set(caller, token)
    const options = { token, host, ...(method !== 'GET' && { body: {} }) }
    const route = `${method} ${path.replace('{id}', id).replaceAll(/\{\w+\}/g, 'none')}`
    if (key.endsWith('/logout')) tokens.delete(caller)
    return (await app().call(route, options)).status
  }

  const signInFor = async (caller: BorrowedCaller | 'owner') =>
    caller === 'owner' ? (await signInAs(app(), account.owner)).access_token : tokenOf(caller)

  beforeAll(async () => {
    account = await makeAccount(app())
    admin = await makeStaff(app(), 'admin')
  })

  test.each(table)('decides which impersonated callers can make %s', async (key, { openTo, hosts }) => {
    const [, collection = ''] = /^\S+ \/api\/v4\/([a-z-]+)\/\{id\}/.exec(key) ?? []
    const open: readonly BorrowedCaller[] = openTo ?? []
    for (const variant of ['user', 'admin', 'reseller'] as const) {
      if (!(hosts?.includes(variant) ?? true)) continue
      const host = variant === 'user' ? 'localhost:8000' : `${variant}.localhost:8000`
      for (const caller of borrowedCallers) {
        const isOpen = variant === 'user' && open.includes(caller)
        // each of the two has its own object, since the first call may change it
        const found = await statusFor(key, caller, host, isOpen ? await objectOf(collection) : 'none')
        const own = isOpen ? await statusFor(key, 'owner', host, await objectOf(collection)) : 403
        expect(found, `${caller} on ${variant}`).toBe(own)
      }
    }
  })
})

describe('in its own account', () => {
  beforeEach(async () => {
    admin = await makeStaff(app(), 'admin')
    account = await makeAccount(app())
  })

  describe.each(borrowedCallers)('a caller who is %s cannot', (caller) => {
    test("create a user with a password in a customer's name and sign in later", async () => {
      const user = account.newUser()
      expect(await ask(caller, 'POST /api/v4/users', user)).toEqual(refusal(caller))
      const { status } = await app().call('POST /api/auth/login', {
        body: { email: user.email, password: user.password },
      })
      expect(status).toBe(401)
    })

    test('create a user with a one-time link', async () => {
      const link = (await account.as('owner', 'POST /api/v4/password-reset/code')).body
      const passwordLinkCode = `${link.short_code}-${link.code}`
      const user = account.newUser({ password: null, password_confirmation: null, passwordLinkCode })
      expect(await ask(caller, 'POST /api/v4/users', user)).toEqual(refusal(caller))
    })

    test('create a user with an external address and reset the password there', async () => {
      const user = account.newUser({
        password: null,
        password_confirmation: null,
        external_email: 'thief@elsewhere.test',
      })
      expect(await ask(caller, 'POST /api/v4/users', user)).toEqual(refusal(caller))
    })

    test.each([
      ['a password', { password: 'other-pass-1', password_confirmation: 'other-pass-1' }],
      ['an external address', { external_email: 'thief@elsewhere.test' }],
      ['a one-time link', { passwordLinkCode: 'ABCD-efgh' }],
    ])('set %s of another user', async (_, body) => {
      expect(await ask(caller, `PUT /api/v4/users/${account.member.id}`, body)).toEqual(refusal(caller))
    })

    test.each([
      { password_policy: 'min:6' },
      { max_password_age: null },
      { second_factor_policy: 'optional' },
      { staff_access_policy: true },
      { limit_geo: ['CH'] },
    ])('set the policy %j', async (body) => {
      const path = `POST /api/v4/users/${account.owner.id}/config`
      expect(await ask(caller, path, body)).toEqual(refusal(caller))
    })

    test('import users with passwords', async () => {
      const { status, body } = await app().call('POST /api/v4/imports?kind=users', {
        token: await tokenOf(caller),
        body: `email,package,password\nann@${account.domain},kolab,${strongPassword}\n`,
        headers: { 'content-type': 'text/csv' },
      })
      expect([status, body.message]).toEqual([403, texts[caller]])
    })

    test('read the one-time link that the owner gave a user', async () => {
      const link = (await account.as('owner', 'POST /api/v4/password-reset/code')).body
      const passwordLinkCode = `${link.short_code}-${link.code}`
      const path = `/api/v4/users/${account.member.id}`
      expect((await account.as('owner', `PUT ${path}`, { passwordLinkCode })).status).toBe(200)
      expect((await account.as('owner', `GET ${path}`)).body).toMatchObject({ passwordLinkCode })
      expect((await ask(caller, `GET ${path}`)).body).not.toHaveProperty('passwordLinkCode')
    })

    test('create a public link', async () => {
      const files = await fileOwner(app(), account.owner)
      const id = await files.upload('plan.txt', 'content')
      expect(await ask(caller, `POST /api/v4/fs/${id}/links`, {})).toEqual(refusal(caller))
      const link = (await files.call(`POST /api/v4/fs/${id}/links`, { body: { password: 'guarded-1' } })).body
      const change = { password: null }
      expect(await ask(caller, `PUT /api/v4/fs/${id}/links/${link.id}`, change)).toEqual(refusal(caller))
    })

    test('read the URL of a public link', async () => {
      const files = await fileOwner(app(), account.owner)
      const id = await files.upload('plan.txt', 'content')
      await files.call(`POST /api/v4/fs/${id}/links`, { body: {} })
      expect(await ask(caller, `GET /api/v4/fs/${id}/links`)).toEqual(refusal(caller))
    })

    test('share with a third person', async () => {
      const files = await fileOwner(app(), account.owner)
      const id = await files.upload('plan.txt', 'content')
      const thief = await makeUser(app())
      const body = { user: thief.email, permissions: 'read-write' }
      expect(await ask(caller, `POST /api/v4/fs/${id}/permissions`, body)).toEqual(refusal(caller))
      const { email } = await makeUser(app())
      const share = (
        await files.call(`POST /api/v4/fs/${id}/permissions`, { body: { ...body, user: email } })
      ).body
      const path = `PUT /api/v4/fs/${id}/permissions/${share.id}`
      expect(await ask(caller, path, body)).toEqual(refusal(caller))
    })

    test('open a shared folder to anyone', async () => {
      const id = await makeObject(account, 'shared-folders')
      const body = { acl: ['anyone, full'] }
      expect(await ask(caller, `POST /api/v4/shared-folders/${id}/config`, body)).toEqual(refusal(caller))
    })

    test('add an outsider to a distribution list', async () => {
      const members = [account.member.email, 'thief@elsewhere.test']
      const list = { email: `new@${account.domain}`, name: 'New', members }
      expect(await ask(caller, 'POST /api/v4/groups', list)).toEqual(refusal(caller))
      const id = await makeObject(account, 'groups')
      expect(await ask(caller, `PUT /api/v4/groups/${id}`, { members })).toEqual(refusal(caller))
    })

    test('set a room password, or read the current one', async () => {
      const { id } = (await account.as('owner', 'POST /api/v4/rooms', {})).body
      const path = `POST /api/v4/rooms/${id}/config`
      expect((await account.as('owner', path, { password: 'open sesame' })).status).toBe(200)
      expect(await ask(caller, path, { password: 'mine' })).toEqual(refusal(caller))
      expect(await ask(caller, path, { acl: [`${account.member.email}, full`] })).toEqual(refusal(caller))
      expect((await ask(caller, `GET /api/v4/rooms/${id}`)).body.config.password).toBeNull()
    })

    test.each(['delete', 'restore'])('does %s many users at once', async (action) => {
      const body = { objects: 'users', action, ids: [account.member.id] }
      expect(await ask(caller, 'POST /api/v4/bulk', body)).toEqual(refusal(caller))
    })
  })

  describe.each(borrowedCallers)('a caller who is %s', (caller) => {
    test('can still read and make ordinary edits', async () => {
      const { owner, member } = account
      const group = await makeObject(account, 'groups')
      for (const [route, body] of [
        ['GET /api/v4/users'],
        [`GET /api/v4/users/${member.id}`],
        [`PUT /api/v4/users/${member.id}`, { first_name: 'Helped', phone: '123' }],
        [`POST /api/v4/users/${owner.id}/config`, { greylist_policy: true }],
        [`PUT /api/v4/groups/${group}`, { members: [member.email, owner.email] }],
        ['POST /api/v4/bulk', { objects: 'users', action: 'join', ids: [owner.id], group }],
        [`GET /api/v4/wallets/${owner.walletId}`],
        ['GET /api/v4/events'],
      ] as const) {
        expect((await ask(caller, route, body)).status, route).toBe(200)
      }
    })

    test('can change a list that already has outsiders', async () => {
      const members = [account.member.email, 'friend@elsewhere.test']
      const id = await makeObject(account, 'groups', { members })
      const body = { members: [...members, account.controller.email] }
      expect((await ask(caller, `PUT /api/v4/groups/${id}`, body)).status).toBe(200)
    })

    test('can create a user who cannot sign in until the owner sets a password', async () => {
      const user = account.newUser({ password: null, password_confirmation: null })
      const { status, body } = await ask(caller, 'POST /api/v4/users', user)
      expect(status).toBe(200)
      const signIn = () =>
        app().call('POST /api/auth/login', { body: { email: user.email, password: 'Lindenhof-42' } })
      expect((await signIn()).status).toBe(401)
      const password = { password: 'Lindenhof-42', password_confirmation: 'Lindenhof-42' }
      await account.as('owner', `PUT /api/v4/users/${body.id}`, password)
      expect((await signIn()).status).toBe(200)
    })

    test('gets no permission flags that its calls deny', async () => {
      const { owner, member } = account
      const closed = { canChangeAccess: false, canDelete: false, canDelegate: false, canSignOut: false }
      for (const id of [owner.id, member.id]) {
        expect((await ask(caller, `GET /api/v4/users/${id}`)).body).toMatchObject({
          canUpdate: true,
          ...closed,
        })
        // the owner's cached permissions were not overwritten
        expect((await account.as('owner', `GET /api/v4/users/${id}`)).body).toMatchObject({
          canChangeAccess: true,
          canDelegate: true,
        })
      }
      const room = (await account.as('owner', 'POST /api/v4/rooms', {})).body.id
      const shown = (await ask(caller, `GET /api/v4/rooms/${room}`)).body
      expect(shown).toMatchObject({ canUpdate: true, canConfigure: false, canShare: false })
      const folder = await makeObject(account, 'shared-folders')
      expect((await ask(caller, `GET /api/v4/shared-folders/${folder}`)).body.canConfigure).toBe(false)
      await (await fileOwner(app(), owner)).upload('plan.txt', 'content')
      expect((await ask(caller, 'GET /api/v4/fs')).body.list[0]).toMatchObject({
        canUpdate: true,
        canShare: false,
      })
    })
  })

  test('a download URL ends with the staff session that created it', async () => {
    const files = await fileOwner(app(), account.owner)
    const id = await files.upload('plan.txt', 'content')
    const token = await impersonate(app(), admin, account.owner.id)
    const { previewUrl } = (await app().call(`GET /api/v4/fs/${id}?previewUrl=1`, { token })).body
    const { pathname } = new URL(previewUrl)
    expect((await app().call(`GET ${pathname}`)).status).toBe(200)
    app().clock.advance(30 * 60 + 1)
    expect((await app().call(`GET ${pathname}`)).status).toBe(404)
    app().clock.advance(-(30 * 60 + 1))
  })
})
