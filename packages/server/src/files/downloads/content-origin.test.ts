import { once } from 'node:events'
import { beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { type FileOwner, makeFileOwner, pathOf } from '../../testing/files.ts'
import { useTestApp } from '../../testing/test-app.ts'

const filesHost = 'files.example.test'
const app = useTestApp({ FILES_ORIGIN: `https://${filesHost}/` })
let owner: FileOwner

beforeAll(async () => {
  owner = await makeFileOwner(app())
})

const addressOf = async (kind: 'downloadUrl' | 'previewUrl') => {
  const id = await owner.upload('a.txt', 'content', { type: 'text/plain' })
  const { body } = await owner.call(`GET /api/v4/fs/${id}?${kind}=1`)
  return String(body[kind])
}

describe('content with its own origin', () => {
  test.each(['downloadUrl', 'previewUrl'] as const)('is served only there, by %s', async (kind) => {
    const address = await addressOf(kind)
    expect(address).toMatch(/^https:\/\/files\.example\.test\/api\/v4\/fs\/(downloads|previews)\//)
    expect((await app().call(`GET ${pathOf(address)}`)).status).toBe(404)
    const { status, body, headers } = await app().call(`GET ${pathOf(address)}`, { host: filesHost })
    expect({ status, body }).toEqual({ status: 200, body: 'content' })
    expect(headers).toMatchObject({
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
    })
    expect(headers['x-frame-options']).toBe(kind === 'previewUrl' ? undefined : headers['x-frame-options'])
    expect(headers['content-security-policy']).toMatch(/default-src 'none'.*sandbox/)
  })

  test('is served the same way for archives and HEAD requests', async () => {
    const id = await owner.upload('b.txt', 'b')
    const { body } = await owner.call('POST /api/v4/fs/zip', { body: { ids: [id] } })
    expect(body.downloadUrl).toContain(`https://${filesHost}/`)
    const head = (host: string) =>
      app().fastify.inject({ method: 'HEAD', url: pathOf(body.downloadUrl), headers: { host } })
    expect((await head('localhost:8000')).statusCode).toBe(404)
    expect((await head(filesHost)).statusCode).toBe(200)
  })
})

describe('the content origin', () => {
  test.each([
    'POST /api/auth/login',
    'GET /api/auth/info',
    'GET /api/v4/fs',
    'GET /login',
    'GET /',
    'GET /api/docs',
    'GET /api/openapi.json',
    'GET /themes/default/theme.css',
    'GET /.well-known/openid-configuration',
    'POST /oauth/token',
    'GET /content/faq/signup',
    'OPTIONS /api/v4/fs/tus',
  ])('has no %s', async (route) => {
    const { status } = await app().call(route, { host: filesHost, token: owner.token })
    expect(status).toBe(404)
  })

  test('serves no content to an API token either', async () => {
    const id = await owner.upload('c.txt', 'c')
    const { status } = await owner.call(`GET /api/v4/fs/${id}?download=1`, { host: filesHost })
    expect(status).toBe(404)
  })

  test('rejects WebSockets', async () => {
    const { fastify } = app()
    if (!fastify.server.listening) await fastify.listen({ port: 0, host: '127.0.0.1' })
    const address = fastify.server.address()
    const port = typeof address === 'object' ? address?.port : undefined
    const url = `ws://127.0.0.1:${port}/api/v4/meet/signalling`
    const socket = new WebSocket(url, 'gatehouse.meet.v1', { headers: { host: filesHost } })
    const [error] = (await once(socket, 'error')) as [Error]
    expect(error.message).toContain('404')
  })
})
