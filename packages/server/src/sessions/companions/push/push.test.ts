import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { hostname } from 'node:os'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ForbiddenAddress } from '../../../platform/http/callers/public-address.ts'
import { type MadeDevice, pairDevice } from '../../../testing/companions.ts'
import { jobsDue, type MadeUser, makeUser, signInAs } from '../../../testing/factories.ts'
import { useTestApp } from '../../../testing/test-app.ts'
import { requireCompanion } from '../sign-in-gate.ts'
import { checkEndpoint, sendPush } from './push-request.ts'

const app = useTestApp({ PUSH_TO_PRIVATE: '1' })

interface Received {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

const received: Received[] = []
/** The push service's response status. */
let answer = 201
let service: Server
let origin = ''

beforeAll(async () => {
  service = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      received.push({ path: request.url ?? '', headers: request.headers, body: Buffer.concat(parts) })
      response.writeHead(answer).end()
    })
  })
  await new Promise<void>((listening) => service.listen(0, '127.0.0.1', listening))
  origin = `http://127.0.0.1:${(service.address() as AddressInfo).port}` // it listens on a port
})

afterAll(() => new Promise((closed) => service.close(closed)))

/** A browser with its keys. */
function makeBrowser(path: string) {
  const keys = createECDH('prime256v1')
  keys.generateKeys()
  const auth = randomBytes(16)
  const subscription = {
    endpoint: `${origin}${path}`,
    keys: { p256dh: keys.getPublicKey('base64url'), auth: auth.toString('base64url') },
  }
  /** Decrypts a message according to RFC 8291. */
  const read = (body: Buffer): unknown => {
    const salt = body.subarray(0, 16)
    const keyLength = body.readUInt8(20)
    const sender = body.subarray(21, 21 + keyLength)
    const info = Buffer.concat([Buffer.from('WebPush: info\0'), keys.getPublicKey(), sender])
    const secret = Buffer.from(hkdfSync('sha256', keys.computeSecret(sender), auth, info, 32))
    const key = Buffer.from(hkdfSync('sha256', secret, salt, 'Content-Encoding: aes128gcm\0', 16))
    const nonce = Buffer.from(hkdfSync('sha256', secret, salt, 'Content-Encoding: nonce\0', 12))
    const sealed = body.subarray(21 + keyLength)
    const decipher = createDecipheriv('aes-128-gcm', key, nonce)
    decipher.setAuthTag(sealed.subarray(-16))
    const text = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()])
    return JSON.parse(text.subarray(0, text.lastIndexOf(2)).toString())
  }
  return { subscription, read }
}

let user: MadeUser
let token: string
let device: MadeDevice
let browser: ReturnType<typeof makeBrowser>

const subscribe = (subscription: unknown, as = device.token) =>
  app().call('POST /api/v4/companion/push', { token: as, body: { subscription } })

const begin = (ip = '203.0.113.9') =>
  app().call('POST /api/auth/login', {
    ip,
    body: { email: user.email, password: user.password, async: true },
  })

const hasPush = async () =>
  (await app().call('GET /api/v4/companion', { token: device.token })).body.hasPush as boolean

beforeEach(async () => {
  answer = 201
  user = await makeUser(app())
  token = (await signInAs(app(), user)).access_token
  device = await pairDevice(app(), token)
  browser = makeBrowser('/phone')
  await app().jobs.drain()
  received.length = 0
})

describe('a push message', () => {
  test("notifies a device's browser of a pending sign-in, encrypted for that browser", async () => {
    expect((await subscribe(browser.subscription)).body).toEqual({ status: 'success' })
    expect(await hasPush()).toBe(true)
    await begin()
    await app().jobs.drain()
    expect(received).toMatchObject([
      { path: '/phone', headers: { ttl: '120', urgency: 'high', 'content-encoding': 'aes128gcm' } },
    ])
    const { list } = (await app().call('GET /api/v4/auth-attempts/waiting', { token: device.token })).body
    expect(browser.read(received[0]?.body ?? Buffer.alloc(0))).toEqual({
      title: 'Are you trying to sign in?',
      body: `${user.email} from 203.0.113.9 (AU)`,
      token: list[0].id,
    })
  })

  test('says that a password reset is pending rather than a sign-in', async () => {
    await subscribe(browser.subscription)
    const { database, clock, jobs } = app()
    const gate = { db: database.db, clock, jobs, watch: app().watch, isOffered: true }
    const reset = { userId: user.id, ip: '203.0.113.9', service: 'reset', wait: 'elsewhere' } as const
    await requireCompanion(gate, reset)
    await app().jobs.drain()
    expect(browser.read(received[0]?.body ?? Buffer.alloc(0))).toMatchObject({
      title: 'Are you setting a new password?',
    })
  })

  test('is signed with the key that the browser was given', async () => {
    await subscribe(browser.subscription)
    const { pushKey } = (await app().call('GET /api/v4/companion', { token: device.token })).body
    await begin()
    await app().jobs.drain()
    const [, jwt = '', key] = /^vapid t=([^,]+), k=(.+)$/.exec(received[0]?.headers.authorization ?? '') ?? []
    expect(key).toBe(pushKey)
    const [head = '', claims = '', signature = ''] = jwt.split('.')
    const point = Buffer.from(pushKey, 'base64url')
    const jwk = {
      kty: 'EC',
      crv: 'P-256',
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33).toString('base64url'),
    }
    const publicKey = createPublicKey({ key: jwk, format: 'jwk' })
    const bytes = Buffer.from(signature, 'base64url')
    expect(
      verify(
        'sha256',
        Buffer.from(`${head}.${claims}`),
        { key: publicKey, dsaEncoding: 'ieee-p1363' },
        bytes,
      ),
    ).toBe(true)
    expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({
      aud: origin,
      sub: 'mailto:noreply@localhost',
    })
  })

  test.each([404, 410])('that gets a %i response is the last one to that browser', async (status) => {
    await subscribe(browser.subscription)
    answer = status
    await begin()
    await app().jobs.drain()
    expect(received).toHaveLength(1)
    expect(await hasPush()).toBe(false)
    expect(await app().jobs.failed()).toEqual([])
  })

  test('is retried after a server error, and keeps the subscription', async () => {
    await subscribe(browser.subscription)
    answer = 503
    await begin()
    await app().jobs.drain()
    answer = 201
    await jobsDue(app())
    await app().jobs.drain()
    expect(received).toHaveLength(2)
    expect(await hasPush()).toBe(true)
  })

  test('is not sent for a sign-in that is no longer pending', async () => {
    await subscribe(browser.subscription)
    await begin()
    app().clock.advance(120)
    await app().jobs.drain()
    expect(received).toEqual([])
  })

  test('notifies the other devices that one was paired', async () => {
    await subscribe(browser.subscription)
    await pairDevice(app(), token, 'Tablet')
    await app().jobs.drain()
    expect(browser.read(received[0]?.body ?? Buffer.alloc(0))).toEqual({
      title: 'A device was paired',
      body: 'Tablet can now approve sign-ins to your account.',
    })
  })

  test('stops when the subscription is removed; the subscription is stored encrypted', async () => {
    await subscribe(browser.subscription)
    const { rows } = await app().database.pool.query<{ sealed: Buffer }>(
      'select push_subscription as sealed from companions where id = $1',
      [device.id],
    )
    expect(rows[0]?.sealed.toString('latin1')).not.toContain('127.0.0.1')
    await subscribe(null)
    expect(await hasPush()).toBe(false)
    await begin()
    await app().jobs.drain()
    expect(received).toEqual([])
  })
})

describe('the URL of a push service', () => {
  const secure = useTestApp()

  test.each([
    'http://push.example.org/x',
    'https://127.0.0.1/x',
    'https://10.1.2.3/x',
    'https://169.254.169.254/latest/meta-data',
    'https://[::1]/x',
    'https://[::ffff:10.0.0.1]/x',
    'https://[fd00::1]/x',
    'https://localhost/x',
    'https://2130706433/x',
    'https://push.example.org:8443/x',
    'https://user:secret@push.example.org/x',
  ])('cannot be %s', async (endpoint) => {
    expect(() => checkEndpoint(endpoint, false)).toThrow(ForbiddenAddress)
    const somebody = await makeUser(secure())
    const made = await pairDevice(secure(), (await signInAs(secure(), somebody)).access_token)
    const { status, body } = await secure().call('POST /api/v4/companion/push', {
      token: made.token,
      body: { subscription: { ...makeBrowser('/').subscription, endpoint } },
    })
    expect([status, Object.keys(body.errors)]).toEqual([422, ['subscription']])
  })

  test('is rejected if its name resolves to this machine', async () => {
    const message = { endpoint: `https://${hostname()}/x`, headers: {}, body: Buffer.from('x') }
    await expect(sendPush(message, false)).rejects.toThrow(ForbiddenAddress)
  })
})
