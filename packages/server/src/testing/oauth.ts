import type { ClientGrant, ClientScope } from '@gatehouse/contract/sessions/oauth'
import { afterAll, beforeAll } from 'vitest'
import { createClient } from '../oauth/clients/manage-clients.ts'
import { type MadeUser, makeUser, signInAs } from './factories.ts'
import { freePort } from './free-port.ts'
import { createTestApp, type TestApp } from './test-app.ts'

/** A server that OAuth clients reach over the network, at the URL it advertises. */
export interface OAuthServer extends TestApp {
  readonly issuer: string
}

/**
 * Starts one server for all tests of a file; read it inside tests only. Its clock shows the clients' time.
 */
export function useOAuthServer(settings: Record<string, string> = {}): () => OAuthServer {
  let server: OAuthServer | undefined
  beforeAll(async () => {
    server = await startOAuthServer(settings)
  })
  afterAll(async () => {
    await server?.close()
  })
  return () => {
    if (server === undefined) throw new Error('the server is only available inside tests')
    return server
  }
}

async function startOAuthServer(settings: Record<string, string>): Promise<OAuthServer> {
  const port = await freePort()
  const issuer = `http://127.0.0.1:${port}`
  const app = await createTestApp({ ...settings, APP_URL: issuer })
  app.clock.advance((Date.now() - app.clock.now().getTime()) / 1000)
  await app.fastify.listen({ port, host: '127.0.0.1' })
  return { ...app, issuer }
}

export interface MadeClient {
  readonly id: string
  /** Empty if it has none. */
  readonly secret: string
  readonly redirectUri: string
}

export interface ClientWishes {
  readonly confidential?: boolean
  readonly name?: string
  readonly redirectUris?: readonly string[]
  readonly afterLogout?: readonly string[]
  readonly scopes?: readonly ClientScope[]
  readonly grants?: readonly ClientGrant[]
  readonly alg?: 'RS256' | 'ES256'
  /** For a confidential client; if absent, PKCE is optional. */
  readonly requirePkce?: boolean
}

/** Creates an application that staff have registered. */
export async function makeClient(app: TestApp, wishes: ClientWishes = {}): Promise<MadeClient> {
  const redirectUris = wishes.redirectUris ?? ['https://app.test/callback']
  const parts = { db: app.database.db, clock: app.clock, secrets: app.secrets }
  const { id, secret } = await createClient(
    parts,
    {
      name: wishes.name ?? 'Some App',
      redirect_uris: redirectUris,
      post_logout_redirect_uris: wishes.afterLogout ?? ['https://app.test/bye'],
      scopes: wishes.scopes ?? ['openid', 'email', 'profile', 'offline_access', 'api'],
      grants: wishes.grants ?? ['authorization_code', 'refresh_token', 'device_code'],
      id_token_alg: wishes.alg ?? 'RS256',
      require_pkce: wishes.requirePkce ?? false,
      confidential: wishes.confidential ?? true,
    },
    {},
  )
  return { id, secret: secret ?? '', redirectUri: redirectUris[0] ?? '' }
}

/** A signed-in user. */
export interface SignedIn {
  readonly user: MadeUser
  readonly token: string
}

export async function signedIn(app: TestApp, facts: Parameters<typeof makeUser>[1] = {}): Promise<SignedIn> {
  const user = await makeUser(app, facts)
  return { user, token: (await signInAs(app, user)).access_token }
}

/** Returns an authorization request's query as a client sends it, without omitted fields. */
export function authorization(
  client: MadeClient,
  change: Record<string, string | undefined> = {},
): Record<string, string> {
  const all: Record<string, string | undefined> = {
    ...{ client_id: client.id, redirect_uri: client.redirectUri, response_type: 'code' },
    ...{ scope: 'openid email', state: 'the-state', nonce: 'the-nonce' },
    ...change,
  }
  const given = Object.entries(all).filter((pair): pair is [string, string] => pair[1] !== undefined)
  return Object.fromEntries(given)
}

/** Calls what the consent screen sends: the silent request, then the consent. */
export async function consent(app: TestApp, person: SignedIn, query: Record<string, string>): Promise<URL> {
  const { status, body } = await app.call('POST /api/oauth/approve', { token: person.token, body: query })
  if (status !== 200 || body.status !== 'success') throw new Error(`refused: ${JSON.stringify(body)}`)
  return new URL(String(body.redirectUrl))
}

/** Returns a code after consent. */
export async function obtainCode(
  app: TestApp,
  person: SignedIn,
  client: MadeClient,
  change: Record<string, string | undefined> = {},
): Promise<string> {
  const address = await consent(app, person, authorization(client, change))
  return address.searchParams.get('code') ?? ''
}

/** Makes a protocol call with a form that contains the client's id and secret. */
export async function post(
  app: TestApp,
  path: string,
  client: Pick<MadeClient, 'id' | 'secret'> | undefined,
  fields: Record<string, string>,
) {
  const identity = client && { client_id: client.id, ...(client.secret && { client_secret: client.secret }) }
  return app.call(`POST ${path}`, {
    body: new URLSearchParams({ ...identity, ...fields }).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
}

/** Exchanges a code at the token endpoint. */
export function exchange(app: TestApp, client: MadeClient, code: string, more: Record<string, string> = {}) {
  const fields = { grant_type: 'authorization_code', code, redirect_uri: client.redirectUri, ...more }
  return post(app, '/oauth/token', client, fields)
}

/** Returns the tokens after a user's consent. */
export async function obtainTokens(
  app: TestApp,
  person: SignedIn,
  client: MadeClient,
  change: Record<string, string | undefined> = {},
): Promise<{ access_token: string; refresh_token: string; id_token: string; scope: string }> {
  const { status, body } = await exchange(app, client, await obtainCode(app, person, client, change))
  if (status !== 200) throw new Error(`no tokens: ${JSON.stringify(body)}`)
  return body
}

/** Returns what the browser submits for a form-post response. */
export function formOf(html: string): { action: string; fields: Record<string, string> } {
  const plain = (text: string) =>
    text.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
  const inputs = [...html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)]
  const pairs = inputs.map(([, name = '', value = '']): [string, string] => [plain(name), plain(value)])
  return { action: plain(/action="([^"]*)"/.exec(html)?.[1] ?? ''), fields: Object.fromEntries(pairs) }
}
