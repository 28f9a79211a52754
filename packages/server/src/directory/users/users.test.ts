import { userStatus } from '@gatehouse/contract/status'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  deleteUser,
  type MadeUser,
  makeController,
  makeDomain,
  makeTenant,
  makeUser,
  setStatus,
  signInAs,
} from '../../testing/factories.ts'
import { useTestApp } from '../../testing/test-app.ts'

const app = useTestApp()
const tokens = new Map<string, string>()
let member: MadeUser
let owner: MadeUser

beforeAll(async () => {
  const tenantId = await makeTenant(app(), 9)
  owner = await makeUser(app())
  member = await makeUser(app(), { walletId: owner.walletId })
  const controller = await makeUser(app(), { walletId: owner.walletId })
  await makeController(app(), controller, owner.walletId)
  const people: Record<string, MadeUser> = {
    self: member,
    owner,
    controller,
    colleague: await makeUser(app(), { walletId: owner.walletId }),
    stranger: await makeUser(app()),
    admin: await makeUser(app(), { role: 'admin' }),
    reseller: await makeUser(app(), { role: 'reseller' }),
    'user of another tenant': await makeUser(app(), { tenantId }),
    'reseller of another tenant': await makeUser(app(), { tenantId, role: 'reseller' }),
    'admin of another tenant': await makeUser(app(), { tenantId, role: 'admin' }),
  }
  for (const [name, user] of Object.entries(people)) {
    tokens.set(name, (await signInAs(app(), user)).access_token)
  }
})

/** Staff use the host of their cockpit, everyone else the users' host. */
const hostOf = (person?: string) =>
  `${/^(admin|reseller)/.exec(person ?? '')?.[0].concat('.') ?? ''}localhost:8000`

const get = (id: number | string, as?: string, path = '', host = hostOf(as)) =>
  app().call(`GET /api/v4/users/${id}${path}`, { host, token: as && tokens.get(as) })

describe('reading a user', () => {
  const rights: [string, number][] = [
    ['self', 200],
    ['owner', 200],
    ['controller', 200],
    ['admin', 200],
    ['reseller', 200],
    ['admin of another tenant', 200],
    ['colleague', 403],
    ['stranger', 403],
    ['user of another tenant', 404],
    ['reseller of another tenant', 404],
  ]
  test.each(rights)('is answered to %s with %i, as is the state', async (who, status) => {
    const answers = [await get(member.id, who), await get(member.id, who, '/status')]
    expect(answers.map((answer) => answer.status)).toEqual([status, status])
    if (status === 200) expect(answers[0]?.body).toMatchObject({ id: member.id, email: member.email })
    else expect(Object.keys(answers[0]?.body).sort()).toEqual(['message', 'status'])
  })

  test.each([
    ['admin', 403],
    ['reseller', 403],
    ['admin of another tenant', 404],
    ['reseller of another tenant', 404],
  ])('is answered to %s as to any other user on the users’ host: %i', async (who, status) => {
    for (const path of ['', '/status']) {
      expect((await get(member.id, who, path, 'localhost:8000')).status).toBe(status)
    }
  })

  test('requires a session', async () => {
    expect((await get(member.id)).status).toBe(401)
    expect((await get(member.id, undefined, '/status')).status).toBe(401)
  })

  test('is allowed for a reseller unless the user is an admin', async () => {
    const admin = await makeUser(app(), { role: 'admin' })
    expect((await get(admin.id, 'reseller')).status).toBe(403)
    expect((await get(admin.id, 'admin')).status).toBe(200)
  })

  test.each([
    '0',
    '-1',
    '1',
    '4294967296',
    '1e9',
    '1000000000000000000000000000000',
    'me',
    '1.5',
    '0x10',
    ' 1',
    '1%20',
    '%31%00',
    '１',
    "1'or'1'='1",
    'null',
  ])('rejects an id like %s', async (id) => {
    for (const path of ['', '/status', '/status?refresh=1'])
      expect((await get(id, 'admin', path)).status).toBe(404)
  })

  test('fails after deletion', async () => {
    const gone = await makeUser(app())
    await deleteUser(app(), gone)
    expect((await get(gone.id, 'stranger')).status).toBe(404)
  })
})

describe('the state of a user', () => {
  test('contains process, permissions and flags without an envelope', async () => {
    const { body } = await get(owner.id, 'owner', '/status')
    expect(body).toMatchObject({
      process: [{ label: 'user-new' }, { label: 'user-imap-ready' }],
      processState: 'done',
      isDone: true,
      enableUsers: true,
      isActive: true,
      isReady: true,
    })
    expect(body).not.toHaveProperty('status')
    expect(body).not.toHaveProperty('message')
  })

  test('with refresh says that everything is done when it is', async () => {
    const { body } = await get(owner.id, 'owner', '/status?refresh=1')
    expect(body).toMatchObject({ status: 'success', message: 'The setup is complete.', processState: 'done' })
  })

  test('ignores an empty refresh', async () => {
    expect((await get(owner.id, 'owner', '/status?refresh=')).body).not.toHaveProperty('status')
  })

  test('is running without a known job, and failed after three minutes', async () => {
    const user = await makeUser(app(), { status: userStatus.new })
    const state = async () => (await get(user.id, 'admin', '/status')).body.processState
    expect(await state()).toBe('running')
    app().clock.advance(180)
    expect(await state()).toBe('running')
    app().clock.advance(1)
    expect(await state()).toBe('failed')
  })

  test('with refresh enqueues the missing job once, and then the user is ready', async () => {
    const user = await makeUser(app(), { status: userStatus.new })
    const { access_token: token } = await signInAs(app(), user)
    const status = (path = '') => app().call(`GET /api/v4/users/${user.id}/status${path}`, { token })
    for (let turn = 1; turn <= 3; turn++) {
      const { body } = await status('?refresh=1')
      expect(body).toMatchObject({
        status: 'success',
        message: 'The setup continues in the background. This may take a moment.',
        processState: 'waiting',
        isDone: false,
        isReady: false,
      })
    }
    const { rows } = await app().database.pool.query(
      `select from graphile_worker.jobs where key = 'provision:user:${user.id}'`,
    )
    expect(rows).toHaveLength(1)
    await app().jobs.drain()
    expect((await status()).body).toMatchObject({
      processState: 'done',
      isDone: true,
      isReady: true,
      isActive: true,
    })
    expect(app().backend.users.get(user.id)).toMatchObject({ id: user.id, email: user.email })
  })

  test('with refresh names the domain step that only its owner can complete', async () => {
    await makeDomain(app(), 'unproved.test', { type: 4, status: 1, walletId: owner.walletId })
    const user = await makeUser(app(), { email: 'x@unproved.test', walletId: owner.walletId })
    const { status, body } = await get(user.id, 'owner', '/status?refresh=1')
    expect({ status, outcome: body.status, message: body.message }).toEqual({
      status: 200,
      outcome: 'error',
      message: 'The domain wasn’t found in DNS.',
    })
  })

  test('is in the language of the request', async () => {
    const token = tokens.get('owner')
    const titles = new Set<string>()
    for (const language of ['en', 'de', 'fr', 'it']) {
      const { body } = await app().call(`GET /api/v4/users/${owner.id}/status?refresh=1`, {
        token,
        headers: { 'accept-language': language },
      })
      titles.add(body.process[0].title).add(body.message)
    }
    expect(titles.size).toBe(8)
  })

  test('has all flags of a suspended, degraded and restricted user', async () => {
    const user = await makeUser(app())
    const bits = userStatus.suspended | userStatus.degraded | userStatus.restricted | userStatus.imapReady
    await setStatus(app(), user, bits)
    expect((await get(user.id, 'admin', '/status')).body).toMatchObject({
      isActive: false,
      isSuspended: true,
      isDegraded: true,
      isRestricted: true,
      isImapReady: true,
      isReady: false,
      isDeleted: false,
      isAccountDegraded: true,
    })
  })
})
