import { describe, expect, test } from 'vitest'
import { loadConfig } from '../../../main/settings/config.ts'
import { makeUser } from '../../../testing/factories.ts'
import { servicesHost, servicesSecret, withMailServices } from '../../../testing/servers/mail-services.ts'
import { useTestApp } from '../../../testing/test-app.ts'

const calls = [
  'GET /api/webhooks/nginx',
  'GET /api/webhooks/nginx-roundcube',
  'GET /api/webhooks/nginx-httpauth',
  'POST /api/webhooks/cyrus-sasl',
]

const proof = { 'x-services-secret': servicesSecret }

describe('without configured mail servers', () => {
  const app = useTestApp()

  test.each(calls)('%s does not exist', async (call) => {
    expect((await app().call(call, { host: servicesHost, headers: proof })).status).toBe(404)
  })
})

describe('with configured mail servers', () => {
  const app = useTestApp(withMailServices)
  const ask = async (call: string, options: Parameters<ReturnType<typeof app>['call']>[1]) =>
    (await app().call(call, { host: servicesHost, headers: proof, ...options })).status

  test.each(calls)('%s responds to callers with the secret', async (call) => {
    const isThere = await ask(call, {})
    expect(call.startsWith('GET') ? isThere === 200 : isThere === 403).toBe(true)
  })

  test.each(calls)('%s does not exist for anyone else', async (call) => {
    const wrong: Parameters<typeof ask>[1][] = [
      { headers: {} },
      { headers: { 'x-services-secret': '' } },
      { headers: { 'x-services-secret': `${servicesSecret}x` } },
      { headers: { 'x-services-secret': servicesSecret.toUpperCase() } },
      { host: 'localhost:8000' },
      { host: 'services.localhost.evil.test' },
      { host: 'admin.localhost' },
      { ip: '198.51.100.9' },
      { headers: { ...proof, 'x-client-ip': '127.0.0.1' }, ip: '198.51.100.9' },
      { headers: { ...proof, 'x-client-ip': '127.0.0.1' } },
      { headers: { ...proof, 'x-forwarded-for': 'nobody' } },
    ]
    for (const options of wrong) expect(await ask(call, options)).toBe(404)
  })

  test('the secret in the query is rejected, because queries end up in logs', async () => {
    const query = `?secret=${encodeURIComponent(servicesSecret)}`
    for (const call of calls) expect(await ask(`${call}${query}`, { headers: {} })).toBe(404)
  })

  test("the rejection doesn't reveal what was wrong", async () => {
    const options = { host: servicesHost, headers: {} }
    const refused = await app().call('GET /api/webhooks/nginx', options)
    const unknown = await app().call('GET /api/webhooks/nothing', { host: servicesHost })
    expect(refused.body).toEqual(unknown.body)
  })

  test('a portal session grants no access', async () => {
    const user = await makeUser(app())
    const { body } = await app().call('POST /api/auth/login', { body: user })
    expect(await ask('GET /api/webhooks/nginx', { token: body.access_token, headers: {} })).toBe(404)
  })
})

describe('while the secret is rotated', () => {
  const app = useTestApp({
    ...withMailServices,
    SERVICES_SECRET: `${servicesSecret}, ${'n'.repeat(32)}`,
    SERVICES_ALLOW: '198.51.100.0/24',
    APP_SERVICES_ALLOWED_DOMAINS: 'Portal.internal',
  })

  test.each([servicesSecret, 'n'.repeat(32)])(
    'both are good, from the networks and under the names that are set',
    async (secret) => {
      const ask = async (host: string, ip: string) =>
        (await app().call('GET /api/webhooks/nginx', { host, ip, headers: { 'x-services-secret': secret } }))
          .status
      expect(await ask('portal.internal:8000', '198.51.100.9')).toBe(200)
      expect(await ask(servicesHost, '198.51.100.9')).toBe(404)
      expect(await ask('portal.internal', '127.0.0.1')).toBe(404)
    },
  )
})

describe('a server fails to start', () => {
  test.each([
    ['without a secret', { APP_WITH_SERVICES: '1' }, 'SERVICES_SECRET: required with APP_WITH_SERVICES'],
    ['with a short one', { APP_WITH_SERVICES: '1', SERVICES_SECRET: 'short' }, 'at least 32'],
    ['with one of two short', { SERVICES_SECRET: `${servicesSecret},x` }, 'at least 32'],
    ['with a network that is none', { SERVICES_ALLOW: '10.0.0.0/99' }, 'SERVICES_ALLOW'],
    ['with a relative socket', { SASLAUTHD_SOCKET: 'mux' }, 'SASLAUTHD_SOCKET'],
    ['with a port that is none', { IMAP_PORT: '0' }, 'IMAP_PORT'],
  ])('%s', (_what, settings, says) => {
    expect(() => loadConfig(settings)).toThrow(says)
  })
})
