import { connect } from 'node:net'
import { routes } from '@gatehouse/contract/routes'
import { beforeAll, describe, expect, test } from 'vitest'
import { type MadeUser, makeUser, signInAs } from '../../testing/factories.ts'
import { useTestApp } from '../../testing/test-app.ts'

const app = useTestApp()
let user: MadeUser

beforeAll(async () => {
  user = await makeUser(app())
})

test('every call of the contract is served', () => {
  expect(app().api.unserved()).toEqual([])
})

test.each([
  '/api/v4/users',
  '/api/v4/domains',
  '/api/v4/groups',
  '/api/v4/payments/pending',
  '/api/v4/events',
])('an empty page parameter of %s means the first page', async (path) => {
  const { access_token: token } = await signInAs(app(), user)
  const { status, body } = await app().call(`GET ${path}?page=`, { token })
  expect(status).toBe(200)
  expect(body).toEqual((await app().call(`GET ${path}?page=1`, { token })).body)
})

describe('an unknown URL below /api is a 404 in the envelope', () => {
  test.each([
    'GET /api/nothing',
    'GET /api/v4/nothing/1',
    'POST /api/nothing',
    'DELETE /api/auth/login',
    'PUT /api/auth/login',
    'GET /api/auth/login',
    'PATCH /api/v4/users/1/status',
    'OPTIONS /api/auth/login',
    'GET /api/auth/login/x',
    'GET /api//auth/info',
    'GET /API/auth/info',
    'GET /',
  ])('%s', async (route) => {
    const { status, body } = await app().call(route)
    expect({ status, body }).toEqual({ status: 404, body: { status: 'error', message: 'Not found' } })
  })

  test('messages are in the language of the request', async () => {
    const { body } = await app().call('GET /api/nothing', { headers: { 'accept-language': 'fr-CH' } })
    expect(body.message).toBe('Introuvable')
  })
})

test('a path that cannot be decoded is a 400 in the envelope with the default headers', async () => {
  const { status, body, headers } = await app().call('GET /api/v4/users/%E0%A4%A')
  expect({ status, body }).toEqual({ status: 400, body: { status: 'error', message: 'Bad request' } })
  expect(headers['x-content-type-options']).toBe('nosniff')
  expect(headers['x-request-id']).toMatch(/^req-/)
})

test('a trailing slash is ignored', async () => {
  const { access_token: token } = await signInAs(app(), user)
  expect((await app().call('GET /api/auth/info/', { token })).status).toBe(200)
  expect((await app().call(`GET /api/v4/users/${user.id}/status/`, { token })).status).toBe(200)
  expect((await app().call('POST /api/auth/logout/', { token })).status).toBe(200)
})

describe('the input of a mutation', () => {
  const right = () => ({ email: user.email, password: user.password })

  test('may be JSON, a form, the query, or a combination of query and body', async () => {
    const form = new URLSearchParams(right()).toString()
    const type = { 'content-type': 'application/x-www-form-urlencoded; charset=UTF-8' }
    expect((await app().call('POST /api/auth/login', { body: right() })).status).toBe(200)
    expect((await app().call('POST /api/auth/login', { body: form, headers: type })).status).toBe(200)
    expect((await app().call(`POST /api/auth/login?${form}`)).status).toBe(200)
    const half = `POST /api/auth/login?email=${encodeURIComponent(user.email)}`
    expect((await app().call(half, { body: { password: user.password } })).status).toBe(200)
  })

  test('is taken from the body if query and body differ', async () => {
    const { status } = await app().call('POST /api/auth/login?password=wrong', { body: right() })
    expect(status).toBe(200)
  })

  test('may contain unknown keys with any value', async () => {
    const deep = JSON.parse(`${'['.repeat(50)}${']'.repeat(50)}`) as unknown
    const body = { ...right(), remember: true, nested: { a: ['b'] }, nul: '\0', deep, toString: 1 }
    expect((await app().call('POST /api/auth/login', { body })).status).toBe(200)
  })

  test('is trimmed, except for passwords', async () => {
    const spaced = await makeUser(app(), { password: '  two blanks  ' })
    const email = ` \t${spaced.email}\n`
    const call = (password: string) => app().call('POST /api/auth/login', { body: { email, password } })
    expect((await call('  two blanks  ')).status).toBe(200)
    expect((await call('two blanks')).status).toBe(401)
  })

  test('may be an empty body of any type', async () => {
    for (const type of ['application/json', 'application/x-www-form-urlencoded', 'text/plain']) {
      const { status, body } = await app().call('POST /api/auth/login', {
        body: '',
        headers: { 'content-type': type },
      })
      expect({ status, body }).toEqual({
        status: 422,
        body: {
          status: 'error',
          message: 'Input validation error',
          errors: { email: ['Fill in this field.'], password: ['Fill in this field.'] },
        },
      })
    }
  })

  test.each([
    ['text/plain', 'email=a&password=b'],
    ['application/xml', '<email/>'],
    ['application/json', '{"email":"a"'],
    ['application/json', '[]'],
    ['application/json', '"a"'],
    ['application/json', 'null'],
    ['application/json', '{"__proto__":{"email":"a"}}'],
  ])('of type %s with body %s is a 400', async (type, body) => {
    const answer = await app().call('POST /api/auth/login', { body, headers: { 'content-type': type } })
    expect(answer).toMatchObject({ status: 400, body: { status: 'error', message: 'Bad request' } })
  })

  test('without a token is limited to 16 KiB (413)', async () => {
    const body = (length: number) => ({ ...right(), padding: 'x'.repeat(length) })
    const large = await app().call('POST /api/auth/login', { body: body(16 * 1024) })
    expect(large).toMatchObject({ status: 413, body: { status: 'error', message: 'Request too large' } })
    const form = await app().call('POST /api/auth/login', {
      body: `email=${'x'.repeat(16 * 1024)}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect(form.status).toBe(413)
    expect((await app().call('POST /api/auth/login', { body: body(16_000) })).status).toBe(200)
  })

  test('with a token is limited to 256 KiB (413)', async () => {
    const { access_token: token } = await signInAs(app(), user)
    const call = (length: number) =>
      app().call(`PUT /api/v4/users/${user.id}`, { token, body: { padding: 'x'.repeat(length) } })
    expect((await call(256 * 1024)).status).toBe(413)
    expect((await call(256 * 1000)).status).toBe(200)
  })

  const many = (length: number) => Array.from({ length }, (_, at) => `k${at}`)
  test.each([
    ['JSON', 'application/json', JSON.stringify(Object.fromEntries(many(1001).map((key) => [key, 1])))],
    ['JSON in lists', 'application/json', JSON.stringify({ a: many(1001).map((key) => ({ [key]: 1 })) })],
    ['a form', 'application/x-www-form-urlencoded', many(1002).join('&')],
  ])('with more than a thousand keys in %s is a 413', async (_, type, body) => {
    const answer = await app().call('POST /api/auth/login', { body, headers: { 'content-type': type } })
    expect(answer.status).toBe(413)
  })

  test('with more than a thousand keys in the query is a 413', async () => {
    expect((await app().call(`POST /api/auth/login?${many(1002).join('&')}`)).status).toBe(413)
  })

  test('with many thousand parts in a form with files is a 413', async () => {
    const { access_token: token } = await signInAs(app(), user)
    const part = '--b\r\ncontent-disposition: form-data; name="a"\r\n\r\n1\r\n'
    const answer = await app().call('POST /api/v4/invitations', {
      host: 'reseller.localhost:8000',
      token,
      body: `${part.repeat(10_000)}--b--`,
      headers: { 'content-type': 'multipart/form-data; boundary=b' },
    })
    expect(answer.status).toBe(413)
  })

  test('has errors for wrong types at their keys', async () => {
    const { status, body } = await app().call('POST /api/auth/login', {
      body: { email: ['a@b.test'], password: 12345678, secondfactor: { code: 1 } },
    })
    expect(status).toBe(422)
    expect(body.errors).toEqual({
      email: ['This must be text.'],
      password: ['This must be text.'],
      secondfactor: ['This must be text.'],
    })
  })

  test('has an error for a NUL character only at its field', async () => {
    const { status, body } = await app().call('POST /api/auth/login', {
      body: { email: 'a\0@b.test', password: 'x' },
    })
    expect({ status, errors: body.errors }).toEqual({
      status: 422,
      errors: { email: ['This must be text.'] },
    })
  })
})

describe('every response', () => {
  test('has the security headers and its own request id', async () => {
    const seen = new Set<unknown>()
    for (const route of [
      'GET /api/health/liveness',
      'GET /api/nothing',
      'POST /api/auth/login',
      'GET /204',
    ]) {
      const { headers } = await app().call(route)
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'referrer-policy': 'same-origin',
        'cross-origin-opener-policy': 'same-origin',
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
        'cache-control': 'no-store',
        'x-request-id': expect.stringMatching(/^req-[2-9A-HJ-NP-Z]{4}-[2-9A-HJ-NP-Z]{4}$/),
      })
      expect(headers).not.toHaveProperty('x-powered-by')
      expect(headers).not.toHaveProperty('access-control-allow-origin')
      seen.add(headers['x-request-id'])
    }
    expect(seen.size).toBe(4)
  })

  test('ignores a request id sent by the caller', async () => {
    const { headers } = await app().call('GET /204', {
      headers: { 'x-request-id': 'mine', 'request-id': 'mine' },
    })
    expect(headers['x-request-id']).not.toBe('mine')
  })
})

describe("the caller's address", () => {
  const seenAs = async (headers: Record<string, string>) => {
    const { access_token: token } = await signInAs(app(), user)
    return (await app().call('GET /api/auth/location', { token, headers })).body.ipAddress as string
  }

  test("is the last one that isn't a trusted proxy", async () => {
    expect(await seenAs({})).toBe('127.0.0.1')
    expect(await seenAs({ 'x-forwarded-for': '8.8.8.8' })).toBe('8.8.8.8')
    expect(await seenAs({ 'x-forwarded-for': '1.1.1.1, 8.8.8.8' })).toBe('8.8.8.8')
    expect(await seenAs({ 'x-forwarded-for': '2001:4860:4860::8888' })).toBe('2001:4860:4860::8888')
  })

  test("can't be set by the client in another header", async () => {
    for (const name of ['x-client-ip', 'x-real-ip', 'true-client-ip', 'cf-connecting-ip', 'client-ip']) {
      expect(await seenAs({ [name]: '9.9.9.9' })).toBe('127.0.0.1')
      expect(await seenAs({ [name]: '9.9.9.9', 'x-forwarded-for': '8.8.8.8' })).toBe('8.8.8.8')
    }
  })
})

describe('the API description', () => {
  test('is OpenAPI 3.1 and lists exactly the calls of the contract', async () => {
    const { status, body } = await app().call('GET /api/openapi.json')
    expect(status).toBe(200)
    expect(body.openapi).toMatch(/^3\.1\./)
    const listed = Object.entries(body.paths as Record<string, object>).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    )
    // if a path is another call on staff hosts, that one is described with a fragment
    const keys = Object.keys(routes).map((key) => key.replace(' @staff', '#staff'))
    expect(listed.sort()).toEqual(keys.sort())
  })

  test('describes input, responses and security of each call', async () => {
    const { body } = await app().call('GET /api/openapi.json')
    const login = body.paths['/api/auth/login'].post
    expect(login.summary).toBeTruthy()
    expect(Object.keys(login.responses).sort().join(' ')).toBe('200 202 400 401 413 422 429 500 503')
    const schema = login.requestBody.content['application/json'].schema
    expect(schema.required).toEqual(['email', 'password'])
    expect(body.paths['/api/v4/users/{id}'].get.security).toEqual([
      { bearer: ['api'] },
      { apiKey: ['users:read'] },
    ])
    expect(body.paths['/api/v4/sessions'].get.security).toEqual([{ bearer: ['api'] }])
    expect(body.paths['/api/v4/users/{id}'].get.parameters).toMatchObject([{ name: 'id', in: 'path' }])
    expect(body.components.securitySchemes.bearer).toMatchObject({ type: 'http', scheme: 'bearer' })
  })

  test('describes errors once, so that viewers can open it', async () => {
    const { body } = await app().call('GET /api/openapi.json')
    expect(body.components.schemas.Error.required).toEqual(['status', 'message'])
    const { 404: missing } = body.paths['/api/v4/users/{id}'].get.responses
    expect(missing.content['application/json'].schema).toEqual({ $ref: '#/components/schemas/Error' })
    expect(JSON.stringify(body).length).toBeLessThan(2_000_000)
  })

  test('shows programs the scope of each call, and how to make it', async () => {
    const { body } = await app().call('GET /api/openapi.json')
    const { description } = body.paths['/api/v4/users/{id}'].put
    expect(description).toContain('Scope for API keys: `users:write`')
    expect(description).toContain('curl -X PUT -H "Authorization: Bearer $GATEHOUSE_KEY"')
    expect(description).toContain("client.call('PUT /api/v4/users/{id}', { params: {…}, body: {…} })")
    expect(body.paths['/api/v4/users/export'].get.description).toContain(
      "client.open('GET /api/v4/users/export')",
    )
    expect(body.paths['/api/v4/sessions'].get.description).toBeUndefined()
  })

  test('has a viewer', async () => {
    const { status, headers, body } = await app().call('GET /api/docs')
    const page =
      status === 302
        ? await app().call(`GET ${new URL(String(headers.location), 'http://x').pathname}`)
        : { status, body }
    expect(page.status).toBe(200)
    expect(page.body).toContain('<div id="swagger-ui">')
  })
})

describe("on the cockpits' hosts", () => {
  const hosts = ['admin.localhost:8000', 'reseller.localhost', 'ADMIN.localhost']
  test.each(hosts)('%s has no support form for any input', async (host) => {
    for (const body of [{}, { email: 'a@b.test', summary: 's', body: 'b' }]) {
      expect((await app().call('POST /api/v4/support/request', { body, host })).status).toBe(404)
    }
  })

  test('users can sign in and read their own account', async () => {
    const host = 'admin.localhost:8000'
    const { status, body } = await app().call('POST /api/auth/login', {
      body: { email: user.email, password: user.password },
      host,
    })
    expect(status).toBe(200)
    expect((await app().call('GET /api/auth/info', { host, token: body.access_token })).status).toBe(200)
  })

  test('a host with only the same prefix is an ordinary one', async () => {
    const { status } = await app().call('POST /api/v4/support/request', { host: 'admin.localhost.evil.test' })
    expect(status).toBe(422)
  })
})

test('a malformed HTTP request does not disturb the server', async () => {
  const url = await app().fastify.listen({ port: 0, host: '127.0.0.1' })
  const answer = await new Promise<string>((resolve, reject) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    let text = ''
    socket.setEncoding('utf8').on('data', (part: string) => {
      text += part
    })
    socket.on('end', () => resolve(text)).on('error', reject)
    socket.write('GARBAGE\r\n\r\n')
  })
  expect(answer).toMatch(/^HTTP\/1\.1 400 /)
  expect((await app().call('GET /api/health/liveness')).status).toBe(200)
})
