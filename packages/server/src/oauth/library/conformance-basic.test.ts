import { decodeJwt, decodeProtectedHeader } from 'jose'
import { describe, expect, test } from 'vitest'
import { signInAs } from '../../testing/factories.ts'
import {
  authorization,
  consent,
  exchange,
  formOf,
  type MadeClient,
  makeClient,
  post,
  type SignedIn,
  signedIn,
  useOAuthServer,
} from '../../testing/oauth.ts'

/**
 * The checks of the OpenID conformance profiles Basic and Form Post under their original names; the two differ
 * in the response mode. docs/OPENID-CONFORMANCE.md has the table.
 */

const server = useOAuthServer()

const approve = (token: string | undefined, body: Record<string, unknown>) =>
  server().call('POST /api/oauth/approve', { ...(token && { token }), body })

describe.each([
  ['Basic', undefined],
  ['Form Post', 'form_post'],
])('%s', (_profile, response_mode) => {
  const request = (client: MadeClient, change: Record<string, string | undefined> = {}) =>
    authorization(client, { response_mode, ...change })

  /** Returns the parameters that reach the client, from the redirect URL or the posted form. */
  async function arrival(address: URL): Promise<Record<string, string>> {
    if (response_mode === undefined) {
      expect(address.origin + address.pathname).toBe('https://app.test/callback')
      return Object.fromEntries(address.searchParams)
    }
    expect(address.origin + address.pathname).toBe(`${server().issuer}/oauth/respond`)
    const { body } = await server().call(`GET ${address.pathname}${address.search}`)
    const { action, fields } = formOf(body)
    expect(action).toBe('https://app.test/callback')
    return fields
  }

  const answer = async (person: SignedIn, query: Record<string, string>) =>
    arrival(await consent(server(), person, query))

  /** Returns the error that the client gets. */
  const refusal = async (token: string | undefined, query: Record<string, string>) =>
    arrival(new URL((await approve(token, query)).body.redirectUrl))

  async function code(person: SignedIn, client: MadeClient, change?: Record<string, string | undefined>) {
    return (await answer(person, request(client, change))).code ?? ''
  }

  async function tokens(person: SignedIn, client: MadeClient, change?: Record<string, string | undefined>) {
    const { status, body } = await exchange(server(), client, await code(person, client, change))
    expect(status).toBe(200)
    return body as { access_token: string; refresh_token: string; id_token: string }
  }

  /** Returns the names of the user info claims for scopes. */
  async function told(scope: string): Promise<string[]> {
    const person = await signedIn(server(), { settings: { first_name: 'Jo', last_name: 'Doe' } })
    const client = await makeClient(server())
    const { access_token: token } = await tokens(person, client, { scope })
    return Object.keys((await server().call('GET /oauth/userinfo', { token })).body).toSorted()
  }

  const start = async () => ({ person: await signedIn(server()), client: await makeClient(server()) })

  test('oidcc-server', async () => {
    const { person, client } = await start()
    const { id_token } = await tokens(person, client)
    const claims = decodeJwt(id_token)
    expect(claims).toMatchObject({
      iss: server().issuer,
      aud: client.id,
      sub: String(person.user.id),
      nonce: 'the-nonce',
      auth_time: expect.any(Number),
    })
    expect((claims.exp ?? 0) - (claims.iat ?? 0)).toBe(3600)
    expect(Number.isInteger(claims.iat)).toBe(true)
  })

  test('oidcc-idtoken-signature', async () => {
    const person = await signedIn(server())
    for (const alg of ['RS256', 'ES256'] as const) {
      const { id_token } = await tokens(person, await makeClient(server(), { alg }))
      const header = decodeProtectedHeader(id_token)
      expect([header.alg, typeof header.kid]).toEqual([alg, 'string'])
    }
  })

  test('oidcc-response-type-missing', async () => {
    const { person, client } = await start()
    const query = request(client, { response_type: undefined })
    expect(await refusal(person.token, query)).toMatchObject({ error: 'invalid_request', state: 'the-state' })
  })

  const information = (email: string, id: number) => ({
    sub: String(id),
    email,
    email_verified: true,
    settings: { name: '' },
  })

  test('oidcc-userinfo-get', async () => {
    const { person, client } = await start()
    const { access_token: token } = await tokens(person, client)
    const { body } = await server().call('GET /oauth/userinfo', { token })
    expect(body).toEqual(information(person.user.email, person.user.id))
    const none = await server().call('GET /oauth/userinfo')
    expect(none.status).toBe(401)
    expect(none.headers['www-authenticate']).toContain('Bearer')
  })

  test('oidcc-userinfo-post-header', async () => {
    const { person, client } = await start()
    const { access_token: token } = await tokens(person, client)
    const { body } = await server().call('POST /oauth/userinfo', { token })
    expect(body).toEqual(information(person.user.email, person.user.id))
  })

  test('oidcc-userinfo-post-body', async () => {
    const { person, client } = await start()
    const { access_token: token } = await tokens(person, client)
    const { body } = await post(server(), '/oauth/userinfo', undefined, { access_token: token })
    expect(body).toEqual(information(person.user.email, person.user.id))
    const twice = await server().call('POST /oauth/userinfo', {
      token,
      body: `access_token=${token}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect([twice.status, twice.body.error]).toEqual([400, 'invalid_request'])
  })

  test('oidcc-ensure-request-without-nonce-succeeds-for-code-flow', async () => {
    const { person, client } = await start()
    const { id_token } = await tokens(person, client, { nonce: undefined })
    expect(decodeJwt(id_token)).not.toHaveProperty('nonce')
  })

  test('oidcc-alternate-happy-flow: also without state', async () => {
    const { person, client } = await start()
    const fields = await answer(person, request(client, { state: undefined }))
    expect(Object.keys(fields)).toEqual(['code', 'iss'])
    expect((await exchange(server(), client, fields.code ?? '')).status).toBe(200)
  })

  const profile = ['name', 'given_name', 'family_name', 'locale', 'updated_at']
  const email = ['email', 'email_verified', 'settings']

  test.each([
    ['oidcc-scope-profile', 'openid profile', profile],
    ['oidcc-scope-email', 'openid email', email],
    ['oidcc-scope-address', 'openid address', []],
    ['oidcc-scope-phone', 'openid phone', []],
    ['oidcc-scope-all', 'openid profile email address phone', [...profile, ...email]],
  ])('%s', async (_, scope, claims) => {
    expect(await told(scope)).toEqual(['sub', ...claims].toSorted())
  })

  test('oidcc-ensure-other-scope-order-succeeds', async () => {
    const { person, client } = await start()
    expect((await tokens(person, client, { scope: 'email openid' })).id_token).toBeTruthy()
  })

  test('oidcc-prompt-none-not-logged-in', async () => {
    const { person, client } = await start()
    const query = request(client, { prompt: 'none' })
    expect(await refusal(undefined, query)).toMatchObject({ error: 'login_required', state: 'the-state' })
    expect(await refusal(person.token, query)).toMatchObject({ error: 'consent_required' })
  })

  test('oidcc-prompt-none-logged-in', async () => {
    const { person, client } = await start()
    const first = decodeJwt((await tokens(person, client)).id_token)
    const again = decodeJwt((await tokens(person, client, { prompt: 'none' })).id_token)
    expect([again.sub, again.auth_time]).toEqual([first.sub, first.auth_time])
  })

  test.each([
    ['oidcc-prompt-login', { prompt: 'login' }],
    ['oidcc-max-age-1', { max_age: '1' }],
    ['prompt=select_account', { prompt: 'select_account' }],
  ])('%s: requires a new sign-in, which shows in auth_time', async (_, change) => {
    const { person, client } = await start()
    const before = decodeJwt((await tokens(person, client)).id_token).auth_time
    server().clock.advance(5)
    const query = request(client, change)
    const asked = await approve(person.token, { ...query, ifSeen: true })
    expect(asked.body.status).toBe('login')
    const { ticket } = asked.body
    // the old session with the ticket isn't a new sign-in, and neither is a forged ticket
    server().clock.advance(2)
    expect((await approve(person.token, { ...query, ticket })).body.status).toBe('login')
    expect((await approve(person.token, { ...query, ticket: 'x'.repeat(60) })).body.status).toBe('login')
    const { access_token: token } = await signInAs(server(), person.user)
    const fields = await answer({ ...person, token }, { ...query, ticket })
    const { body } = await exchange(server(), client, fields.code ?? '')
    expect(Number(decodeJwt(body.id_token).auth_time)).toBeGreaterThan(Number(before))
    const silent = request(client, { ...change, prompt: 'none', max_age: '1' })
    expect(await refusal(person.token, silent)).toMatchObject({ error: 'login_required' })
  })

  test('oidcc-max-age-10000', async () => {
    const { person, client } = await start()
    const { id_token } = await tokens(person, client, { max_age: '10000' })
    expect(decodeJwt(id_token).auth_time).toEqual(expect.any(Number))
  })

  test('prompt=consent asks again', async () => {
    const { person, client } = await start()
    const query = request(client, { prompt: 'consent' })
    await consent(server(), person, query)
    expect((await approve(person.token, { ...query, ifSeen: true })).body.status).toBe('prompt')
  })

  test.each([
    ['oidcc-ensure-request-with-unknown-parameter-succeeds', { extra: 'foobar' }],
    ['oidcc-display-page', { display: 'page' }],
    ['oidcc-display-popup', { display: 'popup' }],
    ['oidcc-ui-locales', { ui_locales: 'se' }],
    ['oidcc-claims-locales', { claims_locales: 'se' }],
    ['oidcc-ensure-request-with-acr-values-succeeds', { acr_values: '1 2' }],
    ['oidcc-login-hint', { login_hint: 'somebody@example.test' }],
    // not advertised, so it is ignored like any unknown parameter (RFC 6749 §3.1)
    ['oidcc-claims-essential', { claims: '{"userinfo":{"name":{"essential":true}}}' }],
  ])('%s', async (_, change) => {
    const { person, client } = await start()
    expect((await tokens(person, client, change)).id_token).toBeTruthy()
  })

  test('oidcc-id-token-hint: accepts the same user, and asks another one to sign in or rejects them', async () => {
    const { person, client } = await start()
    const { id_token } = await tokens(person, client)
    expect(await code(person, client, { id_token_hint: id_token, prompt: 'none' })).toBeTruthy()
    const other = await signedIn(server())
    await tokens(other, client)
    const query = request(client, { id_token_hint: id_token })
    expect((await approve(other.token, query)).body.status).toBe('login')
    const silent = { ...query, prompt: 'none' }
    expect(await refusal(other.token, silent)).toMatchObject({ error: 'login_required' })
    const { ticket } = (await approve(other.token, query)).body
    server().clock.advance(1)
    const { access_token: token } = await signInAs(server(), other.user)
    expect(await refusal(token, { ...query, ticket })).toMatchObject({ error: 'login_required' })
  })

  test.each([
    ['oidcc-codereuse', 0],
    ['oidcc-codereuse-30seconds', 30],
  ])('%s', async (_, seconds) => {
    const { person, client } = await start()
    const used = await code(person, client)
    const { body } = await exchange(server(), client, used)
    server().clock.advance(seconds)
    expect((await exchange(server(), client, used)).body.error).toBe('invalid_grant')
    expect((await server().call('GET /oauth/userinfo', { token: body.access_token })).status).toBe(401)
  })

  test('oidcc-ensure-registered-redirect-uri', async () => {
    const { person, client } = await start()
    const { body } = await approve(person.token, request(client, { redirect_uri: 'https://app.test/x' }))
    expect([body.error, body.redirectUrl]).toEqual(['invalid_request', null])
  })

  test('oidcc-ensure-post-request-succeeds', async () => {
    const { client } = await start()
    const query = request(client)
    const { status, headers } = await server().call('POST /oauth/authorize', {
      body: new URLSearchParams(query).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect(status).toBe(303)
    const address = new URL(String(headers.location), server().issuer)
    expect(address.pathname).toBe('/oauth/authorize')
    expect(Object.fromEntries(address.searchParams)).toEqual(query)
  })

  test('oidcc-server-client-secret-post, and by header', async () => {
    const { person, client } = await start()
    expect((await tokens(person, client)).access_token).toBeTruthy()
    const basic = Buffer.from(`${client.id}:${client.secret}`).toString('base64')
    const { status, headers } = await server().call('POST /oauth/token', {
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        code: await code(person, client),
        redirect_uri: client.redirectUri,
      }).toString(),
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        authorization: `Basic ${basic}`,
      },
    })
    expect([status, headers['cache-control']]).toEqual([200, 'no-store'])
  })

  test.each([
    [
      'oidcc-unsigned-request-object-supported-correctly-or-rejected-as-unsupported',
      { request: `${Buffer.from('{"alg":"none"}').toString('base64url')}.e30.` },
      'request_not_supported',
    ],
    [
      'oidcc-ensure-request-object-with-redirect-uri',
      {
        request: `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from('{"redirect_uri":"https://evil.test/"}').toString('base64url')}.`,
      },
      'request_not_supported',
    ],
    [
      'oidcc-request-uri-unsigned-supported-correctly-or-rejected-as-unsupported',
      { request_uri: 'https://app.test/object' },
      'request_uri_not_supported',
    ],
  ])('%s', async (_, change, error) => {
    const { person, client } = await start()
    expect(await refusal(person.token, request(client, change))).toMatchObject({ error, state: 'the-state' })
  })

  test('oidcc-refresh-token', async () => {
    const { person, client } = await start()
    const first = await tokens(person, client, { scope: 'openid email offline_access' })
    const { body } = await post(server(), '/oauth/token', client, {
      grant_type: 'refresh_token',
      refresh_token: first.refresh_token,
    })
    expect(body.refresh_token).not.toBe(first.refresh_token)
    const claims = decodeJwt(body.id_token)
    const before = decodeJwt(first.id_token)
    expect([claims.iss, claims.sub, claims.aud]).toEqual([before.iss, before.sub, before.aud])
    expect(claims.auth_time).toBe(before.auth_time)
    const other = await makeClient(server())
    const stolen = { grant_type: 'refresh_token', refresh_token: body.refresh_token }
    expect((await post(server(), '/oauth/token', other, stolen)).body.error).toBe('invalid_grant')
  })

  test('oidcc-ensure-request-with-valid-pkce-succeeds', async () => {
    const { person, client } = await start()
    const code_verifier = 'v'.repeat(64)
    const digest = await crypto.subtle.digest('SHA-256', Buffer.from(code_verifier))
    const code_challenge = Buffer.from(digest).toString('base64url')
    const used = await code(person, client, { code_challenge, code_challenge_method: 'S256' })
    expect((await exchange(server(), client, used, { code_verifier })).status).toBe(200)
  })
})
