import { request as requestPlain } from 'node:http'
import { request } from 'node:https'
import { connect, type TLSSocket } from 'node:tls'
import { signallingPath, signallingProtocol } from '@gatehouse/contract/meetings/meet-rules'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { makeUser, signInAs } from '../../../testing/factories.ts'
import { freePort } from '../../../testing/free-port.ts'
import { isInstalled, startWebProxy, webProxies } from '../../../testing/servers/web-proxies.ts'
import { createTestApp, type TestApp } from '../../../testing/test-app.ts'

/** The client address; the proxies connect from 127.0.0.1, which is trusted. */
const client = '127.0.0.2'
const patient = { timeout: 20_000 }

for (const proxy of webProxies) {
  const isThere = isInstalled(proxy)
  const title = isThere ? proxy.name : `${proxy.name} (not installed: ${proxy.program})`

  describe.skipIf(!isThere)(`the sample for ${title}`, () => {
    let app: TestApp
    let running: AsyncDisposable | undefined
    let token: string
    const ports = { portal: 0, http: 0, https: 0 }
    /** Paths of requests whose headers have reached the portal. */
    const arrived: string[] = []

    beforeAll(async () => {
      for (const name of ['portal', 'http', 'https'] as const) ports[name] = await freePort()
      app = await createTestApp({ APP_URL: 'https://example.org', METRICS_ALLOW: '127.0.0.1' })
      await app.fastify.listen({ port: ports.portal, host: '127.0.0.1' })
      app.fastify.server.on('request', ({ url }) => arrived.push(url ?? ''))
      const user = await makeUser(app)
      token = (await signInAs(app, user)).access_token
      running = await startWebProxy(proxy, ports)
    }, 60_000)
    afterAll(async () => {
      await running?.[Symbol.asyncDispose]()
      await app.close()
    })

    const own = { port: 0, host: '127.0.0.1', localAddress: client, servername: 'example.org' } as const
    const tls = () => ({ ...own, port: ports.https, rejectUnauthorized: false })

    function get(path: string, headers: Record<string, string> = {}, isPlain = false): Promise<Answered> {
      const send = isPlain ? requestPlain : request
      const options = { ...tls(), port: isPlain ? ports.http : ports.https, path, agent: false }
      return new Promise((resolve, reject) => {
        send({ ...options, headers: { host: 'example.org', ...headers } }, (answer) => {
          const parts: Buffer[] = []
          answer.on('data', (part: Buffer) => parts.push(part))
          answer.on('end', () =>
            resolve({
              status: answer.statusCode ?? 0,
              headers: answer.headers,
              body: Buffer.concat(parts).toString(),
            }),
          )
        })
          .on('error', reject)
          .end()
      })
    }

    /** Sends text and keeps the connection open. */
    async function begin(text: string): Promise<TLSSocket> {
      const socket = connect(tls())
      socket.on('error', () => socket.destroy())
      await new Promise<void>((resolve) => socket.once('secureConnect', () => resolve()))
      socket.resume()
      socket.write(text)
      return socket
    }

    const seen = async (headers: Record<string, string> = {}) => {
      const answer = await get('/api/auth/location', { authorization: `Bearer ${token}`, ...headers })
      expect(answer.status).toBe(200)
      return JSON.parse(answer.body).ipAddress as string
    }

    test('forwards the client address', async () => {
      expect(await seen()).toBe(client)
    })

    test.each(['X-Forwarded-For', 'X-Real-IP', 'X-Client-IP', 'CF-Connecting-IP', 'True-Client-IP'])(
      'does not let a client forge its address in %s',
      async (name) => {
        expect(await seen({ [name]: '9.9.9.9' })).toBe(client)
        expect(await seen({ [name]: '127.0.0.1' })).toBe(client)
        expect((await get('/api/webhooks/metrics', { [name]: '127.0.0.1' })).status).toBe(404)
      },
    )

    test('prevents a client from forging its address in Forwarded', async () => {
      expect(await seen({ Forwarded: 'for=9.9.9.9;host=admin.example.org' })).toBe(client)
    })

    test('serves the cockpits only on their own hosts', async () => {
      const path = '/api/v4/inspect-request'
      const bearer = { authorization: `Bearer ${token}` }
      expect((await get(path, { ...bearer, host: 'admin.example.org' })).status).toBe(403)
      expect((await get(path, { ...bearer, 'X-Forwarded-Host': 'admin.example.org' })).status).toBe(404)
    })

    test('redirects browsers to TLS and sends HSTS', async () => {
      const secure = await get('/api/health/liveness')
      expect(secure.headers['strict-transport-security']).toContain('max-age=')
      const { status, headers } = await get('/login', {}, true)
      expect([301, 308]).toContain(status)
      expect(headers.location).toMatch(/^https:\/\/example\.org(:\d+)?\/login$/)
    })

    test('serves autodiscover without TLS on customer domains', async () => {
      const path = '/autodiscover/autodiscover.xml'
      const { status, headers } = await get(path, { host: 'autodiscover.customer.test' }, true)
      expect({ status, location: headers.location }).toEqual({
        status: 302,
        location: 'https://example.org/autodiscover/autodiscover.xml',
      })
    })

    test('forwards a WebSocket', async () => {
      const socket = new WebSocket(`wss://127.0.0.1:${ports.https}${signallingPath}`, signallingProtocol, {
        ...tls(),
        headers: { host: 'example.org', origin: 'https://example.org' },
      })
      const answer = new Promise<string>((resolve, reject) => {
        socket.once('error', reject)
        socket.once('message', (data) => resolve(Buffer.isBuffer(data) ? data.toString() : ''))
      })
      await new Promise<void>((resolve) => socket.once('open', () => resolve()))
      socket.send(JSON.stringify({ id: 1, method: 'hello', params: { token: 'x' } }))
      expect(JSON.parse(await answer)).toBeTypeOf('object')
      socket.terminate()
    })

    test('streams an upload without buffering', patient, async () => {
      const path = '/api/v4/fs?name=streamed'
      const head = `POST ${path} HTTP/1.1\r\nHost: example.org\r\nContent-Length: 100000\r\n\r\n`
      const socket = await begin(`${head}${'x'.repeat(50_000)}`)
      await vi.waitUntil(() => arrived.includes(path), patient)
      socket.destroy()
    })

    test('disconnects a client that never completes its headers', patient, async () => {
      const socket = await begin('GET /api/health/liveness?slow HTTP/1.1\r\nHost: example.org\r\n')
      await new Promise<void>((resolve) => socket.once('close', () => resolve()))
      expect(arrived).not.toContain('/api/health/liveness?slow')
    })

    test.skipIf(!proxy.holdsBodies)('does not forward a body that never ends', patient, async () => {
      const path = '/api/auth/login?slow'
      const head = `POST ${path} HTTP/1.1\r\nHost: example.org\r\nContent-Type: application/json\r\n`
      const socket = await begin(`${head}Content-Length: 100\r\n\r\n{"email":`)
      await new Promise<void>((resolve) => socket.once('close', () => resolve()))
      expect(arrived).not.toContain(path)
    })
  })
}

interface Answered {
  readonly status: number
  readonly headers: Record<string, string | string[] | undefined>
  readonly body: string
}
