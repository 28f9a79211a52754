import type { JWK } from 'jose'
import { describe, expect, test } from 'vitest'
import {
  authorization,
  consent,
  makeClient,
  obtainCode,
  obtainTokens,
  signedIn,
  useOAuthServer,
} from '../../testing/oauth.ts'

/**
 * The checks of the OpenID conformance profiles Config and RP-Initiated Logout under their original names;
 * docs/OPENID-CONFORMANCE.md has the table. Basic and Form Post are in conformance-basic.test.ts.
 */

const server = useOAuthServer()

const approve = (token: string | undefined, body: Record<string, unknown>) =>
  server().call('POST /api/oauth/approve', { ...(token && { token }), body })

/** Fetches the public keys, which have their own media type. */
async function keySet(): Promise<{ keys: JWK[] }> {
  return JSON.parse((await server().call('GET /oauth/jwks')).body)
}

const discovery = async () => (await server().call('GET /.well-known/openid-configuration')).body

/** Returns a different text of the same form. */
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

  test('the keys are public, have ids, and include both kinds', async () => {
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
})

describe('a form post response', () => {
  test('submits only to the client', async () => {
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

  test('may contain an error, and a forged one is not found', async () => {
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
  test('oidcc-rp-initiated-logout-discovery-endpoint-verification', async () => {
    expect((await discovery()).end_session_endpoint).toBe(`${server().issuer}/oauth/logout`)
  })

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

  test('oidcc-rp-initiated-logout-no-params', async () => {
    expect(await ask({})).toEqual({ client: null, redirectUrl: null })
  })

  test('oidcc-rp-initiated-logout-only-state', async () => {
    expect(await ask({ state: 'x' })).toEqual({ client: null, redirectUrl: null })
  })

  test('oidcc-rp-initiated-logout-no-post-logout-redirect-uri', async () => {
    const { hint } = await start()
    expect(await ask({ ...hint, state: 'x' })).toEqual({ client: 'Some App', redirectUrl: null })
  })

  test('oidcc-rp-initiated-logout-no-id-token-hint: redirects only if the client is named', async () => {
    const { client } = await start()
    expect(await ask({ ...bye, client_id: client.id })).toMatchObject({ redirectUrl: 'https://app.test/bye' })
    expect(await ask(bye)).toEqual({ client: null, redirectUrl: null })
  })

  test.each([
    ['oidcc-rp-initiated-logout-bad-post-logout-redirect-uri', 'https://evil.test/'],
    ['oidcc-rp-initiated-logout-query-added-to-post-logout-redirect-uri', 'https://app.test/bye?x=1'],
    ['an address that only begins as one that is registered', 'https://app.test/bye/'],
    ['an address that runs something', 'javascript:alert(1)'],
  ])('%s', async (_, post_logout_redirect_uri) => {
    const { hint } = await start()
    expect(await ask({ ...hint, post_logout_redirect_uri, state: 'x' })).toBeUndefined()
  })

  test('oidcc-rp-initiated-logout-bad-id-token-hint', async () => {
    const { hint } = await start()
    const other = await makeClient(server())
    expect(await ask({ ...bye, id_token_hint: 'x.y.z' })).toBeUndefined()
    expect(await ask({ ...bye, ...hint, client_id: other.id })).toBeUndefined()
    expect(await ask({ ...bye, client_id: 'nobody' })).toBeUndefined()
  })

  test('oidcc-rp-initiated-logout-modified-id-token-hint', async () => {
    const { hint } = await start()
    const [header = '', payload = '', signature = ''] = hint.id_token_hint.split('.')
    for (const modified of [
      [header, payload, altered(signature)],
      [header, altered(payload), signature],
      [header, payload, ''],
    ]) {
      expect(await ask({ ...bye, id_token_hint: modified.join('.') })).toBeUndefined()
    }
  })

  test('accepts an expired hint', async () => {
    const { hint } = await start()
    server().clock.advance(2 * 3600)
    expect(await ask({ ...hint, ...bye })).toMatchObject({ redirectUrl: 'https://app.test/bye' })
    server().clock.advance(-2 * 3600)
  })

  test('rejects a forged or expired sealed request', async () => {
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

describe('cross-origin requests', () => {
  test('are allowed where the protocol requires it', async () => {
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
    // our own API is for our own pages only
    const own = await server().call('GET /api/v4/consents', { token: person.token, headers: { origin } })
    expect(own.headers['access-control-allow-origin']).toBeUndefined()
  })
})
