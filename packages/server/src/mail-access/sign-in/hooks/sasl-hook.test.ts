import { beforeAll, describe, expect, test } from 'vitest'
import { type MadeUser, makeDomain, makeTotp, makeUser } from '../../../testing/factories.ts'
import {
  abroad,
  home,
  limitGeo,
  makeAppPassword,
  nginxVerdict,
  refusal,
  saslVerdict,
  servicesHost,
  servicesSecret,
  withMailServices,
} from '../../../testing/servers/mail-services.ts'
import { useTestApp } from '../../../testing/test-app.ts'

const app = useTestApp(withMailServices)
let user: MadeUser

beforeAll(async () => {
  await makeDomain(app(), 'example.test')
  user = await makeUser(app(), { email: 'jane@example.test' })
})

/** Sends a raw body and returns the response. */
async function send(body: string | Buffer, type = 'application/x-www-form-urlencoded'): Promise<number> {
  const { status } = await app().call('POST /api/webhooks/cyrus-sasl', {
    host: servicesHost,
    headers: { 'x-services-secret': servicesSecret, ...(type !== '' && { 'content-type': type }) },
    body,
  })
  return status
}

describe('saslauthd', () => {
  test('accepts a correct password, with the realm separate or in the login', async () => {
    expect(await send('jane example.test simple123')).toBe(200)
    expect(await send('jane%40example.test  simple123')).toBe(200)
    expect(await send('JANE EXAMPLE.TEST simple123')).toBe(200)
    expect(await send('jane example.test simple123\n')).toBe(200)
    expect(await send('jane example.test wrong')).toBe(403)
    expect(await send('jane elsewhere.test simple123')).toBe(403)
  })

  test.each(['', 'text/plain', 'application/json', 'application/x-www-form-urlencoded; charset=utf-8'])(
    'may call its body %j',
    async (type) => {
      expect(await send('jane example.test simple123', type)).toBe(200)
    },
  )

  test.each([
    ['nothing', ''],
    ['a login alone', 'jane'],
    ['two parts', 'jane simple123'],
    ['no password', 'jane example.test '],
    ['JSON', '{"user":"jane"}'],
    ['a form', 'user=jane&password=simple123'],
    ['no text', Buffer.from([0xff, 0xfe, 0x20, 0x20, 0x61])],
    ['an encoded byte that is no text', 'jane example.test %ff'],
    ['a NUL', 'jane%00 example.test simple123'],
  ])('gets a rejection for %s', async (_what, body) => {
    expect(await send(body)).toBe(403)
  })

  test('gets no response to an oversized request', async () => {
    expect(await send(`jane example.test ${'x'.repeat(20_000)}`)).toBe(413)
  })

  test.each(['two words and more', ' blank at the ends ', '100%', 'a+b%20c', 'Grüße', 'line\r\nbreak'])(
    'may send the password %j',
    async (password) => {
      const own = await makeUser(app(), { password })
      expect(await saslVerdict(app(), { login: own.email, password })).toBe(200)
      expect(await saslVerdict(app(), { login: own.email, password: 'other' })).toBe(403)
    },
  )

  test('may leave spaces and percent signs in a password unencoded', async () => {
    const own = await makeUser(app(), { email: 'blank@example.test', password: 'two words 100%' })
    expect(await send(`blank example.test ${own.password}`)).toBe(200)
  })

  test('accepts technical users, unlike the other hooks', async () => {
    const technical = await makeUser(app(), { email: 'cyrus@example.test', role: 'service' })
    const login = { login: technical.email, password: technical.password }
    expect(await saslVerdict(app(), login)).toBe(200)
    expect(await nginxVerdict(app(), login)).toBe(refusal)
  })

  test.each([
    ['', ['imap'], 200],
    ['', ['smtp'], 200],
    ['', ['dav', 'files'], 403],
    ['?service=imap', ['imap'], 200],
    ['?service=imap', ['smtp', 'dav'], 403],
    ['?service=sieve', ['imap'], 200],
    ['?service=smtp', ['smtp'], 200],
    ['?service=smtp', ['imap'], 403],
    ['?service=HTTP', ['dav'], 200],
    ['?service=HTTP', ['imap', 'smtp', 'files'], 403],
    ['?service=ftp', ['imap', 'smtp', 'dav', 'files'], 403],
    ['?service=constructor', ['imap'], 403],
  ] as const)('with %j and an app password for %j gets %i', async (query, scopes, status) => {
    const { secret } = await makeAppPassword(app(), user, scopes)
    expect(await saslVerdict(app(), { login: user.email, password: secret }, { query })).toBe(status)
  })

  test('does not bypass a second factor', async () => {
    const own = await makeUser(app())
    await makeTotp(app(), own)
    expect(await saslVerdict(app(), { login: own.email, password: own.password })).toBe(403)
    const { secret } = await makeAppPassword(app(), own, ['imap'])
    expect(await saslVerdict(app(), { login: own.email, password: secret })).toBe(200)
  })
})

describe('a user who limits sign-in to a country', () => {
  test('is accepted without a client address for a minute after the proxy accepted them', async () => {
    const own = await makeUser(app())
    await limitGeo(app(), own, ['CH'])
    const login = { login: own.email, password: own.password }
    expect(await saslVerdict(app(), login)).toBe(403)
    expect(await nginxVerdict(app(), { ...login, ip: abroad })).toBe(refusal)
    expect(await saslVerdict(app(), login)).toBe(403)
    expect(await nginxVerdict(app(), login)).toBe('OK')
    expect(await saslVerdict(app(), login)).toBe(200)
    expect(await saslVerdict(app(), { ...login, password: 'wrong' })).toBe(403)
    app().clock.advance(60)
    expect(await saslVerdict(app(), login)).toBe(403)
  })

  test('is rejected once the limit has changed', async () => {
    const own = await makeUser(app())
    await limitGeo(app(), own, ['CH'])
    const login = { login: own.email, password: own.password }
    expect(await nginxVerdict(app(), login)).toBe('OK')
    await limitGeo(app(), own, ['DE'])
    expect(await saslVerdict(app(), login)).toBe(403)
  })

  test('is checked against the client address that a server sends', async () => {
    const own = await makeUser(app())
    await limitGeo(app(), own, ['CH'])
    const login = { login: own.email, password: own.password }
    const from = (ip: string) => saslVerdict(app(), login, { headers: { 'client-ip': ip } })
    expect(await from(home)).toBe(200)
    expect(await from(abroad)).toBe(403)
    expect(await from('nowhere')).toBe(403)
  })
})
