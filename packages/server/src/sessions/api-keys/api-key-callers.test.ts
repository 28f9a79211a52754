import { keyScopeGroups, scopeOfCall } from '@gatehouse/contract/sessions/key-scopes'
import { userStatus } from '@gatehouse/contract/status'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { formatApiKey } from '../../platform/http/callers/api-key-format.ts'
import { createKey, makeApiKey } from '../../testing/borrowed.ts'
import {
  deleteUser,
  type MadeUser,
  makeController,
  makeDomain,
  makeUser,
  setStatus,
  signInAs,
} from '../../testing/factories.ts'
import { fileOwner } from '../../testing/files.ts'
import { createTestApp, makeInstallation, useTestApp } from '../../testing/test-app.ts'

const lines: string[] = []
const settings = { API_KEY_RATE: '1000', LOG_LEVEL: 'info' }
const app = useTestApp(settings, undefined, { logTo: { write: (line) => void lines.push(line) } })
let owner: MadeUser
let member: MadeUser

beforeAll(async () => {
  await makeDomain(app(), 'example.test')
})

/** For each group of tests, because the number of a person's keys is limited. */
async function makeOwner(): Promise<void> {
  owner = await makeUser(app(), { plan: 'group' })
  member = await makeUser(app(), { walletId: owner.walletId })
}

const users = (token: string, more: { ip?: string; headers?: Record<string, string> } = {}) =>
  app().call('GET /api/v4/users', { token, ...more })

const refused = (status: number, reason: string) =>
  expect.objectContaining({ status, body: expect.objectContaining({ status: 'error', reason }) })

describe('scopes', () => {
  beforeAll(makeOwner)

  const calls = [...scopeOfCall]
  const keys = new Map<string, Promise<string>>()

  /** A key with all scopes except those that include the given one. */
  function keyWithout(scope: string): Promise<string> {
    const [group = '', access] = scope.split(':')
    const others = keyScopeGroups.flatMap((other) =>
      other.accesses
        .filter((own) => other.group !== group || (access === 'write' && own === 'read'))
        .map((own) => `${other.group}:${own}`),
    )
    const key = keys.get(scope) ?? makeApiKey(app(), owner, { scopes: others })
    keys.set(scope, key)
    return key
  }

  test.each(calls)('%s needs %s', async (route, scope) => {
    const [method = '', path = ''] = route.split(' ')
    const token = await keyWithout(scope)
    const url = path.replaceAll(/\{\w+\}/g, 'none')
    const options = { token, ...(method !== 'GET' && { body: {} }) }
    const answer = await app().call(`${method} ${url}`, options)
    expect(answer).toEqual(refused(403, 'key-scope'))
    expect(answer.body.scope).toBe(scope)
    if (method === 'PUT') {
      expect(await app().call(`PATCH ${url}`, options)).toEqual(refused(403, 'key-scope'))
    }
  })

  test('for writing include reading', async () => {
    const token = await makeApiKey(app(), owner, { scopes: ['users:write'] })
    expect((await users(token)).status).toBe(200)
  })

  test('never exceed the rights of the person', async () => {
    const token = await makeApiKey(app(), member)
    expect((await app().call(`DELETE /api/v4/users/${owner.id}`, { token })).status).toBe(403)
    expect((await app().call(`GET /api/v4/wallets/${owner.walletId}`, { token })).status).toBe(403)
  })

  test('end with the control of an account', async () => {
    const controller = await makeUser(app(), { walletId: owner.walletId })
    await makeController(app(), controller, owner.walletId)
    const token = await makeApiKey(app(), controller)
    const wallet = () => app().call(`GET /api/v4/wallets/${owner.walletId}`, { token })
    expect((await wallet()).status).toBe(200)
    await app().database.db.deleteFrom('walletControllers').where('userId', '=', controller.id).execute()
    expect((await wallet()).status).toBe(403)
  })

  test('give staff no staff rights, on any host', async () => {
    const admin = await makeUser(app(), { role: 'admin' })
    const token = await makeApiKey(app(), admin)
    const path = `GET /api/v4/users/${member.id}`
    expect((await app().call(path, { token })).status).toBe(403)
    expect(await app().call(path, { token, host: 'admin.localhost:8000' })).toEqual(
      refused(403, 'key-closed'),
    )
  })

  test.each(['GET /api/v4/api-keys', 'POST /api/v4/api-keys', 'GET /api/v4/sessions', 'GET /api/auth/info'])(
    'never open %s',
    async (route) => {
      const token = await makeApiKey(app(), owner)
      const options = { token, ...(route.startsWith('POST') && { body: {} }) }
      expect(await app().call(route, options)).toEqual(refused(403, 'key-closed'))
    },
  )
})

describe('an API key is refused', () => {
  beforeAll(makeOwner)

  test('if it has a typing error, is unknown, or has another secret', async () => {
    const token = await makeApiKey(app(), owner)
    const [, prefix = ''] = token.split('_')
    for (const wrong of [
      `${token.slice(0, -1)}${token.endsWith('a') ? 'b' : 'a'}`,
      formatApiKey('0'.repeat(12), 'b'.repeat(43)),
      formatApiKey(prefix, 'b'.repeat(43)),
    ]) {
      expect(await users(wrong)).toEqual(refused(401, 'key-unknown'))
    }
  })

  test('after its expiry, at the second', async () => {
    const expires = new Date(app().clock.now().getTime() + 60_000)
    const expires_at = expires.toISOString().slice(0, 19).replace('T', ' ')
    const token = await makeApiKey(app(), owner, { expires_at })
    app().clock.advance(59)
    expect((await users(token)).status).toBe(200)
    app().clock.advance(1)
    expect(await users(token)).toEqual(refused(401, 'key-expired'))
  })

  test('after a rotation without overlap, or when the overlap ends', async () => {
    const { id, key, token } = await createKey(app(), owner)
    const rotate = async (overlapHours: number) =>
      (await app().call(`POST /api/v4/api-keys/${id}/rotate`, { token, body: { overlapHours } })).body.key
    const second = await rotate(24)
    expect((await users(key)).status).toBe(200)
    expect((await users(second)).status).toBe(200)
    const third = await rotate(1)
    // only the last of the previous secrets overlaps
    expect(await users(key)).toEqual(refused(401, 'key-unknown'))
    expect((await users(second)).status).toBe(200)
    const fourth = await rotate(0)
    expect(await users(third)).toEqual(refused(401, 'key-unknown'))
    expect((await users(fourth)).status).toBe(200)
    await rotate(1)
    app().clock.advance(3600)
    expect(await users(fourth)).toEqual(refused(401, 'key-unknown'))
  })

  test.each([
    [['192.0.2.0/24'], '192.0.2.7', 200],
    [['192.0.2.0/24'], '::ffff:192.0.2.7', 200],
    [['192.0.2.0/24'], '198.51.100.7', 403],
    [['2001:db8::/32'], '2001:db8:1::7', 200],
    [['2001:db8::/32'], '192.0.2.7', 403],
    [['192.0.2.7', '::1'], '::1', 200],
  ])('with the networks %j, used from %s: %i', async (networks, ip, status) => {
    const token = await makeApiKey(app(), owner, { networks })
    const answer = await users(token, { ip })
    expect(answer.status).toBe(status)
    if (status === 403) expect(answer).toEqual(refused(403, 'key-address'))
  })

  test('from an address that only an untrusted proxy allows', async () => {
    const token = await makeApiKey(app(), owner, { networks: ['192.0.2.7'] })
    expect(await users(token, { ip: '192.0.2.7, 198.51.100.7' })).toEqual(refused(403, 'key-address'))
  })

  test.each(['suspended', 'degraded'] as const)('while its person or account is %s', async (state) => {
    const boss = await makeUser(app(), { plan: 'group' })
    const helper = await makeUser(app(), { walletId: boss.walletId })
    const tokens = [
      await makeApiKey(app(), boss),
      await makeApiKey(app(), boss, { kind: 'account' }),
      await makeApiKey(app(), helper),
    ]
    const { status } = await app()
      .database.db.selectFrom('users')
      .select('status')
      .where('id', '=', boss.id)
      .executeTakeFirstOrThrow()
    await setStatus(app(), boss, status | userStatus[state])
    for (const token of tokens) expect(await users(token)).toEqual(refused(403, 'key-stopped'))
    await setStatus(app(), boss, status)
    for (const token of tokens) expect((await users(token)).status).toBe(200)
  })

  test('while its person must set up a second factor', async () => {
    const boss = await makeUser(app(), { plan: 'group' })
    const token = await makeApiKey(app(), boss)
    const service = await makeApiKey(app(), boss, { kind: 'account' })
    await app()
      .database.db.insertInto('userSettings')
      .values({ userId: boss.id, key: 'second_factor_policy', value: 'required' })
      .execute()
    expect(await users(token)).toEqual(refused(403, 'key-stopped'))
    expect((await users(service)).status).toBe(200)
  })

  test('after its person was deleted', async () => {
    const person = await makeUser(app())
    const token = await makeApiKey(app(), person)
    await deleteUser(app(), person)
    expect(await users(token)).toEqual(refused(401, 'key-unknown'))
  })

  test('in the URL, where nothing reads it', async () => {
    const token = await makeApiKey(app(), owner)
    for (const name of ['access_token', 'key', 'api_key']) {
      expect(await app().call(`GET /api/v4/users?${name}=${token}`)).toEqual(refused(400, 'key-in-url'))
    }
    const both = await app().call(`GET /api/v4/users?key=${token}`, { token })
    expect(both).toEqual(refused(400, 'key-in-url'))
  })

  test('with another scheme, in the body or in a cookie', async () => {
    const token = await makeApiKey(app(), owner)
    const ask = async (headers: Record<string, string>) =>
      (await app().call('GET /api/v4/users', { headers })).status
    expect(await ask({ authorization: `Basic ${token}` })).toBe(401)
    expect(await ask({ authorization: token })).toBe(401)
    expect(await ask({ cookie: `access_token=${token}` })).toBe(401)
    expect((await app().call('POST /api/v4/users', { body: { access_token: token } })).status).toBe(401)
  })

  test('if the header is garbage, without a server error', async () => {
    const garbage = fc.oneof(
      fc.string({ unit: 'grapheme-ascii', maxLength: 600 }),
      fc.string({ maxLength: 80 }).map((text) => `gh_${text.replaceAll(/[^\x21-\x7e]/g, 'x')}`),
      fc.stringMatching(/^gh_[0-9A-Za-z]{12}_[0-9A-Za-z]{43}_[0-9A-Za-z]{6}$/),
    )
    await fc.assert(
      fc.asyncProperty(garbage, async (text) => {
        const headers = { authorization: `Bearer ${text.replaceAll(/[^\x20-\x7e]/g, '?')}` }
        expect((await app().call('GET /api/v4/users', { headers })).status).toBe(401)
      }),
      { numRuns: 200 },
    )
  })
})

describe('a request with an API key', () => {
  beforeAll(makeOwner)

  test('is limited by the minute, with standard headers', async () => {
    await using installation = await makeInstallation()
    await using first = await createTestApp({ API_KEY_RATE: '3' }, undefined, { installation })
    await using other = await createTestApp({ API_KEY_RATE: '3' }, undefined, { installation })
    await makeDomain(first, 'example.test')
    const token = await makeApiKey(first, await makeUser(first))
    const ask = (server = first) => server.call('GET /api/v4/users', { token })
    const answers = [await ask(), await ask(other), await ask()]
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(answers[1]?.headers).toMatchObject({
      'ratelimit-policy': '"api-key";q=3;w=60',
      ratelimit: '"api-key";r=1;t=60',
    })
    const late = await ask()
    expect(late.status).toBe(429)
    expect(late.headers).toMatchObject({ 'retry-after': '60', ratelimit: '"api-key";r=0;t=60' })
    expect((await ask(other)).status).toBe(429)
    first.clock.advance(60)
    expect((await ask()).status).toBe(200)
  })

  test('is refused in every process as soon as the key is revoked', async () => {
    await using installation = await makeInstallation()
    await using first = await createTestApp({}, undefined, { installation })
    await using other = await createTestApp({}, undefined, { installation })
    await makeDomain(first, 'example.test')
    const { id, key, token } = await createKey(first, await makeUser(first))
    expect((await other.call('GET /api/v4/users', { token: key })).status).toBe(200)
    expect((await first.call(`DELETE /api/v4/api-keys/${id}`, { token })).status).toBe(200)
    expect(await other.call('GET /api/v4/users', { token: key })).toEqual(refused(401, 'key-unknown'))
  })

  test('records its last use', async () => {
    const { key, token } = await createKey(app(), owner, { name: 'Used' })
    await users(key, { ip: '192.0.2.9' })
    const { body } = await app().call('GET /api/v4/api-keys', { token })
    const found = body.list.find(({ name }: { name: string }) => name === 'Used')
    expect(found.lastUse).toMatchObject({ ipAddress: '192.0.2.9' })
  })

  test('shows the key in the activity log', async () => {
    const body = { email: `made${Date.now()}@example.test` }
    for (const [kind, actor] of [
      ['personal', owner.email],
      ['account', null],
    ] as const) {
      const token = await makeApiKey(app(), owner, { kind, name: `Sync ${kind}` })
      const made = await makeUser(app(), { walletId: owner.walletId })
      const changed = await app().call(`PUT /api/v4/users/${made.id}`, {
        token,
        body: { first_name: body.email },
      })
      expect(changed.status).toBe(200)
      const session = (await signInAs(app(), owner)).access_token
      const events = await app().call(`GET /api/v4/users/${made.id}/events`, { token: session })
      expect(events.body.list[0]).toMatchObject({ event: 'user.updated', actor, apiKey: `Sync ${kind}` })
    }
  })

  test('has idempotency keys of its own', async () => {
    const first = await makeApiKey(app(), owner)
    const second = await makeApiKey(app(), owner)
    const ask = (token: string) =>
      app().call('POST /api/v4/rooms', {
        token,
        body: { description: 'Idempotent' },
        headers: { 'idempotency-key': 'the-same-key' },
      })
    const made = await ask(first)
    expect(made.status).toBe(200)
    expect((await ask(first)).headers['idempotency-replayed']).toBe('true')
    expect((await ask(second)).headers['idempotency-replayed']).toBeUndefined()
  })

  test('uploads and downloads files with the scopes for files', async () => {
    const person = await makeUser(app(), { plan: 'group' })
    const id = await (await fileOwner(app(), person)).upload('plan.txt', 'content')
    const token = await makeApiKey(app(), person, { scopes: ['files:write'] })
    const reader = await makeApiKey(app(), person, { scopes: ['files:read'] })
    const read = await app().call(`GET /api/v4/fs/${id}?download=1`, { token: reader })
    expect(read.status).toBe(200)
    const headers = { 'tus-resumable': '1.0.0', 'upload-length': '4', 'upload-metadata': 'name YS50eHQ=' }
    const begin = (by: string) => app().call('POST /api/v4/fs/tus', { token: by, headers })
    expect((await begin(reader)).status).toBe(403)
    const begun = await begin(token)
    expect(begun.status).toBe(201)
    expect(begun.headers['ratelimit-policy']).toBeDefined()
  })

  test('never logs the key', async () => {
    const token = await makeApiKey(app(), owner)
    const before = lines.length
    await users(token)
    await app().call(`GET /api/v4/users?key=${token}`)
    await users(`${token.slice(0, -1)}!`)
    const logged = lines.slice(before).join('\n')
    expect(logged).toContain('apiKeyId')
    expect(logged).not.toContain(token.slice(16, 59))
  })
})
