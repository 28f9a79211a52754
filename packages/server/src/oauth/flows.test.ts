import * as oauth from 'oauth4webapi'
import * as openid from 'openid-client'
import { describe, expect, test } from 'vitest'
import {
  consent,
  type MadeClient,
  makeClient,
  type SignedIn,
  signedIn,
  useOAuthServer,
} from '../testing/oauth.ts'

/** Two clients that others wrote complete every flow against a server that listens. */

const server = useOAuthServer()

/** The browser between client and server: the person consents, and the client gets the address of the answer. */
async function browse(person: SignedIn, address: URL): Promise<URL> {
  expect(address.href).toContain(`${server().issuer}/oauth/authorize`)
  return consent(server(), person, Object.fromEntries(address.searchParams))
}

function discover(client: MadeClient, secret = client.secret): Promise<openid.Configuration> {
  const authentication = secret === '' ? openid.None() : openid.ClientSecretBasic(secret)
  const options = { execute: [openid.allowInsecureRequests] }
  return openid.discovery(new URL(server().issuer), client.id, undefined, authentication, options)
}

describe('openid-client', () => {
  test.each([
    { kind: 'a confidential client', confidential: true, alg: 'RS256' as const },
    { kind: 'a public client', confidential: false, alg: 'RS256' as const },
    { kind: 'a client that wants ES256', confidential: true, alg: 'ES256' as const },
  ])('signs a person in with code and PKCE as $kind', async ({ confidential, alg }) => {
    const person = await signedIn(server(), { settings: { first_name: 'Jo', last_name: 'Doe' } })
    const client = await makeClient(server(), { confidential, alg })
    const config = await discover(client)
    const pkceCodeVerifier = openid.randomPKCECodeVerifier()
    const expectedState = openid.randomState()
    const expectedNonce = openid.randomNonce()
    const address = openid.buildAuthorizationUrl(config, {
      redirect_uri: client.redirectUri,
      scope: 'openid email profile offline_access',
      code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
      state: expectedState,
      nonce: expectedNonce,
      max_age: '3600',
    })
    const answer = await browse(person, address)
    const tokens = await openid.authorizationCodeGrant(config, answer, {
      pkceCodeVerifier,
      expectedState,
      expectedNonce,
      maxAge: 3600,
      idTokenExpected: true,
    })
    const claims = tokens.claims()
    expect(claims).toMatchObject({
      sub: String(person.user.id),
      email: person.user.email,
      email_verified: true,
      name: 'Jo Doe',
    })
    expect(tokens.scope).toBe('openid email profile offline_access')
    const facts = await openid.fetchUserInfo(config, tokens.access_token, String(person.user.id))
    expect(facts).toMatchObject({ email: person.user.email, settings: { name: 'Jo Doe' } })

    const renewed = await openid.refreshTokenGrant(config, tokens.refresh_token ?? '')
    expect(renewed.access_token).not.toBe(tokens.access_token)
    expect(renewed.claims()?.sub).toBe(String(person.user.id))

    const before = await openid.tokenIntrospection(config, renewed.access_token)
    expect(before).toMatchObject({ active: true, sub: String(person.user.id), client_id: client.id })
    await openid.tokenRevocation(config, renewed.refresh_token ?? '')
    const after = await openid.tokenIntrospection(config, renewed.access_token)
    expect(after).toEqual({ active: false })
  })

  test('connects a device', async () => {
    const person = await signedIn(server())
    const client = await makeClient(server(), { confidential: false })
    const config = await discover(client)
    const device = await openid.initiateDeviceAuthorization(config, { scope: 'openid email' })
    expect(device.verification_uri).toBe(`${server().issuer}/oauth/device`)
    expect(device.verification_uri_complete).toContain(encodeURIComponent(device.user_code))
    const waiting = openid.pollDeviceAuthorizationGrant(config, { ...device, interval: 0.05 })
    const { body } = await server().call('POST /api/oauth/device', {
      token: person.token,
      body: { user_code: device.user_code, decision: 'allow' },
    })
    expect(body.status).toBe('success')
    const tokens = await waiting
    expect(tokens.claims()).toMatchObject({ sub: String(person.user.id), email: person.user.email })
  })

  test('asks for a sign-out that the person confirms', async () => {
    const person = await signedIn(server())
    const client = await makeClient(server())
    const config = await discover(client)
    const verifier = openid.randomPKCECodeVerifier()
    const address = openid.buildAuthorizationUrl(config, {
      redirect_uri: client.redirectUri,
      scope: 'openid',
      code_challenge: await openid.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    })
    const answer = await browse(person, address)
    const tokens = await openid.authorizationCodeGrant(config, answer, { pkceCodeVerifier: verifier })
    const end = openid.buildEndSessionUrl(config, {
      id_token_hint: tokens.id_token ?? '',
      post_logout_redirect_uri: 'https://app.test/bye',
      state: 'see you',
    })
    const response = await fetch(end, { redirect: 'manual' })
    expect(response.status).toBe(303)
    const request = new URL(response.headers.get('location') ?? '', server().issuer).searchParams.get(
      'request',
    )
    const { body } = await server().call('POST /api/oauth/logout', { body: { request } })
    expect(body).toEqual({ client: 'Some App', redirectUrl: 'https://app.test/bye?state=see+you' })
  })

  test('takes an answer that comes as a form', async () => {
    const person = await signedIn(server())
    const client = await makeClient(server())
    const config = await discover(client)
    const verifier = openid.randomPKCECodeVerifier()
    const address = openid.buildAuthorizationUrl(config, {
      redirect_uri: client.redirectUri,
      scope: 'openid',
      response_mode: 'form_post',
      code_challenge: await openid.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state: 'with "quotes" & <signs>',
    })
    const page = await browse(person, address)
    expect(page.origin).toBe(server().issuer)
    const html = await (await fetch(page)).text()
    const { action, fields } = formOf(html)
    const request = new Request(action, { method: 'POST', body: new URLSearchParams(fields) })
    const tokens = await openid.authorizationCodeGrant(config, request, {
      pkceCodeVerifier: verifier,
      expectedState: 'with "quotes" & <signs>',
    })
    expect(tokens.claims()?.sub).toBe(String(person.user.id))
  })
})

/** What the browser would send for a form. */
function formOf(html: string): { action: string; fields: Record<string, string> } {
  const plain = (text: string) =>
    text.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
  const inputs = [...html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)]
  const pairs = inputs.map(([, name = '', value = '']): [string, string] => [plain(name), plain(value)])
  return { action: plain(/action="([^"]*)"/.exec(html)?.[1] ?? ''), fields: Object.fromEntries(pairs) }
}

describe('oauth4webapi', () => {
  const insecure = { [oauth.allowInsecureRequests]: true }

  async function start(client: MadeClient) {
    const issuer = new URL(server().issuer)
    const discovery = await oauth.discoveryRequest(issuer, { ...insecure, algorithm: 'oidc' })
    const as = await oauth.processDiscoveryResponse(issuer, discovery)
    const authenticate = client.secret === '' ? oauth.None() : oauth.ClientSecretPost(client.secret)
    return { as, me: { client_id: client.id }, authenticate }
  }

  test.each([
    { kind: 'confidential', confidential: true },
    { kind: 'public', confidential: false },
  ])(
    'completes code, refresh, user info, introspection and revocation as a $kind client',
    async ({ confidential }) => {
      const person = await signedIn(server())
      const client = await makeClient(server(), { confidential })
      const { as, me, authenticate } = await start(client)
      const verifier = oauth.generateRandomCodeVerifier()
      const address = new URL(as.authorization_endpoint ?? '')
      address.search = new URLSearchParams({
        ...{ client_id: client.id, redirect_uri: client.redirectUri, response_type: 'code', state: 's' },
        ...{ scope: 'openid email', nonce: 'n', code_challenge_method: 'S256' },
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      }).toString()
      const answer = await browse(person, address)
      const checked = oauth.validateAuthResponse(as, me, answer, 's')
      const response = await oauth.authorizationCodeGrantRequest(
        ...([as, me, authenticate, checked, client.redirectUri, verifier, insecure] as const),
      )
      const tokens = await oauth.processAuthorizationCodeResponse(as, me, response, {
        expectedNonce: 'n',
        requireIdToken: true,
      })
      const claims = oauth.getValidatedIdTokenClaims(tokens)
      expect(claims?.sub).toBe(String(person.user.id))
      const userinfo = await oauth.userInfoRequest(as, me, tokens.access_token, insecure)
      const facts = await oauth.processUserInfoResponse(as, me, claims?.sub ?? '', userinfo)
      expect(facts.email).toBe(person.user.email)

      const refreshing = await oauth.refreshTokenGrantRequest(
        ...([as, me, authenticate, tokens.refresh_token ?? '', insecure] as const),
      )
      const renewed = await oauth.processRefreshTokenResponse(as, me, refreshing)
      const asked = await oauth.introspectionRequest(as, me, authenticate, renewed.access_token, insecure)
      expect(await oauth.processIntrospectionResponse(as, me, asked)).toMatchObject({ active: true })
      const revoked = await oauth.revocationRequest(as, me, authenticate, renewed.access_token, insecure)
      await oauth.processRevocationResponse(revoked)
      const again = await oauth.introspectionRequest(as, me, authenticate, renewed.access_token, insecure)
      expect(await oauth.processIntrospectionResponse(as, me, again)).toEqual({ active: false })
    },
  )

  test('connects a device, and hears when the person refuses', async () => {
    const person = await signedIn(server())
    const client = await makeClient(server(), { confidential: false })
    const { as, me, authenticate } = await start(client)
    const begin = async () => {
      const parameters = new URLSearchParams({ scope: 'openid' })
      const response = await oauth.deviceAuthorizationRequest(as, me, authenticate, parameters, insecure)
      return oauth.processDeviceAuthorizationResponse(as, me, response)
    }
    const poll = async (code: string) => {
      const response = await oauth.deviceCodeGrantRequest(as, me, authenticate, code, insecure)
      return oauth.processDeviceCodeResponse(as, me, response)
    }
    const decide = (user_code: string, decision: 'allow' | 'deny') =>
      server().call('POST /api/oauth/device', { token: person.token, body: { user_code, decision } })
    const allowed = await begin()
    await expect(poll(allowed.device_code)).rejects.toMatchObject({ error: 'authorization_pending' })
    expect((await decide(allowed.user_code.toLowerCase(), 'allow')).status).toBe(200)
    expect((await poll(allowed.device_code)).access_token).toBeTruthy()
    const refused = await begin()
    await decide(refused.user_code, 'deny')
    await expect(poll(refused.device_code)).rejects.toMatchObject({ error: 'access_denied' })
    const late = await begin()
    server().clock.advance(601)
    await expect(poll(late.device_code)).rejects.toMatchObject({ error: 'expired_token' })
    server().clock.advance(-601)
  })
})
