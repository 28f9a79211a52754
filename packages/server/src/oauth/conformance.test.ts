import { decodeJwt, decodeProtectedHeader, importJWK, type JWK, jwtVerify } from 'jose'
import { describe, expect, test } from 'vitest'
import { signInAs } from '../testing/factories.ts'
import {
  authorization,
  consent,
  exchange,
  makeClient,
  obtainCode,
  obtainTokens,
  post,
  signedIn,
  useOAuthServer,
} from '../testing/oauth.ts'

/**
 * The checks of the OpenID conformance profiles that apply here, each under its name there; docs/OPENID-CONFORMANCE.md
 * has the table.
 */

const server = useOAuthServer()

const approve = (token: string | undefined, body: Record<string, unknown>) =>
  server().call('POST /api/oauth/approve', { ...(token && { token }), body })

/** The error that a client is told at its address. */
async function refusal(token: string | undefined, query: Record<string, string>) {
  const { body } = await approve(token, query)
  return Object.fromEntries(new URL(body.redirectUrl).searchParams)
}

/** The public keys, whose media type is one of its own. */
async function keySet(): Promise<{ keys: JWK[] }> {
  return JSON.parse((await server().call('GET /oauth/jwks')).body)
}

const discovery = async () => (await server().call('GET /.well-known/openid-configuration')).body

/** Another text of the same form. */
function altered(text: string): string {
  return `${text.slice(0, 40)}${text[40] === 'A' ? 'B' : 'A'}${text.slice(41)}`
}

describe('Config', () => {
  test('oidcc-discovery-endpoint-verification', async () => {
    const { issuer } = server()
    expect(await discovery()).toEqual({
      issuer,
      authorization_endpoint: `${issuer}/oauth/authorize`,
      token_endpoint: `${issuer}/oauth/token`,
      userinfo_endpoint: `${issuer}/oauth/userinfo`,
      jwks_uri: `${issuer}/oauth/jwks`,
      introspection_endpoint: `${issuer}/oauth/introspect`,
      revocation_endpoint: `${issuer}/oauth/revoke`,
      end_session_endpoint: `${issuer}/oauth/logout`,
      device_authorization_endpoint: `${issuer}/oauth/device_authorization`,
      response_types_supported: ['code'],
      response_modes_supported: ['query', 'form_post'],
      grant_types_supported: [
        'authorization_code',
        'refresh_token',
        'urn:ietf:params:oauth:grant-type:device_code',
      ],
      subject_types_supported: ['public'],
      claim_types_supported: ['normal'],
      id_token_signing_alg_values_supported: ['RS256', 'ES256'],
      scopes_supported: ['openid', 'email', 'profile', 'offline_access', 'auth.token', 'api', 'fs', 'mfa'],
      claims_supported: expect.arrayContaining([
        'sub',
        'iss',
        'auth_time',
        'email',
        'email_verified',
        'name',
      ]),
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
      claims_parameter_supported: false,
      request_parameter_supported: false,
      request_uri_parameter_supported: false,
      prompt_values_supported: ['none', 'login', 'consent', 'select_account'],
      ui_locales_supported: ['en', 'de', 'fr', 'it'],
    })
    const made = await server().call('GET /.well-known/openid-configuration', {
      host: 'evil.test',
      headers: { 'x-forwarded-host': 'evil.test', 'x-forwarded-proto': 'https' },
    })
    expect(made.body).toEqual(await discovery())
    const other = await server().call('GET /.well-known/oauth-authorization-server')
    expect(other.body).toEqual(await discovery())
  })

  test('the keys are public, named, and of both kinds', async () => {
    const body = await keySet()
    expect(body.keys.map(({ kty, alg, use }) => [kty, alg, use])).toEqual([
      ['RSA', 'RS256', 'sig'],
      ['EC', 'ES256', 'sig'],
    ])
    for (const key of body.keys) {
      expect(key.kid).toBeTruthy()
      for (const secret of ['d', 'p', 'q', 'dp', 'dq', 'qi']) expect(key).not.toHaveProperty(secret)
    }
  })

  test('new keys sign from then on, the old ones stay published, and go after thirty days', async () => {
    const person = await signedIn(server())
    const client = await makeClient(server())
    const kidOf = async () => {
      const { id_token } = await obtainTokens(server(), person, client)
      const body = await keySet()
      const { kid } = decodeProtectedHeader(id_token)
      const key: JWK | undefined = body.keys.find((one) => one.kid === kid)
      if (key === undefined) throw new Error('the key is not published')
      await jwtVerify(id_token, await importJWK(key, 'RS256'))
      return String(kid)
    }
    const published = async (): Promise<string[]> => (await keySet()).keys.map(({ kid }) => kid ?? '')
    const old = await kidOf()
    await server().oauth.keys.rotateOlderThan(90)
    expect(await kidOf()).toBe(old)
    await server().oauth.keys.rotate()
    expect(await kidOf()).not.toBe(old)
    expect(await published()).toHaveLength(4)
    expect(await published()).toContain(old)
    server().clock.advance(31 * 24 * 3600)
    expect(await published()).toHaveLength(2)
    expect(await published()).not.toContain(old)
    server().clock.advance(-31 * 24 * 3600)
  })
})

describe('Basic', () => {
  test('oidcc-server: an ID token says who, for whom, by whom, when', async () => {
    const person = await signedIn(server())
    const client = await makeClient(server())
    const { id_token } = await obtainTokens(server(), person, client)
    const { alg, kid } = decodeProtectedHeader(id_token)
    expect([alg, typeof kid]).toEqual(['RS256', 'string'])
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

  test('oidcc-response-type-missing', async () => {
    const person = await signedIn(server())
    const client = await makeClient(server())
    const query = authorization(client, { response_type: undefined })
    expect(await refusal(person.token, query)).toMatchObject({ error: 'invalid_request' })
  })

  test('oidcc-userinfo-get, oidcc-userinfo-post-header, oidcc-userinfo-post-body', async () => {
    const person = await signedIn(server())
    const client = await makeClient(server())
    const { access_token: token } = await obtainTokens(server(), person, client)
    const expected = {
      sub: String(person.user.id),
      email: person.user.email,
      email_verified: true,
      settings: { name: '' },
    }
    expect((await server().call('GET /oauth/userinfo', { token })).body).toEqual(expected)
    expect((await server().call('POST /oauth/userinfo', { token })).body).toEqual(expected)
    const body = await post(server(), '/oauth/userinfo', undefined, { access_token: token })
    expect(body.body).toEqual(expected)
    const twice = await server().call('POST /oauth/userinfo', {
      token,
      body: `access_token=${token}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect([twice.status, twice.body.error]).toEqual([400, 'invalid_request'])
    const none = await server().call('GET /oauth/userinfo')
    expect(none.status).toBe(401)
    expect(none.headers['www-authenticate']).toContain('Bearer')
  })

  test('oidcc-ensure-request-without-nonce-succeeds-for-code-flow', async () => {
    const person = await signedIn(server())
    const client = await makeClient(server())
    const { id_token } = await obtainTokens(server(), person, client, { nonce: undefined })
    expect(decodeJwt(id_token)).not.toHaveProperty('nonce')
  })

  test('oidcc-ensure-request-without-state', async () => {
    const person = await signedIn(server())
    const client = await makeClient(server())
    const address = await consent(server(), person, authorization(client, { state: undefined }))
    expect([...address.searchParams.keys()]).toEqual(['code', 'iss'])
  })

  test('oidcc-scope-profile, oidcc-scope-email, oidcc-scope-address, oidcc-scope-phone, oidcc-scope-all', async () => {
    const person = await signedIn(server(), { settings: { first_name: 'Jo', last_name: 'Doe' } })
    const client = await makeClient(server())
    const told = async (scope: string) => {
      const { access_token: token } = await obtainTokens(server(), person, client, { scope })
      return Object.keys((await server().call('GET /oauth/userinfo', { token })).body)
    }
    const profile = ['name', 'given_name', 'family_name', 'locale', 'updated_at']
    const email = ['email', 'email_verified', 'settings']
    const sets = { profile, email, address: [], phone: [] }
    for (const [scope, claims] of Object.entries(sets)) {
      expect((await told(`openid ${scope}`)).sort()).toEqual(['sub', ...claims].sort())
    }
    const all = await told('openid profile email address phone')
    expect(all.sort()).toEqual(['sub', ...profile, ...email].sort())
  })

  test('oidcc-ensure-other-scope-order-succeeds', async () => {
    const person = await signedIn(server())
    const client = await makeClient(server())
    expect((await obtainTokens(server(), person, client, { scope: 'email openid' })).id_token).toBeTruthy()
  })

  test('oidcc-prompt-none-not-logged-in, oidcc-prompt-none-logged-in', async () => {
    const person = await signedIn(server())
    const client = await makeClient(server())
    const query = authorization(client, { prompt: 'none' })
    expect(await refusal(undefined, query)).toMatchObject({ error: 'login_required', state: 'the-state' })
    expect(await refusal(person.token, query)).toMatchObject({ error: 'consent_required' })
    const first = await obtainTokens(server(), person, client)
    const again = await obtainTokens(server(), person, client, { prompt: 'none' })
    expect(decodeJwt(again.id_token).sub).toBe(decodeJwt(first.id_token).sub)
    expect(decodeJwt(again.id_token).auth_time).toBe(decodeJwt(first.id_token).auth_time)
  })

  test('oidcc-prompt-login, oidcc-max-age-1: a new sign-in is wanted, and shows in auth_time', async () => {
    for (const change of [{ prompt: 'login' }, { max_age: '1' }, { prompt: 'select_account' }]) {
      const person = await signedIn(server())
      const client = await makeClient(server())
      const before = decodeJwt((await obtainTokens(server(), person, client)).id_token).auth_time
      server().clock.advance(5)
      const query = authorization(client, change)
      const asked = await approve(person.token, { ...query, ifSeen: true })
      expect(asked.body.status).toBe('login')
      const { ticket } = asked.body
      // the old session with the ticket is no new sign-in, nor is a ticket that somebody made up
      server().clock.advance(2)
      expect((await approve(person.token, { ...query, ticket })).body.status).toBe('login')
      expect((await approve(person.token, { ...query, ticket: 'x'.repeat(60) })).body.status).toBe('login')
      const { access_token: token } = await signInAs(server(), person.user)
      const again = { ...person, token }
      const code = (await consent(server(), again, { ...query, ticket })).searchParams.get('code')
      const { body } = await exchange(server(), client, code ?? '')
      expect(Number(decodeJwt(body.id_token).auth_time)).toBeGreaterThan(Number(before))
      expect(
        await refusal(person.token, authorization(client, { ...change, prompt: 'none', max_age: '1' })),
      ).toMatchObject({ error: 'login_required' })
    }
  })

  test('oidcc-max-age-10000', async () => {
    const person = await signedIn(server())
    const client = await makeClient(server())
    const { id_token } = await obtainTokens(server(), person, client, { max_age: '10000' })
    expect(decodeJwt(id_token).auth_time).toEqual(expect.any(Number))
  })

  test('prompt=consent asks again', async () => {
    const person = await signedIn(server())
    const client = await makeClient(server())
    const query = authorization(client, { prompt: 'consent' })
    await consent(server(), person, query)
    expect((await approve(person.token, { ...query, ifSeen: true })).body.status).toBe('prompt')
  })

  test('oidcc-ensure-request-with-unknown-parameter-succeeds, oidcc-display-page, oidcc-display-popup, oidcc-ui-locales, oidcc-claims-locales, oidcc-ensure-request-with-acr-values-succeeds, oidcc-login-hint', async () => {
    const person = await signedIn(server())
    const client = await makeClient(server())
    const more = [
      { extra: 'foobar' },
      { display: 'page' },
      { display: 'popup' },
      { ui_locales: 'se' },
      { claims_locales: 'se' },
      { acr_values: '1 2' },
      { login_hint: 'somebody@example.test' },
    ]
    for (const change of more) {
      expect(await obtainCode(server(), person, client, change)).toBeTruthy()
    }
  })

  test('oidcc-id-token-hint: the same person goes on, another one signs in or is refused', async () => {
    const person = await signedIn(server())
    const client = await makeClient(server())
    const { id_token } = await obtainTokens(server(), person, client)
    expect(
      await obtainCode(server(), person, client, { id_token_hint: id_token, prompt: 'none' }),
    ).toBeTruthy()
    const other = await signedIn(server())
    await obtainTokens(server(), other, client)
    const query = authorization(client, { id_token_hint: id_token })
    expect((await approve(other.token, query)).body.status).toBe('login')
    expect(await refusal(other.token, { ...query, prompt: 'none' })).toMatchObject({
      error: 'login_required',
    })
    const { ticket } = (await approve(other.token, query)).body
    server().clock.advance(1)
    const { access_token: token } = await signInAs(server(), other.user)
    expect(await refusal(token, { ...query, ticket })).toMatchObject({ error: 'login_required' })
  })

  test('oidcc-codereuse, oidcc-codereuse-30seconds', async () => {
    const person = await signedIn(server())
    const client = await makeClient(server())
    const code = await obtainCode(server(), person, client)
    const { body } = await exchange(server(), client, code)
    server().clock.advance(30)
    expect((await exchange(server(), client, code)).body.error).toBe('invalid_grant')
    expect((await server().call('GET /oauth/userinfo', { token: body.access_token })).status).toBe(401)
  })

  test('oidcc-ensure-registered-redirect-uri', async () => {
    const person = await signedIn(server())
    const client = await makeClient(server())
    const { body } = await approve(
      person.token,
      authorization(client, { redirect_uri: 'https://app.test/x' }),
    )
    expect([body.error, body.redirectUrl]).toEqual(['invalid_request', null])
  })

  test('oidcc-ensure-post-request-succeeds', async () => {
    const client = await makeClient(server())
    const query = authorization(client)
    const answer = await server().call('POST /oauth/authorize', {
      body: new URLSearchParams(query).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect(answer.status).toBe(303)
    const address = new URL(String(answer.headers.location), server().issuer)
    expect(address.pathname).toBe('/oauth/authorize')
    expect(Object.fromEntries(address.searchParams)).toEqual(query)
  })

  test('oidcc-server-client-secret-post, and by header', async () => {
    const person = await signedIn(server())
    const client = await makeClient(server())
    expect((await obtainTokens(server(), person, client)).access_token).toBeTruthy()
    const basic = Buffer.from(`${client.id}:${client.secret}`).toString('base64')
    const { status, headers } = await server().call('POST /oauth/token', {
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        code: await obtainCode(server(), person, client),
        redirect_uri: client.redirectUri,
      }).toString(),
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        authorization: `Basic ${basic}`,
      },
    })
    expect([status, headers['cache-control']]).toEqual([200, 'no-store'])
  })

  test('oidcc-unsigned-request-object-supported-correctly-or-rejected-as-unsupported, oidcc-ensure-request-object-with-redirect-uri', async () => {
    const person = await signedIn(server())
    const client = await makeClient(server())
    const object = `${Buffer.from('{"alg":"none"}').toString('base64url')}.e30.`
    const query = authorization(client, { request: object })
    expect(await refusal(person.token, query)).toMatchObject({ error: 'request_not_supported' })
    const address = authorization(client, { request_uri: 'https://app.test/object' })
    expect(await refusal(person.token, address)).toMatchObject({ error: 'request_uri_not_supported' })
  })

  test('oidcc-refresh-token', async () => {
    const person = await signedIn(server())
    const client = await makeClient(server())
    const first = await obtainTokens(server(), person, client, { scope: 'openid email offline_access' })
    const { body } = await post(server(), '/oauth/token', client, {
      grant_type: 'refresh_token',
      refresh_token: first.refresh_token,
    })
    expect(body.refresh_token).not.toBe(first.refresh_token)
    const claims = decodeJwt(body.id_token)
    const before = decodeJwt(first.id_token)
    expect([claims.iss, claims.sub, claims.aud]).toEqual([before.iss, before.sub, before.aud])
    expect(claims.auth_time).toBe(before.auth_time)
  })
})

describe('Form Post', () => {
  test('the answer comes as a form that sends itself to the client and nowhere else', async () => {
    const person = await signedIn(server())
    const client = await makeClient(server())
    const query = authorization(client, { response_mode: 'form_post', state: '"><script>alert(1)</script>' })
    const address = await consent(server(), person, query)
    expect(address.origin + address.pathname).toBe(`${server().issuer}/oauth/respond`)
    const { status, body, headers } = await server().call(`GET ${address.pathname}${address.search}`)
    expect(status).toBe(200)
    expect(body).toContain('<form method="post" action="https://app.test/callback">')
    expect(body).toContain('name="state" value="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"')
    expect(body).not.toContain('<script>alert')
    expect(headers['content-security-policy']).toContain('form-action https://app.test https:')
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
  })

  test('errors come in the same way, and what nobody of ours made is not found', async () => {
    const person = await signedIn(server())
    const client = await makeClient(server())
    const query = authorization(client, { response_mode: 'form_post', scope: 'nothing' })
    const address = new URL((await approve(person.token, query)).body.redirectUrl)
    const page = await server().call(`GET ${address.pathname}${address.search}`)
    expect(page.body).toContain('name="error" value="invalid_scope"')
    for (const answer of ['', 'x', 'A'.repeat(200), altered(address.searchParams.get('answer') ?? '')]) {
      expect((await server().call(`GET /oauth/respond?answer=${answer}`)).status).toBe(404)
    }
    server().clock.advance(601)
    expect((await server().call(`GET ${address.pathname}${address.search}`)).status).toBe(404)
    server().clock.advance(-601)
  })
})

describe('RP-Initiated Logout', () => {
  const ask = async (fields: Record<string, string>, method = 'GET') => {
    const form = new URLSearchParams(fields).toString()
    const answer =
      method === 'GET'
        ? await server().call(`GET /oauth/logout?${form}`)
        : await server().call('POST /oauth/logout', {
            body: form,
            headers: { 'content-type': 'application/x-www-form-urlencoded' },
          })
    expect(answer.status).toBe(303)
    const address = new URL(String(answer.headers.location), server().issuer)
    expect(address.origin + address.pathname).toBe(`${server().issuer}/oauth/sign-out`)
    const request = address.searchParams.get('request')
    if (request === null) return undefined
    return (await server().call('POST /api/oauth/logout', { body: { request } })).body
  }

  const start = async () => {
    const person = await signedIn(server())
    const client = await makeClient(server())
    const { id_token } = await obtainTokens(server(), person, client)
    return { client, hint: { id_token_hint: id_token } }
  }
  const bye = { post_logout_redirect_uri: 'https://app.test/bye' }

  test('oidcc-rp-initiated-logout, by GET and POST, with state', async () => {
    const { hint } = await start()
    for (const method of ['GET', 'POST']) {
      const fields = { ...hint, ...bye, state: 'x y' }
      expect(await ask(fields, method)).toEqual({
        client: 'Some App',
        redirectUrl: 'https://app.test/bye?state=x+y',
      })
    }
  })

  test('oidcc-rp-initiated-logout-no-state', async () => {
    const { hint } = await start()
    expect(await ask({ ...hint, ...bye })).toMatchObject({ redirectUrl: 'https://app.test/bye' })
  })

  test('oidcc-rp-initiated-logout-no-params, oidcc-rp-initiated-logout-no-post-logout-redirect-uri', async () => {
    const { hint } = await start()
    expect(await ask({})).toEqual({ client: null, redirectUrl: null })
    expect(await ask(hint)).toEqual({ client: 'Some App', redirectUrl: null })
  })

  test('oidcc-rp-initiated-logout-no-id-token-hint: the client says which it is, else nobody is sent anywhere', async () => {
    const { client } = await start()
    expect(await ask({ ...bye, client_id: client.id })).toMatchObject({ redirectUrl: 'https://app.test/bye' })
    expect(await ask(bye)).toEqual({ client: null, redirectUrl: null })
  })

  test('oidcc-rp-initiated-logout-bad-post-logout-redirect-uri, -bad-id-token-hint, -modified-id-token-hint, -only-state', async () => {
    const { client, hint } = await start()
    const uris = [
      'https://app.test/bye/',
      'https://app.test/bye?x=1',
      'https://evil.test/',
      'javascript:alert(1)',
    ]
    for (const post_logout_redirect_uri of uris) {
      expect(await ask({ ...hint, post_logout_redirect_uri })).toBeUndefined()
    }
    expect(await ask({ ...bye, id_token_hint: 'x.y.z' })).toBeUndefined()
    expect(await ask({ ...bye, id_token_hint: `${hint.id_token_hint.slice(0, -3)}AAA` })).toBeUndefined()
    const other = await makeClient(server())
    expect(await ask({ ...bye, ...hint, client_id: other.id })).toBeUndefined()
    expect(await ask({ ...bye, client_id: 'nobody' })).toBeUndefined()
    expect(await ask({ state: 'x' })).toEqual({ client: null, redirectUrl: null })
    expect(client.id).not.toBe(other.id)
  })

  test('a hint that has expired still counts', async () => {
    const { hint } = await start()
    server().clock.advance(2 * 3600)
    expect(await ask({ ...hint, ...bye })).toMatchObject({ redirectUrl: 'https://app.test/bye' })
    server().clock.advance(-2 * 3600)
  })

  test('what the screen is given cannot be made up, nor kept', async () => {
    const { hint } = await start()
    const answer = await server().call(
      `GET /oauth/logout?${new URLSearchParams({ ...hint, ...bye }).toString()}`,
    )
    const address = new URL(String(answer.headers.location), server().issuer)
    const request = address.searchParams.get('request') ?? ''
    const open = (text: string) => server().call('POST /api/oauth/logout', { body: { request: text } })
    expect((await open(altered(request))).status).toBe(422)
    expect((await open('made up')).status).toBe(422)
    server().clock.advance(601)
    expect((await open(request)).status).toBe(422)
    server().clock.advance(-601)
  })
})

describe('calls from pages of other origins', () => {
  test('are answered where the protocol wants it', async () => {
    const person = await signedIn(server())
    const client = await makeClient(server(), { confidential: false })
    const origin = 'https://app.test'
    const ask = (path: string, headers: Record<string, string> = {}) =>
      server().call(path, { headers: { origin, ...headers } })
    expect((await ask('GET /.well-known/openid-configuration')).headers['access-control-allow-origin']).toBe(
      origin,
    )
    const preflight = await ask('OPTIONS /oauth/token', { 'access-control-request-method': 'POST' })
    expect([preflight.status, preflight.headers['access-control-allow-methods']]).toEqual([204, 'POST'])
    const verifier = 'v'.repeat(43)
    const code_challenge = Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from(verifier))).toString(
      'base64url',
    )
    const pkce = { code_challenge, code_challenge_method: 'S256' }
    const code = await obtainCode(server(), person, client, pkce)
    const from = (where: string) =>
      server().call('POST /oauth/token', {
        body: new URLSearchParams({
          ...{ grant_type: 'authorization_code', client_id: client.id, code, code_verifier: verifier },
          redirect_uri: client.redirectUri,
        }).toString(),
        headers: { 'content-type': 'application/x-www-form-urlencoded', origin: where },
      })
    const evil = await from('https://evil.test')
    expect([evil.status, evil.headers['access-control-allow-origin']]).toEqual([400, undefined])
    const good = await from(origin)
    expect([good.status, good.headers['access-control-allow-origin']]).toEqual([200, origin])
    const info = await server().call('GET /oauth/userinfo', {
      token: good.body.access_token,
      headers: { origin },
    })
    expect([info.status, info.headers['access-control-allow-origin']]).toEqual([200, origin])
    // our own calls are for our own pages
    const own = await server().call('GET /api/v4/consents', { token: person.token, headers: { origin } })
    expect(own.headers['access-control-allow-origin']).toBeUndefined()
  })
})
