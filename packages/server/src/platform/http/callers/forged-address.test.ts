import { afterAll, describe, expect, test, vi } from 'vitest'
import { loadConfig } from '../../../main/settings/config.ts'
import { pairDevice } from '../../../testing/companions.ts'
import { makeUser, signInAs } from '../../../testing/factories.ts'
import { limitGeo } from '../../../testing/servers/mail-services.ts'
import { useTestApp } from '../../../testing/test-app.ts'
import { createHttpServer } from '../server.ts'

/** Attacks from behind the trusted proxy, which appends the real address and forwards everything else. */

const app = useTestApp({ METRICS_ALLOW: '127.0.0.1' })
const attacker = '203.0.113.7'

const spoofs = (address: string) => ({
  'x-client-ip': address,
  'x-real-ip': address,
  'cf-connecting-ip': address,
  forwarded: `for=${address}`,
  'x-forwarded-for': `${address}, ${attacker}`,
})

const login = (body: { email: string; password: string }, headers: Record<string, string>) =>
  app().call('POST /api/auth/login', { body: { ...body, async: true }, headers })

describe('a forged address', () => {
  test('does not bypass the confirmation on a companion device', async () => {
    const user = await makeUser(app())
    const { access_token: token } = await signInAs(app(), user)
    const device = await pairDevice(app(), token)
    const home = '198.51.100.10'
    const first = await login(user, { 'x-forwarded-for': home })
    const waiting = await app().call('GET /api/v4/auth-attempts/waiting', { token: device.token })
    const confirm = `POST /api/v4/auth-attempts/${waiting.body.list[0].id}/confirm`
    await app().call(confirm, { token: device.token, body: { number: first.body.number } })
    expect(first.status).toBe(202)
    expect((await login(user, { 'x-forwarded-for': home })).status).toBe(200)
    expect((await login(user, spoofs(home))).status).toBe(202)
  })

  test('does not bypass a geo-lock', async () => {
    const user = await makeUser(app())
    await limitGeo(app(), user, ['CH'])
    expect((await login(user, { 'x-forwarded-for': '195.186.1.111' })).status).toBe(200)
    expect((await login(user, spoofs('195.186.1.111'))).status).toBe(401)
  })

  test('does not bypass the throttle per address', async () => {
    const statuses = new Set<number>()
    for (let turn = 1; turn <= 60; turn++) {
      const guess = { email: `nobody-${turn}@example.test`, password: 'guess' }
      statuses.add((await login(guess, spoofs(`198.51.100.${turn}`))).status)
    }
    expect(statuses).toContain(429)
  })

  test('does not grant access to the metrics', async () => {
    const status = async (headers: Record<string, string>) =>
      (await app().call('GET /api/webhooks/metrics', { headers })).status
    expect(await status(spoofs('127.0.0.1'))).toBe(404)
    expect(await status({ 'x-client-ip': '127.0.0.1', 'x-forwarded-for': attacker })).toBe(404)
    expect(await status({ 'x-real-ip': '127.0.0.1' })).toBe(404)
    expect(await status({})).toBe(200)
  })

  test('does not determine the host, and thus the cockpit', async () => {
    const user = await makeUser(app(), { role: 'admin' })
    const { body } = await app().call('POST /api/auth/login', { body: user, host: 'admin.localhost' })
    const ask = (headers: Record<string, string>, host = 'localhost:8000') =>
      app().call('GET /api/v4/inspect-request', { token: body.access_token, host, headers })
    expect((await ask({}, 'admin.localhost')).status).toBe(200)
    expect((await ask({ 'x-forwarded-host': 'admin.localhost' })).status).toBe(404)
  })
})

describe('behind a proxy missing in TRUSTED_PROXIES', () => {
  const closing: (() => Promise<unknown>)[] = []
  afterAll(async () => {
    for (const close of closing) await close()
  })

  const serve = async (settings: Record<string, string>) => {
    const config = loadConfig({ LOG_LEVEL: 'silent', APP_URL: 'https://example.org', ...settings })
    const { fastify } = await createHttpServer(config, false)
    closing.push(() => fastify.close())
    fastify.get('/', async () => 'here')
    const warn = vi.spyOn(fastify.log, 'warn')
    const get = (remoteAddress: string, headers: Record<string, string> = {}) =>
      fastify.inject({ url: '/', remoteAddress, headers })
    return { get, warn }
  }

  test('production logs once which setting is missing', async () => {
    const { get, warn } = await serve({ NODE_ENV: 'production', TRUSTED_PROXIES: '192.0.2.1' })
    await get('192.0.2.1', { 'x-forwarded-for': attacker })
    await get('192.0.2.2')
    expect(warn).not.toHaveBeenCalled()
    await get('192.0.2.2', { 'x-forwarded-for': attacker })
    await get('192.0.2.2', { 'x-forwarded-for': attacker })
    expect(warn).toHaveBeenCalledOnce()
    expect(warn.mock.calls[0]?.[1]).toMatch(/^A request from 192\.0\.2\.2 .* add it to TRUSTED_PROXIES/)
  })

  test('development logs nothing', async () => {
    const { get, warn } = await serve({})
    await get('127.0.0.1', { 'x-forwarded-for': attacker })
    expect(warn).not.toHaveBeenCalled()
  })
})

describe('metrics behind an untrusted local proxy', () => {
  const local = useTestApp({ METRICS_ALLOW: '127.0.0.1', TRUSTED_PROXIES: undefined })

  test('are hidden from its clients and available to the machine itself', async () => {
    const status = async (headers: Record<string, string>) =>
      (await local().call('GET /api/webhooks/metrics', { headers })).status
    expect(await status({ 'x-forwarded-for': attacker })).toBe(404)
    expect(await status({ 'x-forwarded-for': '127.0.0.1' })).toBe(404)
    expect(await status({ forwarded: `for=${attacker}` })).toBe(404)
    expect(await status({ 'x-forwarded-proto': 'https' })).toBe(404)
    expect(await status({ via: '1.1 proxy' })).toBe(404)
    expect(await status({})).toBe(200)
  })
})
