import { createHash, randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import pg from 'pg'
import { afterAll, beforeAll } from 'vitest'
import { portal } from './portal.ts'

/** Query or form parameters that the portal redirected the browser with. */
export interface Arrival {
  readonly method: string
  readonly path: string
  readonly fields: Readonly<Record<string, string>>
}

/** A minimal local application that people sign in to through the portal. */
export interface RelyingParty {
  readonly url: string
  readonly clientId: string
  /** URL that starts a sign-in. */
  authorize(change?: Record<string, string>): string
  /** The last request to its redirect URI. */
  last(): Arrival | undefined
  /** Exchanges the code of the last arrival for tokens. */
  exchange(): Promise<Record<string, string>>
}

/** Provides the tests of a file with an application that is registered under this name. */
export function useRelyingParty(name: string): () => RelyingParty {
  let party: RelyingParty | undefined
  let arrival: Arrival | undefined
  const verifier = randomBytes(32).toString('base64url')
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1')
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const isAnswer = url.pathname !== '/favicon.ico'
      const body = new URLSearchParams(Buffer.concat(chunks).toString())
      const fields = Object.fromEntries([...url.searchParams, ...body])
      if (isAnswer) arrival = { method: request.method ?? '', path: url.pathname, fields }
      response.setHeader('content-type', 'text/html; charset=utf-8')
      response.end(
        `<!doctype html><html lang="en"><title>${name}</title><h1>${name}: ${url.pathname}</h1></html>`,
      )
    })
  })
  beforeAll(async () => {
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    const address = server.address()
    if (address === null || typeof address === 'string') throw new Error('no port')
    const url = `http://127.0.0.1:${address.port}`
    const redirectUri = `${url}/callback`
    const clientId = await register(name, redirectUri, `${url}/bye`)
    party = {
      url,
      clientId,
      authorize: (change = {}) => {
        const query = new URLSearchParams({
          ...{ client_id: clientId, redirect_uri: redirectUri, response_type: 'code', state: 'abc' },
          ...{ scope: 'openid email profile', nonce: 'n', code_challenge_method: 'S256' },
          code_challenge: createHash('sha256').update(verifier).digest('base64url'),
          ...change,
        })
        return `${portal.appUrl}/oauth/authorize?${query}`
      },
      last: () => arrival,
      exchange: async () => {
        const answer = await fetch(`${portal.appUrl}/oauth/token`, {
          method: 'POST',
          body: new URLSearchParams({
            ...{ grant_type: 'authorization_code', client_id: clientId, redirect_uri: redirectUri },
            ...{ code: arrival?.fields.code ?? '', code_verifier: verifier },
          }),
        })
        if (!answer.ok) throw new Error(await answer.text())
        return answer.json()
      },
    }
  })
  afterAll(() => {
    server.close()
  })
  return () => {
    if (party === undefined) throw new Error('the application is there inside tests only')
    return party
  }
}

/** Registers a public client, as staff would. */
async function register(name: string, redirectUri: string, afterLogout: string): Promise<string> {
  const client = new pg.Client({ connectionString: portal.databaseUrl })
  await client.connect()
  const { rows } = await client.query<{ id: string }>(
    `insert into oauth_clients (id, name, redirect_uris, post_logout_redirect_uris, scopes, grants, id_token_alg,
        require_pkce, created_at, updated_at)
      values (gen_random_uuid(), $1, array[$2], array[$3], array['openid', 'email', 'profile', 'api'],
        array['authorization_code', 'refresh_token', 'device_code'], 'RS256', true, now(), now())
      returning id`,
    [name, redirectUri, afterLogout],
  )
  await client.end()
  return rows[0]?.id ?? ''
}
