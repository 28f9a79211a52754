import { decodeProtectedHeader } from 'jose'
import { describe, expect, test } from 'vitest'
import {
  type ClientWishes,
  consent,
  formOf,
  makeClient,
  type SignedIn,
  signedIn,
  useOAuthServer,
} from '../testing/oauth.ts'
import { oauth4webapiParty } from '../testing/parties/oauth4webapi-party.ts'
import { oidcClientTsParty } from '../testing/parties/oidc-client-ts-party.ts'
import { openidClientParty } from '../testing/parties/openid-client-party.ts'
import type { FullParty, Party, PartyLogin, PartyProof, PartyWishes } from '../testing/parties/party.ts'

/**
 * Third-party clients complete the flows against a listening server. `openid-client` and `oauth4webapi`
 * complete all of them. Since they share an author with the provider's library, the independent
 * `oidc-client-ts` completes those it supports: all but devices and introspection.
 */

const server = useOAuthServer()

type Make<P extends Party> = (wishes: PartyWishes) => Promise<P>

const fullParties: readonly [string, Make<FullParty>][] = [
  ['openid-client', openidClientParty],
  ['oauth4webapi', oauth4webapiParty],
]
const parties: readonly [string, Make<Party>][] = [...fullParties, ['oidc-client-ts', oidcClientTsParty]]

async function start<P extends Party>(make: Make<P>, proof: PartyProof = 'basic', wishes: ClientWishes = {}) {
  const person = await signedIn(server(), { settings: { first_name: 'Jo', last_name: 'Doe' } })
  const client = await makeClient(server(), { confidential: proof !== 'none', ...wishes })
  return { person, client, party: await make({ issuer: server().issuer, client, proof }) }
}

/** Simulates the browser: the user consents, and the client gets the redirect URL. */
async function browse(person: SignedIn, { address }: PartyLogin): Promise<URL> {
  expect(address.href).toContain(`${server().issuer}/oauth/authorize?`)
  return consent(server(), person, Object.fromEntries(address.searchParams))
}

async function signIn(party: Party, person: SignedIn, parameters?: Record<string, string>) {
  const login = await party.login(parameters)
  return login.finish(await browse(person, login))
}

describe.each(parties)('%s', (_, make) => {
  test.each([
    ['a confidential client that proves itself by header', 'basic', 'RS256'],
    ['a confidential client that proves itself by form', 'post', 'RS256'],
    ['a public client', 'none', 'RS256'],
    ['a client that wants ES256', 'basic', 'ES256'],
  ] as const)('completes the code flow with PKCE as %s', async (_kind, proof, alg) => {
    const { party, person } = await start(make, proof, { alg })
    const tokens = await signIn(party, person, { scope: 'openid email profile', max_age: '3600' })
    expect(decodeProtectedHeader(tokens.idToken).alg).toBe(alg)
    expect(tokens.claims).toMatchObject({
      sub: String(person.user.id),
      email: person.user.email,
      email_verified: true,
      name: 'Jo Doe',
    })
  })

  test('completes the code flow with PKCE as a native app on any port', async () => {
    const { party, person, client } = await start(make, 'none', { redirectUris: ['http://127.0.0.1/cb'] })
    expect((await signIn(party, person)).claims.sub).toBe(String(person.user.id))
    const moved = { ...client, redirectUri: 'http://127.0.0.1:51234/cb' }
    const again = await make({ issuer: server().issuer, client: moved, proof: 'none' })
    expect((await signIn(again, person)).claims.sub).toBe(String(person.user.id))
  })

  test('accepts a form post response', async () => {
    const { party, person, client } = await start(make)
    const login = await party.login({ response_mode: 'form_post' })
    const page = await browse(person, login)
    expect(page.origin + page.pathname).toBe(`${server().issuer}/oauth/respond`)
    const form = formOf(await (await fetch(page)).text())
    expect(form.action).toBe(client.redirectUri)
    expect((await login.finish(form)).claims.sub).toBe(String(person.user.id))
  })

  test('learns that the user denied access', async () => {
    const { party, person } = await start(make)
    const login = await party.login()
    const query = Object.fromEntries(login.address.searchParams)
    const { body } = await server().call('POST /api/oauth/approve', {
      token: person.token,
      body: { ...query, ifSeen: true },
    })
    expect(body.status).toBe('prompt')
    await expect(login.finish(new URL(body.denyUrl))).rejects.toMatchObject({ error: 'access_denied' })
  })

  test('rejects a response meant for another client', async () => {
    const { party, person } = await start(make)
    const login = await party.login()
    const answer = await browse(person, login)
    for (const [name, value] of [
      ['iss', 'https://evil.test'],
      ['state', 'another'],
    ] as const) {
      const forged = new URL(answer)
      forged.searchParams.set(name, value)
      await expect(login.finish(forged)).rejects.toThrow()
    }
    expect((await login.finish(answer)).claims.sub).toBe(String(person.user.id))
  })

  test('reads user info', async () => {
    const { party, person } = await start(make)
    const tokens = await signIn(party, person)
    expect(await party.userInfo(tokens)).toMatchObject({
      sub: String(person.user.id),
      email: person.user.email,
      settings: { name: 'Jo Doe' },
    })
  })

  test.each(['basic', 'none'] as const)('refreshes tokens, authenticating with %s', async (proof) => {
    const { party, person } = await start(make, proof)
    const tokens = await signIn(party, person)
    const renewed = await party.refresh(tokens)
    expect(renewed.accessToken).not.toBe(tokens.accessToken)
    expect(renewed.refreshToken).not.toBe(tokens.refreshToken)
    expect(renewed.claims.sub).toBe(String(person.user.id))
    expect(await party.userInfo(renewed)).toMatchObject({ email: person.user.email })
  })

  test('revokes its tokens', async () => {
    const { party, person } = await start(make)
    const tokens = await signIn(party, person)
    const alive = async () =>
      (await server().call('GET /oauth/userinfo', { token: tokens.accessToken })).status
    expect(await alive()).toBe(200)
    await party.revoke(tokens.refreshToken)
    expect(await alive()).toBe(401)
    await expect(party.refresh(tokens)).rejects.toThrow()
  })

  test('requests a sign-out that the user confirms', async () => {
    const { party, person } = await start(make)
    const { idToken } = await signIn(party, person)
    const end = await party.signOut(idToken, 'https://app.test/bye', 'see you')
    const response = await fetch(end, { redirect: 'manual' })
    expect(response.status).toBe(303)
    const target = new URL(response.headers.get('location') ?? '', server().issuer)
    const request = target.searchParams.get('request')
    const { body } = await server().call('POST /api/oauth/logout', { body: { request } })
    expect(body.client).toBe('Some App')
    const back = new URL(body.redirectUrl)
    expect(back.origin + back.pathname).toBe('https://app.test/bye')
    expect(back.searchParams.get('state')).toContain('see you')
  })
})

describe.each(fullParties)('%s', (_, make) => {
  const decide = (person: SignedIn, user_code: string, decision: 'allow' | 'deny') =>
    server().call('POST /api/oauth/device', { token: person.token, body: { user_code, decision } })

  test('introspects a token', async () => {
    const { party, person, client } = await start(make)
    const tokens = await signIn(party, person)
    const facts = { active: true, sub: String(person.user.id), client_id: client.id, scope: 'openid email' }
    expect(await party.introspect(tokens.accessToken)).toMatchObject(facts)
    await party.revoke(tokens.accessToken)
    expect(await party.introspect(tokens.accessToken)).toEqual({ active: false })
  })

  test.each(['none', 'basic'] as const)('connects a device, authenticating with %s', async (proof) => {
    const { party, person } = await start(make, proof)
    const device = await party.device('openid email')
    expect((await decide(person, device.userCode.toLowerCase(), 'allow')).status).toBe(200)
    const tokens = await device.tokens()
    expect(tokens.claims).toMatchObject({ sub: String(person.user.id), email: person.user.email })
    expect((await party.refresh(tokens)).claims.sub).toBe(String(person.user.id))
  })

  test('learns that a device was denied', async () => {
    const { party, person } = await start(make, 'none')
    const device = await party.device('openid')
    await decide(person, device.userCode, 'deny')
    await expect(device.tokens()).rejects.toMatchObject({ error: 'access_denied' })
  })

  test('learns that a device request expired', async () => {
    const { party } = await start(make, 'none')
    const device = await party.device('openid')
    server().clock.advance(601)
    await expect(device.tokens()).rejects.toMatchObject({ error: 'expired_token' })
    server().clock.advance(-601)
  })
})

test('a polling device is told to keep polling', async () => {
  const { party } = await start(oauth4webapiParty, 'none')
  const device = await party.device('openid')
  await expect(device.tokens()).rejects.toMatchObject({ error: 'authorization_pending' })
})
