import { userStatus } from '@gatehouse/contract/status'
import { decodeJwt } from 'jose'
import { describe, expect, test } from 'vitest'
import { makeUser, signInAs } from '../../testing/factories.ts'
import {
  authorization,
  consent,
  exchange,
  makeClient,
  obtainTokens,
  post,
  signedIn,
  useOAuthServer,
} from '../../testing/oauth.ts'

const server = useOAuthServer()

const approve = (token: string | undefined, body: Record<string, unknown>) =>
  server().call('POST /api/oauth/approve', { ...(token && { token }), body })

const day = 24 * 3600

describe('the consent query', () => {
  test("returns what the application requests, in the user's language", async () => {
    const person = await signedIn(server())
    const client = await makeClient(server(), { name: 'Wiki' })
    const query = authorization(client, { scope: 'openid email profile auth.token' })
    const { status, body } = await approve(person.token, { ...query, ifSeen: true })
    expect(status).toBe(200)
    expect(body).toEqual({
      status: 'prompt',
      client: {
        name: 'Wiki',
        title: 'Wiki',
        url: 'https://app.test/callback',
        email: person.user.email,
        // auth.token is not allowed for this application
        claims: {
          email: 'View your e-mail address and name',
          profile: 'View your name and language',
        },
      },
      denyUrl: expect.stringContaining('error=access_denied'),
    })
    const denial = new URL(body.denyUrl)
    expect(denial.origin + denial.pathname).toBe('https://app.test/callback')
    expect(denial.searchParams.get('state')).toBe('the-state')
    const german = await server().call('POST /api/oauth/approve', {
      token: person.token,
      body: { ...query, ifSeen: true },
      headers: { 'accept-language': 'de' },
    })
    expect(german.body.client.claims.profile).toBe('Ihren Namen und Ihre Sprache ansehen')
  })

  test('returns a code for fourteen days after a consent, extended by each use', async () => {
    const person = await signedIn(server())
    const client = await makeClient(server())
    const query = authorization(client)
    const ask = async () => (await approve(person.token, { ...query, ifSeen: 'true' })).body.status
    expect(await ask()).toBe('prompt')
    await consent(server(), person, query)
    expect(await ask()).toBe('success')
    server().clock.advance(13 * day)
    const { access_token: token } = await signInAs(server(), person.user)
    const later = async () => (await approve(token, { ...query, ifSeen: 1 })).body.status
    expect(await later()).toBe('success')
    server().clock.advance(14 * day + 1)
    const { access_token: last } = await signInAs(server(), person.user)
    expect((await approve(last, { ...query, ifSeen: true })).body.status).toBe('prompt')
    server().clock.advance(-27 * day - 1)
  })

  test('asks again for additional scopes, but not for fewer', async () => {
    const person = await signedIn(server())
    const client = await makeClient(server())
    await consent(server(), person, authorization(client, { scope: 'openid email' }))
    const ask = async (scope: string) =>
      (await approve(person.token, { ...authorization(client, { scope }), ifSeen: true })).body.status
    expect(await ask('openid')).toBe('success')
    expect(await ask('email openid')).toBe('success')
    expect(await ask('openid email profile')).toBe('prompt')
  })

  test("of one application doesn't apply to another application or user", async () => {
    const person = await signedIn(server())
    const other = await signedIn(server())
    const client = await makeClient(server())
    await consent(server(), person, authorization(client))
    const second = await makeClient(server())
    const ask = async (token: string, query: Record<string, string>) =>
      (await approve(token, { ...query, ifSeen: true })).body.status
    expect(await ask(other.token, authorization(client))).toBe('prompt')
    expect(await ask(person.token, authorization(second))).toBe('prompt')
  })
})

describe('consent', () => {
  test('requires a signed-in user', async () => {
    const client = await makeClient(server())
    expect((await approve(undefined, authorization(client))).status).toBe(401)
  })

  test('is refused to suspended users', async () => {
    const status = userStatus.new | userStatus.active | userStatus.imapReady | userStatus.suspended
    const person = await signedIn(server(), { status })
    const client = await makeClient(server())
    expect((await approve(person.token, authorization(client))).status).toBe(403)
  })

  test('is refused to applications, whatever their tokens', async () => {
    const person = await signedIn(server())
    const client = await makeClient(server(), { scopes: ['openid', 'api'] })
    const { access_token: token } = await obtainTokens(server(), person, client, { scope: 'openid api' })
    const other = await makeClient(server())
    expect((await approve(token, authorization(other))).status).toBe(403)
    expect((await server().call('GET /api/v4/consents', { token })).status).toBe(403)
    expect((await server().call('GET /oauth/tokens', { token })).status).toBe(403)
    const device = await server().call('POST /api/oauth/device', {
      token,
      body: { user_code: 'BBBB-BBBB', decision: 'allow' },
    })
    expect(device.status).toBe(403)
  })
})

describe('an application', () => {
  test('gets only scopes that it requested and may have, in every token and response', async () => {
    const person = await signedIn(server())
    const client = await makeClient(server(), { scopes: ['openid', 'email'] })
    const tokens = await obtainTokens(server(), person, client, {
      scope: 'openid email profile api auth.token fs',
    })
    expect(tokens.scope).toBe('openid email')
    const claims = decodeJwt(tokens.id_token)
    expect(claims).not.toHaveProperty('name')
    expect(claims).not.toHaveProperty(['auth.token'])
    expect(claims).toMatchObject({ email: person.user.email, sub: String(person.user.id) })
    expect((await server().call('GET /api/auth/info', { token: tokens.access_token })).status).toBe(403)
    const renewed = await post(server(), '/oauth/token', client, {
      grant_type: 'refresh_token',
      refresh_token: tokens.refresh_token,
    })
    expect(renewed.body.scope).toBe('openid email')
  })

  test('with api can read and change the account, except passwords, payments and staff functions', async () => {
    const person = await signedIn(server(), { role: 'admin' })
    const client = await makeClient(server())
    const { access_token: token } = await obtainTokens(server(), person, client, { scope: 'openid api' })
    const { id } = person.user
    expect((await server().call('GET /api/auth/info', { token })).body.id).toBe(id)
    const change = (body: Record<string, unknown>) =>
      server().call(`PUT /api/v4/users/${id}`, { token, body })
    expect((await change({ first_name: 'Ann' })).status).toBe(200)
    const password = { password: 'another-anchor', password_confirmation: 'another-anchor' }
    expect((await change(password)).status).toBe(403)
    const pay = await server().call('POST /api/v4/payments', { token, body: { amount: '10' } })
    expect(pay.status).toBe(403)
    const cockpit = await server().call('GET /api/v4/users', { token, host: 'admin.127.0.0.1' })
    expect(cockpit.status).toBe(403)
  })

  test('immediately loses scopes removed by staff', async () => {
    const person = await signedIn(server())
    const client = await makeClient(server())
    const tokens = await obtainTokens(server(), person, client, { scope: 'openid email api' })
    const { db } = server().database
    await db
      .updateTable('oauthClients')
      .set({ scopes: ['openid'] })
      .where('id', '=', client.id)
      .execute()
    const { access_token: token, refresh_token } = tokens
    expect((await server().call('GET /api/auth/info', { token })).status).toBe(403)
    expect((await server().call('GET /oauth/userinfo', { token })).body).toEqual({
      sub: String(person.user.id),
    })
    const fields = { grant_type: 'refresh_token', refresh_token }
    expect((await post(server(), '/oauth/token', client, fields)).body.scope).toBe('openid')
  })

  test.each([
    ['is suspended', { status: 4 }],
    ['is deleted', { deletedAt: new Date() }],
  ])('gets nothing for a user who %s', async (_, change) => {
    const person = await signedIn(server())
    const client = await makeClient(server())
    const tokens = await obtainTokens(server(), person, client, { scope: 'openid api' })
    const { db } = server().database
    await db.updateTable('users').set(change).where('id', '=', person.user.id).execute()
    const { access_token: token, refresh_token } = tokens
    expect((await server().call('GET /api/auth/info', { token })).status).toBe(401)
    expect((await server().call('GET /oauth/userinfo', { token })).status).toBe(401)
    const introspection = await post(server(), '/oauth/introspect', client, { token })
    expect(introspection.body).toEqual({ active: false })
    const fields = { grant_type: 'refresh_token', refresh_token }
    expect((await post(server(), '/oauth/token', client, fields)).body.error).toBe('invalid_grant')
  })

  test('signs itself out, but not the user', async () => {
    const person = await signedIn(server())
    const client = await makeClient(server())
    const { access_token: token } = await obtainTokens(server(), person, client, { scope: 'openid api' })
    expect((await server().call('POST /api/auth/logout', { token })).status).toBe(200)
    expect((await server().call('GET /api/auth/info', { token })).status).toBe(401)
    expect((await server().call('GET /api/auth/info', { token: person.token })).status).toBe(200)
  })

  test("loses its tokens when the user's password changes", async () => {
    const person = await signedIn(server())
    const client = await makeClient(server())
    const { access_token: token } = await obtainTokens(server(), person, client, { scope: 'openid api' })
    const body = { password: 'another-anchor', password_confirmation: 'another-anchor' }
    const changed = await server().call(`PUT /api/v4/users/${person.user.id}`, { token: person.token, body })
    expect(changed.status).toBe(200)
    expect((await server().call('GET /api/auth/info', { token })).status).toBe(401)
  })
})

describe('connected applications', () => {
  test('are listed with their permissions and can be disconnected permanently', async () => {
    const person = await signedIn(server())
    const client = await makeClient(server(), { name: 'Wiki' })
    const tokens = await obtainTokens(server(), person, client, { scope: 'openid email api' })
    const { token } = person
    const list = await server().call('GET /api/v4/consents', { token })
    expect(list.body).toMatchObject({
      count: 1,
      list: [{ client: client.id, name: 'Wiki', used_at: expect.any(String) }],
    })
    expect(Object.keys(list.body.list[0].claims)).toEqual(['email', 'api'])
    const gone = await server().call(`DELETE /api/v4/consents/${client.id}`, { token })
    expect(gone.body).toEqual({ status: 'success', message: 'Wiki has been disconnected.' })
    expect((await server().call('GET /api/auth/info', { token: tokens.access_token })).status).toBe(401)
    const fields = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token }
    expect((await post(server(), '/oauth/token', client, fields)).body.error).toBe('invalid_grant')
    expect((await approve(token, { ...authorization(client), ifSeen: true })).body.status).toBe('prompt')
    expect((await server().call('GET /api/v4/consents', { token })).body).toEqual({ list: [], count: 0 })
    expect((await server().call(`DELETE /api/v4/consents/${client.id}`, { token })).status).toBe(404)
    const events = await server().call(`GET /api/v4/users/${person.user.id}/events`, { token })
    const names = events.body.list.map(({ event }: { event: string }) => event)
    expect(names).toEqual(expect.arrayContaining(['user.app-connected', 'user.app-disconnected']))
  })

  test('are all disconnected by a lockdown, which lists them', async () => {
    const person = await signedIn(server())
    const stranger = await signedIn(server())
    const wiki = await makeClient(server(), { name: 'Wiki' })
    const chat = await makeClient(server(), { name: 'Chat' })
    const clients = [wiki, chat, wiki]
    const tokens = []
    for (const client of clients) tokens.push(await obtainTokens(server(), person, client))
    // another set of scopes is a separate consent to the same application
    await consent(server(), person, authorization(wiki, { scope: 'openid profile' }))
    const kept = await obtainTokens(server(), stranger, wiki)
    const waiting = (await consent(server(), person, authorization(chat))).searchParams.get('code') ?? ''
    const answer = await server().call('POST /api/v4/lockdown', { token: person.token, body: {} })
    expect(answer.body.revoked.apps).toEqual(['Chat', 'Wiki'])
    const { body } = await server().call('GET /api/v4/consents', { token: person.token })
    expect(body).toEqual({ list: [], count: 0 })
    for (const [index, client] of clients.entries()) {
      const { access_token, refresh_token } = tokens[index] ?? { access_token: '', refresh_token: '' }
      const info = await server().call('GET /oauth/userinfo', { token: access_token })
      expect(info.status).toBe(401)
      const fields = { grant_type: 'refresh_token', refresh_token }
      expect((await post(server(), '/oauth/token', client, fields)).body.error).toBe('invalid_grant')
      const again = await approve(person.token, { ...authorization(client), ifSeen: true })
      expect(again.body.status).toBe('prompt')
    }
    expect((await exchange(server(), chat, waiting)).body.error).toBe('invalid_grant')
    expect((await server().call('GET /oauth/userinfo', { token: kept.access_token })).status).toBe(200)
  })

  test('of another user stay connected', async () => {
    const person = await signedIn(server())
    const stranger = await signedIn(server())
    const client = await makeClient(server())
    const tokens = await obtainTokens(server(), person, client, { scope: 'openid api' })
    const attempt = await server().call(`DELETE /api/v4/consents/${client.id}`, { token: stranger.token })
    expect(attempt.status).toBe(404)
    expect((await server().call('GET /api/auth/info', { token: tokens.access_token })).status).toBe(200)
  })

  test('have tokens that can be revoked individually', async () => {
    const person = await signedIn(server())
    const stranger = await signedIn(server())
    const client = await makeClient(server())
    const tokens = await obtainTokens(server(), person, client, { scope: 'openid api' })
    const others = await obtainTokens(server(), person, client, { scope: 'openid api' })
    const { token } = person
    const { body } = await server().call('GET /oauth/tokens', { token })
    expect(body).toHaveLength(2)
    expect(body[1]).toMatchObject({
      user_id: person.user.id,
      client_id: client.id,
      scopes: ['openid', 'api'],
      revoked: false,
      client: { id: client.id, name: 'Some App' },
    })
    const path = `DELETE /oauth/tokens/${body[1].id}`
    expect((await server().call(path, { token: stranger.token })).status).toBe(404)
    expect(await server().call(path, { token })).toMatchObject({ status: 204, body: '' })
    expect((await server().call('GET /api/auth/info', { token: tokens.access_token })).status).toBe(401)
    const fields = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token }
    expect((await post(server(), '/oauth/token', client, fields)).body.error).toBe('invalid_grant')
    expect((await server().call('GET /api/auth/info', { token: others.access_token })).status).toBe(200)
  })
})

test('the database contains no usable secrets in plain text', async () => {
  const person = await signedIn(server())
  const client = await makeClient(server())
  const tokens = await obtainTokens(server(), person, client)
  const device = await post(server(), '/oauth/device_authorization', client, { scope: 'openid' })
  const { rows } = await server().database.pool.query<{ all: string }>(
    `select concat((select json_agg(r) from oauth_records r), (select json_agg(c) from oauth_clients c),
      (select json_agg(k) from oauth_keys k)) as all`,
  )
  const all = rows[0]?.all ?? ''
  const hex = (text: string) => Buffer.from(text).toString('hex')
  const secrets = [tokens.access_token, tokens.refresh_token, client.secret, device.body.device_code]
  for (const secret of [...secrets, device.body.user_code.replace('-', ''), '"d":']) {
    expect(secret.length).toBeGreaterThan(3)
    expect(all).not.toContain(secret)
    if (secret.length > 4) expect(all).not.toContain(hex(secret))
  }
})

describe('expired data', () => {
  test('is removed nightly', async () => {
    const person = await signedIn(server())
    const client = await makeClient(server())
    await obtainTokens(server(), person, client)
    const count = async () => {
      const { db } = server().database
      const rows = await db
        .selectFrom('oauthRecords')
        .select('model')
        .where('userId', '=', person.user.id)
        .execute()
      return rows.map(({ model }) => model).sort()
    }
    expect(await count()).toEqual(['AccessToken', 'AuthorizationCode', 'Grant', 'RefreshToken'])
    server().clock.advance(2 * 3600)
    for (const store of server().oauth.purgeable) await store.purge()
    expect(await count()).toEqual(['Grant', 'RefreshToken'])
    server().clock.advance(-2 * 3600)
  })
})

test('a user of another account is not visible to an authorised application', async () => {
  const person = await signedIn(server())
  const client = await makeClient(server())
  const { access_token: token } = await obtainTokens(server(), person, client, { scope: 'openid api' })
  const stranger = await makeUser(server())
  expect((await server().call(`GET /api/v4/users/${stranger.id}`, { token })).status).toBe(403)
})
