import { describe, expect, test } from 'vitest'
import { authorization, makeClient, obtainTokens, signedIn, useOAuthServer } from '../../testing/oauth.ts'
import type { Answer } from '../../testing/test-app.ts'

/**
 * Browsers are redirected only to registered URIs of an application, whatever a link to the portal contains.
 */

const server = useOAuthServer()

const approve = (token: string | undefined, body: Record<string, unknown>) =>
  server().call('POST /api/oauth/approve', { ...(token && { token }), body })

const form = { 'content-type': 'application/x-www-form-urlencoded' }

/**
 * Returns where a response redirects the browser; undefined: nowhere. Resolves relative URLs like a browser.
 */
function target({ status, headers }: Pick<Answer, 'status' | 'headers'>): URL | undefined {
  const { location, refresh } = headers
  expect(refresh).toBeUndefined()
  expect(status >= 300 && status < 400).toBe(location !== undefined)
  return location === undefined ? undefined : new URL(String(location), `${server().issuer}/oauth/x`)
}

const elsewhere = [
  'https://evil.test/',
  '//evil.test/',
  '/\\evil.test/',
  '\\\\evil.test',
  'https:evil.test',
  'javascript:alert(1)',
  'data:text/html,x',
  '\t//evil.test',
  '%2f%2fevil.test',
  'https://app.test@evil.test/',
  'x\r\nlocation: https://evil.test/',
]

describe('an authorization request', () => {
  const hostile = [
    'https://evil.test/callback',
    'https://app.test/callback/',
    'https://app.test/callback?x=1',
    'https://app.test/callback/../evil',
    'https://app.test/callback%2f..',
    'https://app.test/callbackx',
    'https://app.test/call',
    'https://app.test:8443/callback',
    'https://user@app.test/callback',
    'https://app.test.evil.test/callback',
    'https://APP.test/callback',
    'http://app.test/callback',
    'HTTPS://app.test/callback',
    '//app.test/callback',
    'javascript:alert(1)',
    'data:text/html,x',
    'https://app.test/callback#x',
    'https://app.test/callback\\@evil.test',
    ' https://app.test/callback\t',
    'null',
  ]

  test.each(hostile.filter((uri) => uri.trim() === uri))('with the URI %s is not redirected', async (uri) => {
    const person = await signedIn(server())
    const client = await makeClient(server())
    for (const more of [
      {},
      { ifSeen: true },
      { prompt: 'none' },
      { response_type: 'token' },
      { scope: 'x' },
    ]) {
      const { status, body } = await approve(person.token, {
        ...authorization(client, { redirect_uri: uri }),
        ...more,
      })
      expect([status, body.error, body.redirectUrl]).toEqual([422, 'invalid_request', null])
    }
  })

  test('never redirects to the requested URI for an unknown client', async () => {
    const person = await signedIn(server())
    const client = await makeClient(server())
    for (const field of Object.keys({
      ...authorization(client),
      prompt: '',
      id_token_hint: '',
      login_hint: '',
    })) {
      const { body } = await approve(person.token, {
        ...authorization(client, { client_id: 'nobody', redirect_uri: 'https://evil.test/' }),
        [field]: 'https://evil.test/',
      })
      expect(body.redirectUrl ?? null).toBeNull()
      expect(JSON.stringify(body)).not.toContain('evil')
    }
  })

  test('never redirects elsewhere, whichever parameter contains a URL', async () => {
    const person = await signedIn(server())
    const client = await makeClient(server())
    const fields = ['state', 'nonce', 'scope', 'response_type', 'response_mode', 'prompt', 'max_age']
    const others = ['login_hint', 'id_token_hint', 'request', 'request_uri', 'code_challenge', 'ticket']
    for (const field of [...fields, ...others]) {
      const { body } = await approve(person.token, {
        ...authorization(client),
        [field]: 'https://evil.test/#&redirect_uri=//evil.test',
      })
      expect(new URL(body.redirectUrl).origin, field).toBe('https://app.test')
    }
  })

  test.each(elsewhere)('posted as a form with %j leads to our own screen', async (value) => {
    const client = await makeClient(server())
    for (const field of ['redirect_uri', 'state', 'client_id', 'request_uri', 'ticket', 'next']) {
      const body = new URLSearchParams({ ...authorization(client), [field]: value }).toString()
      const to = target(await server().call('POST /oauth/authorize', { body, headers: form }))
      expect(to && to.origin + to.pathname).toBe(`${server().issuer}/oauth/authorize`)
    }
  })
})

describe('a sign-out request', () => {
  test.each(elsewhere)(
    'with %j in any field leads to our own screen, and on to nowhere else',
    async (value) => {
      const person = await signedIn(server())
      const client = await makeClient(server())
      const { id_token } = await obtainTokens(server(), person, client)
      const good = { id_token_hint: id_token, post_logout_redirect_uri: 'https://app.test/bye' }
      for (const field of [
        'post_logout_redirect_uri',
        'state',
        'client_id',
        'id_token_hint',
        'logout_hint',
        'next',
      ]) {
        const query = new URLSearchParams({ ...good, [field]: value }).toString()
        for (const call of [
          () => server().call(`GET /oauth/logout?${query}`),
          () => server().call('POST /oauth/logout', { body: query, headers: form }),
        ]) {
          const to = target(await call())
          expect(to && to.origin + to.pathname).toBe(`${server().issuer}/oauth/sign-out`)
          const request = to?.searchParams.get('request') ?? null
          if (request === null) continue
          const { body } = await server().call('POST /api/oauth/logout', { body: { request } })
          if (body.redirectUrl !== null) expect(new URL(body.redirectUrl).origin).toBe('https://app.test')
        }
      }
    },
  )
})

describe('other URLs of the portal', () => {
  const names = [
    'redirect',
    'redirect_uri',
    'return',
    'return_to',
    'next',
    'target',
    'url',
    'answer',
    'request',
  ]
  const paths = [
    '/login',
    '/logout',
    '/oauth/respond',
    '/oauth/sign-out',
    '/oauth/device',
    '/oauth/authorize',
  ]

  test.each([...paths, '/login-as', '/enrol', '/'])('%s does not redirect', async (path) => {
    for (const value of elsewhere) {
      for (const name of names) {
        const query = new URLSearchParams({ [name]: value }).toString()
        expect(target(await server().call(`GET ${path}?${query}`))).toBeUndefined()
      }
    }
  })

  test.each([
    '//evil.test',
    '//evil.test/..',
    '/%2f/evil.test',
    '/%5cevil.test',
    '/login//evil.test',
    '/oauth/authorize//evil.test/',
    '/oauth/..//evil.test',
    '/.//evil.test/',
  ])('%s is not an open redirect', async (path) => {
    expect(target(await server().call(`GET ${path}`))).toBeUndefined()
  })
})
