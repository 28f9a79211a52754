import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { loadConfig } from '../../main/settings/config.ts'
import { listen } from '../../testing/meetings.ts'
import { useTestApp } from '../../testing/test-app.ts'

const app = useTestApp()

const paths = async () => {
  const to = { address: 'jane@example.test', name: 'Jane' }
  const { id } = await app().mailer.send({ to, subject: 'Code', text: 'CODE-1', html: '<p>CODE-1</p>' })
  return ['/dev/outbox', `/dev/outbox/${id}`, `/dev/outbox/${id}/html`]
}

test.each(['localhost:8000', 'admin.localhost:8000', '127.0.0.1:8000', '[::1]:8000', 'LOCALHOST'])(
  'the outbox is served to a local browser that requests %s',
  async (host) => {
    for (const path of await paths()) expect((await app().call(`GET ${path}`, { host })).status).toBe(200)
  },
)

test.each([
  'evil.example',
  'evil.example:8000',
  'localhost.evil.example',
  '127.0.0.1.evil.example',
  'notlocalhost',
  '192.168.1.5:8000',
  '0.0.0.0:8000',
  'localhost@evil.example',
])('the outbox is not readable by DNS rebinding from %j', async (host) => {
  for (const path of await paths()) {
    const { status, body } = await app().call(`GET ${path}`, { host })
    expect(status).toBe(404)
    expect(JSON.stringify(body)).not.toMatch(/CODE-1|Code/)
  }
})

test.each<Record<string, string>>([
  { 'x-forwarded-for': '203.0.113.7' },
  { 'x-forwarded-for': '127.0.0.1' },
  { 'x-real-ip': '203.0.113.7' },
  { 'x-forwarded-host': 'localhost' },
  { 'x-forwarded-proto': 'https' },
  { forwarded: 'for=203.0.113.7' },
  { via: '1.1 proxy' },
])('the outbox is not readable through a proxy that sends %j', async (headers) => {
  for (const path of await paths()) expect((await app().call(`GET ${path}`, { headers })).status).toBe(404)
})

test('the outbox is not readable through an nginx without proxy headers', async () => {
  await listen(app())
  const address = app().fastify.server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const answer = (version: string) =>
    new Promise<string>((resolve, reject) => {
      const socket = connect(port, '127.0.0.1')
      socket.once('data', (data) => {
        socket.destroy()
        resolve(String(data))
      })
      socket.once('error', reject)
      socket.write(`GET /dev/outbox HTTP/${version}\r\nHost: 127.0.0.1:${port}\r\nConnection: close\r\n\r\n`)
    })
  expect(await answer('1.0')).toMatch(/^HTTP\/1\.1 404 /)
  expect(await answer('1.1')).toMatch(/^HTTP\/1\.1 200 /)
})

test('the outbox is not readable from another machine with a forged localhost host', async () => {
  const remoteAddress = '192.168.1.9'
  const url = '/dev/outbox'
  const answer = await app().fastify.inject({ url, remoteAddress, headers: { host: 'localhost:8000' } })
  expect(answer.statusCode).toBe(404)
})

test.each([
  [{}, true],
  [{ APP_URL: 'http://localhost:5173' }, true],
  [{ APP_URL: 'https://example.org' }, false],
  [{ SMTP_URL: 'smtp://localhost' }, false],
  [{ NODE_ENV: 'production' }, false],
])('an installation with %j has an outbox page: %s', (settings, expected) => {
  expect(loadConfig(settings).hasOutbox).toBe(expected)
})
