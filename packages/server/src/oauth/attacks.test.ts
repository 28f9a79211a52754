import { randomBytes } from 'node:crypto'
import { userStatus } from '@gatehouse/contract/status'
import { SignJWT } from 'jose'
import * as openid from 'openid-client'
import { describe, expect, test } from 'vitest'
import {
  authorization,
  exchange,
  makeClient,
  obtainCode,
  obtainTokens,
  post,
  signedIn,
  useOAuthServer,
} from '../testing/oauth.ts'

/** What an attacker or a careless client may try; RFC 9700 and the errors of RFC 6749 by name. */

const server = useOAuthServer()

const approve = (token: string | undefined, body: Record<string, unknown>) =>
  server().call('POST /api/oauth/approve', { ...(token && { token }), body })

describe('an authorization code', () => {
  test('works once, and a second use revokes its tokens', async () => {
    const person = await signedIn(server())
    const client = await makeClient(server())
    const code = await obtainCode(server(), person, client)
    const first = await exchange(server(), client, code)
    expect(first.status).toBe(200)
    const replay = await exchange(server(), client, code)
    expect([replay.status, replay.body.error]).toEqual([400, 'invalid_grant'])
    const info = await server().call('GET /oauth/userinfo', { token: first.body.access_token })
    expect([info.status, info.body.error]).toEqual([401, 'invalid_token'])
  })

  test('gives tokens to at most one of eight concurrent requests, and the replay revokes them', async () => {
    const person = await signedIn(server())
    const client = await makeClient(server())
    const code = await obtainCode(server(), person, client)
    const answers = await Promise.all(Array.from({ length: 8 }, () => exchange(server(), client, code)))
    const won = answers.filter(({ status }) => status === 200)
    expect(won.length).toBeLessThanOrEqual(1)
    for (const { status, body } of answers.filter((answer) => answer.status !== 200)) {
      expect([status, body.error]).toEqual([400, 'invalid_grant'])
    }
    await exchange(server(), client, code)
    const { db } = server().database
    const left = await db
      .selectFrom('oauthRecords')
      .select('model')
      .where('userId', '=', person.user.id)
      .where('model', 'in', ['AccessToken', 'RefreshToken', 'Grant'])
      .execute()
    expect(left).toEqual([])
  })

  test('is rejected for another client and for a wrong or missing redirect URI', async () => {
    const person = await signedIn(server())
    const client = await makeClient(server(), {
      redirectUris: ['https://app.test/callback', 'https://app.test/other'],
    })
    const other = await makeClient(server())
    const code = await obtainCode(server(), person, client)
    expect((await exchange(server(), other, code)).body.error).toBe('invalid_grant')
    const elsewhere = await exchange(server(), { ...client, redirectUri: 'https://app.test/other' }, code)
    expect(elsewhere.body.error).toBe('invalid_grant')
    const fields = { grant_type: 'authorization_code', code }
    expect((await post(server(), '/oauth/token', client, fields)).body.error).toBe('invalid_request')
  })

  test('with a challenge requires its verifier, and without one rejects a verifier', async () => {
    const person = await signedIn(server())
    const client = await makeClient(server())
    const verifier = openid.randomPKCECodeVerifier()
    const challenge = {
      code_challenge: await openid.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    }
    const refused = async (change: Record<string, string>, more: Record<string, string>) => {
      const code = await obtainCode(server(), person, client, change)
      return (await exchange(server(), client, code, more)).body.error
    }
    expect(await refused(challenge, {})).toBe('invalid_grant')
    expect(await refused(challenge, { code_verifier: openid.randomPKCECodeVerifier() })).toBe('invalid_grant')
    // the challenge was stripped from the request
    expect(await refused({}, { code_verifier: verifier })).toBe('invalid_grant')
    const code = await obtainCode(server(), person, client, challenge)
    expect((await exchange(server(), client, code, { code_verifier: verifier })).status).toBe(200)
  })

  test('expires after ten minutes', async () => {
    const person = await signedIn(server())
    const client = await makeClient(server())
    const code = await obtainCode(server(), person, client)
    server().clock.advance(601)
    expect((await exchange(server(), client, code)).body.error).toBe('invalid_grant')
    server().clock.advance(-601)
  })

  test('is rejected after the user was suspended', async () => {
    const person = await signedIn(server())
    const client = await makeClient(server())
    const code = await obtainCode(server(), person, client)
    await suspend(person.user.id)
    expect((await exchange(server(), client, code)).body.error).toBe('invalid_grant')
  })
})

async function suspend(id: number): Promise<void> {
  const status = userStatus.new | userStatus.active | userStatus.imapReady | userStatus.suspended
  await server().database.db.updateTable('users').set({ status }).where('id', '=', id).execute()
}

describe('a refresh token', () => {
  test('that is used twice revokes everything from the same grant', async () => {
    const person = await signedIn(server())
    const client = await makeClient(server())
    const first = await obtainTokens(server(), person, client)
    const refresh = (token: string) =>
      post(server(), '/oauth/token', client, { grant_type: 'refresh_token', refresh_token: token })
    const second = await refresh(first.refresh_token)
    expect(second.status).toBe(200)
    expect((await refresh(first.refresh_token)).body.error).toBe('invalid_grant')
    expect((await refresh(second.body.refresh_token)).body.error).toBe('invalid_grant')
    const info = await server().call('GET /oauth/userinfo', { token: second.body.access_token })
    expect(info.status).toBe(401)
  })

  test('is exchanged by one of eight concurrent requests', async () => {
    const person = await signedIn(server())
    const client = await makeClient(server())
    const { refresh_token } = await obtainTokens(server(), person, client)
    const fields = { grant_type: 'refresh_token', refresh_token }
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => post(server(), '/oauth/token', client, fields)),
    )
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1)
    for (const { status, body } of answers) {
      if (status !== 200) expect([status, body.error]).toEqual([400, 'invalid_grant'])
    }
  })

  test("is rejected for another client and for scopes that weren't granted", async () => {
    const person = await signedIn(server())
    const client = await makeClient(server())
    const other = await makeClient(server())
    const { refresh_token } = await obtainTokens(server(), person, client, { scope: 'openid' })
    const fields = { grant_type: 'refresh_token', refresh_token }
    expect((await post(server(), '/oauth/token', other, fields)).body.error).toBe('invalid_grant')
    const wider = await post(server(), '/oauth/token', client, { ...fields, scope: 'openid email' })
    expect(wider.body.error).toBe('invalid_scope')
  })

  test('expires as configured', async () => {
    const person = await signedIn(server())
    const client = await makeClient(server())
    const { refresh_token } = await obtainTokens(server(), person, client)
    server().clock.advance(43_200 * 60 + 1)
    const fields = { grant_type: 'refresh_token', refresh_token }
    expect((await post(server(), '/oauth/token', client, fields)).body.error).toBe('invalid_grant')
    server().clock.advance(-43_200 * 60 - 1)
  })

  test('is not issued to a client without the refresh grant', async () => {
    const person = await signedIn(server())
    const client = await makeClient(server(), { grants: ['authorization_code'] })
    expect((await obtainTokens(server(), person, client)).refresh_token).toBeUndefined()
  })
})

describe('a client', () => {
  test.each([
    ['a wrong secret', { secret: 'x'.repeat(43) }, [401, 'invalid_client']],
    ['no secret', { secret: '' }, [401, 'invalid_client']],
    ['the hash of its secret', 'hash', [401, 'invalid_client']],
    ['an unknown id', { id: '01890000-0000-7000-8000-000000000000' }, [401, 'invalid_client']],
    ['an id that is none', { id: "'; drop table users" }, [401, 'invalid_client']],
  ] as const)('with %s gets nothing', async (_, change, expected) => {
    const client = await makeClient(server())
    const row = await server()
      .database.db.selectFrom('oauthClients')
      .select('secretHash')
      .where('id', '=', client.id)
      .executeTakeFirstOrThrow()
    const wrong = change === 'hash' ? { secret: row.secretHash?.toString('hex') ?? '' } : change
    const { status, body } = await exchange(server(), { ...client, ...wrong }, 'x'.repeat(43))
    expect([status, body.error]).toEqual(expected)
  })

  test('that is disabled is rejected, and its tokens are void immediately', async () => {
    const person = await signedIn(server())
    const client = await makeClient(server())
    const { access_token, refresh_token } = await obtainTokens(server(), person, client, {
      scope: 'openid api',
    })
    expect((await server().call('GET /api/auth/info', { token: access_token })).status).toBe(200)
    const { db } = server().database
    await db.updateTable('oauthClients').set({ disabledAt: new Date() }).where('id', '=', client.id).execute()
    expect((await server().call('GET /api/auth/info', { token: access_token })).status).toBe(401)
    expect((await server().call('GET /oauth/userinfo', { token: access_token })).status).toBe(401)
    const fields = { grant_type: 'refresh_token', refresh_token }
    expect((await post(server(), '/oauth/token', client, fields)).status).toBe(401)
    expect((await approve(person.token, authorization(client))).body.redirectUrl).toBeNull()
  })

  test('can introspect and revoke only its own tokens', async () => {
    const person = await signedIn(server())
    const client = await makeClient(server())
    const { access_token } = await obtainTokens(server(), person, client)
    const other = await makeClient(server())
    const asked = await post(server(), '/oauth/introspect', other, { token: access_token })
    expect(asked.body).toEqual({ active: false })
    await post(server(), '/oauth/revoke', other, { token: access_token })
    expect((await server().call('GET /oauth/userinfo', { token: access_token })).status).toBe(200)
  })

  test.each(['password', 'client_credentials', 'implicit', 'urn:ietf:params:oauth:grant-type:jwt-bearer'])(
    'cannot use the grant %s',
    async (grant_type) => {
      const client = await makeClient(server())
      const fields = { grant_type, username: 'a', password: 'b' }
      const { status, body } = await post(server(), '/oauth/token', client, fields)
      expect([status, body.error]).toEqual([400, 'unsupported_grant_type'])
    },
  )
})

describe('an authorization request', () => {
  test.each([
    ['no response type', { response_type: undefined }, 'invalid_request'],
    ['another response type', { response_type: 'token' }, 'unsupported_response_type'],
    ['another response mode', { response_mode: 'fragment' }, 'invalid_request'],
    ['a scope that does not exist', { scope: 'openid root' }, 'invalid_scope'],
    ['the scope of everything', { scope: '*' }, 'invalid_scope'],
    ['no scope', { scope: undefined }, 'invalid_scope'],
    ['only scopes that the client may not have', { scope: 'auth.token fs' }, 'invalid_scope'],
    [
      'a plain challenge',
      { code_challenge: 'x'.repeat(43), code_challenge_method: 'plain' },
      'invalid_request',
    ],
    ['a challenge without method', { code_challenge: 'x'.repeat(43) }, 'invalid_request'],
    ['a method without challenge', { code_challenge_method: 'S256' }, 'invalid_request'],
    [
      'a short challenge',
      { code_challenge: 'x'.repeat(42), code_challenge_method: 'S256' },
      'invalid_request',
    ],
    ['prompt none with more', { prompt: 'none login' }, 'invalid_request'],
    ['a malformed age', { max_age: '-1' }, 'invalid_request'],
    ['a request object', { request: 'x.y.z' }, 'request_not_supported'],
    ['the address of a request object', { request_uri: 'https://app.test/r' }, 'request_uri_not_supported'],
  ] as const)('with %s is answered with an error to the client', async (_, change, error) => {
    const person = await signedIn(server())
    const client = await makeClient(server())
    const { status, body } = await approve(person.token, authorization(client, change))
    expect([status, body.error]).toEqual([422, error])
    const address = new URL(body.redirectUrl)
    expect(Object.fromEntries(address.searchParams)).toMatchObject({
      error,
      error_description: expect.any(String),
      state: 'the-state',
      iss: server().issuer,
    })
    expect(address.searchParams.get('code')).toBeNull()
  })

  test.each([
    ['public client', { confidential: false }],
    ['confidential client that requires PKCE', { requirePkce: true }],
  ])('of a %s is rejected without a challenge, which prevents PKCE downgrades', async (_, wishes) => {
    const person = await signedIn(server())
    const client = await makeClient(server(), wishes)
    const { body } = await approve(person.token, authorization(client))
    expect([body.error, body.error_description]).toEqual(['invalid_request', 'PKCE is required'])
    const plain = { code_challenge: 'x'.repeat(43), code_challenge_method: 'plain' }
    expect((await approve(person.token, authorization(client, plain))).body.error).toBe('invalid_request')
  })

  test('with a code injected into a confidential client is rejected there', async () => {
    const person = await signedIn(server())
    const client = await makeClient(server(), { requirePkce: true })
    const own = openid.randomPKCECodeVerifier()
    const code = await obtainCode(server(), person, client, {
      code_challenge: await openid.calculatePKCECodeChallenge(openid.randomPKCECodeVerifier()),
      code_challenge_method: 'S256',
    })
    expect((await exchange(server(), client, code)).body.error).toBe('invalid_grant')
    expect((await exchange(server(), client, code, { code_verifier: own })).body.error).toBe('invalid_grant')
  })

  test('of a client without that grant is rejected', async () => {
    const person = await signedIn(server())
    const client = await makeClient(server(), { grants: ['device_code'] })
    expect((await approve(person.token, authorization(client))).body.error).toBe('unauthorized_client')
  })

  test('may return to any port of the loopback address, but to no other address', async () => {
    const person = await signedIn(server())
    const client = await makeClient(server(), { redirectUris: ['http://127.0.0.1:1/cb'] })
    const at = (redirect_uri: string) => approve(person.token, authorization(client, { redirect_uri }))
    expect((await at('http://127.0.0.1:5555/cb')).body.status).toBe('success')
    expect((await at('http://127.0.0.1:5555/other')).status).toBe(422)
    expect((await at('http://localhost:5555/cb')).status).toBe(422)
    expect((await at('http://127.0.0.1.evil.test/cb')).status).toBe(422)
  })
})

describe('a forged ID token hint', () => {
  const forge = async (clientId: string, sub: string, key: Uint8Array = randomBytes(32), alg = 'HS256') =>
    new SignJWT({ sub })
      .setProtectedHeader({ alg })
      .setIssuer(server().issuer)
      .setAudience(clientId)
      .setIssuedAt()
      .setExpirationTime('1h')
      .sign(key)

  test('is rejected by the authorization endpoint and by sign-out', async () => {
    const person = await signedIn(server())
    const client = await makeClient(server())
    const { id_token } = await obtainTokens(server(), person, client)
    const [, payload = ''] = id_token.split('.')
    const none = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload}.`
    const stranger = await obtainTokens(server(), person, await makeClient(server()))
    const hints = [
      await forge(client.id, String(person.user.id)),
      await forge(client.id, String(person.user.id), Buffer.from(client.secret)),
      none,
      `${id_token.slice(0, -4)}AAAA`,
      stranger.id_token,
      'x.y.z',
      'no token',
    ]
    for (const hint of hints) {
      const { body } = await approve(person.token, authorization(client, { id_token_hint: hint }))
      expect([body.error, body.error_description]).toEqual(['invalid_request', 'id_token_hint is not valid'])
      const query = new URLSearchParams({
        id_token_hint: hint,
        client_id: client.id,
        post_logout_redirect_uri: 'https://app.test/bye',
      })
      const answer = await server().call(`GET /oauth/logout?${query.toString()}`)
      expect([answer.status, answer.headers.location]).toEqual([303, '/oauth/sign-out?error=invalid_request'])
    }
  })
})

describe('guessing at the token endpoint', () => {
  test('is throttled per network address', async () => {
    const client = await makeClient(server())
    const guess = (ip: string) =>
      server().call('POST /oauth/token', {
        ip,
        body: new URLSearchParams({
          ...{
            grant_type: 'refresh_token',
            refresh_token: 'x',
            client_id: client.id,
            client_secret: 'wrong',
          },
        }).toString(),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      })
    const first = await Promise.all(Array.from({ length: 50 }, () => guess('203.0.113.9')))
    expect(first.map(({ status }) => status)).toEqual(Array.from({ length: 50 }, () => 401))
    // the response is sent before the failure is counted
    await expect.poll(async () => (await guess('203.0.113.9')).status).toBe(429)
    expect((await guess('203.0.113.10')).status).toBe(401)
  })
})
