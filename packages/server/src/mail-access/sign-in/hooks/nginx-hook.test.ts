import { appPasswordScopes } from '@gatehouse/contract/sessions/app-passwords'
import { domainStatus, userStatus } from '@gatehouse/contract/status'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  deleteUser,
  type MadeUser,
  makeAlias,
  makeDomain,
  makeTotp,
  makeUser,
  setStatus,
} from '../../../testing/factories.ts'
import {
  abroad,
  askNginx,
  home,
  limitGeo,
  makeAppPassword,
  nginxVerdict,
  type ProxyRequest,
  refusal,
  servicesHost,
  servicesSecret,
  withMailServices,
} from '../../../testing/servers/mail-services.ts'
import { createTestApp, useTestApp } from '../../../testing/test-app.ts'

const app = useTestApp({
  ...withMailServices,
  IMAP_HOST: '192.0.2.7',
  IMAP_PORT: '1143',
  IMAP_GUAM_PORT: '1144',
  SMTP_HOST: 'localhost',
  SMTP_PORT: '1587',
})

let user: MadeUser

beforeAll(async () => {
  await makeDomain(app(), 'example.test')
  user = await makeUser(app(), { email: 'jane@example.test' })
})

const ask = (change: Partial<ProxyRequest> = {}) =>
  askNginx(app(), { login: user.email, password: user.password, ...change })
const verdict = (change: Partial<ProxyRequest> = {}) =>
  nginxVerdict(app(), { login: user.email, password: user.password, ...change })

describe('the mail proxy gets', () => {
  test('the mail server of a user with a correct password', async () => {
    const { status, headers, body } = await ask()
    expect({ status, body }).toEqual({ status: 200, body: '' })
    expect(headers).toMatchObject({
      'auth-status': 'OK',
      'auth-server': '192.0.2.7',
      'auth-port': '1143',
      'auth-pass': 'simple123',
    })
    expect(headers).not.toHaveProperty('auth-wait')
    expect(headers).not.toHaveProperty('auth-user')
  })

  test("the resolved address of a server, since it doesn't accept names", async () => {
    const { headers } = await ask({ protocol: 'smtp' })
    expect(headers).toMatchObject({ 'auth-status': 'OK', 'auth-port': '1587' })
    expect(['127.0.0.1', '::1']).toContain(headers['auth-server'])
  })

  test("the IMAP filter's port for users who chose it, for IMAP only", async () => {
    const chooser = await makeUser(app(), { settings: { guam_enabled: 'true' } })
    const login = { login: chooser.email, password: chooser.password }
    expect((await ask(login)).headers['auth-port']).toBe('1144')
    expect((await ask({ ...login, protocol: 'smtp' })).headers['auth-port']).toBe('1587')
  })

  test('only a delay of three seconds if the password is wrong', async () => {
    const { status, headers } = await ask({ password: 'wrong' })
    const told = Object.entries(headers).filter(([name]) => name.startsWith('auth-'))
    expect({ status, told: Object.fromEntries(told) }).toEqual({
      status: 200,
      told: { 'auth-status': 'authentication failure', 'auth-wait': '3' },
    })
  })

  test('no delay after ten attempts, which closes the connection', async () => {
    const { headers } = await ask({ password: 'wrong', headers: { 'auth-login-attempt': '10' } })
    expect(headers).toMatchObject({ 'auth-status': 'authentication failure' })
    expect(headers).not.toHaveProperty('auth-wait')
  })

  test.each([
    ['no login', { 'auth-user': '' }],
    ['no password', { 'auth-pass': '' }],
    ['no protocol', { 'auth-protocol': '' }],
    ['another protocol', { 'auth-protocol': 'ftp' }],
    ['POP3, which is not set up', { 'auth-protocol': 'pop3' }],
    ['no address', { 'client-ip': '' }],
    ['an address that is none', { 'client-ip': 'localhost' }],
    ['a method that hides the password', { 'auth-method': 'cram-md5' }],
    ['SMTP without authentication', { 'auth-method': 'none' }],
    ['bytes that are no text', { 'auth-pass': '%ff%fe' }],
  ])('a failure with %s', async (_what, headers) => {
    expect(await verdict({ headers })).toBe(refusal)
  })

  test.each(['auth-user', 'auth-pass', 'auth-protocol', 'client-ip', 'auth-method', 'auth-login-attempt'])(
    'what holds without the header %s',
    async (missing) => {
      const headers = {
        'auth-method': 'plain',
        'auth-user': user.email,
        'auth-pass': user.password,
        'auth-protocol': 'imap',
        'auth-login-attempt': '1',
        'client-ip': home,
      }
      const rest = Object.fromEntries(Object.entries(headers).filter(([name]) => name !== missing))
      const answer = await app().call('GET /api/webhooks/nginx', {
        host: servicesHost,
        headers: { 'x-services-secret': servicesSecret, ...rest },
      })
      const isOptional = missing === 'auth-method' || missing === 'auth-login-attempt'
      expect(answer.status).toBe(200)
      expect(answer.headers['auth-status']).toBe(isOptional ? 'OK' : refusal)
    },
  )
})

describe('a login', () => {
  test.each(['JANE@EXAMPLE.TEST', 'Jane@Example.Test'])(
    '%s is the same one, and the mail server is told which',
    async (login) => {
      const { headers } = await ask({ login })
      expect(headers).toMatchObject({ 'auth-status': 'OK', 'auth-user': 'jane@example.test' })
    },
  )

  test('in an internationalised domain is found in any spelling', async () => {
    await makeDomain(app(), 'xn--bcher-kva.test')
    const reader = await makeUser(app(), { email: 'leser@xn--bcher-kva.test' })
    for (const login of ['leser@bücher.test', 'Leser@BÜCHER.test', 'leser@bu\u0308cher.test', reader.email]) {
      const { headers } = await ask({ login })
      expect(headers['auth-status']).toBe('OK')
    }
    expect((await ask({ login: 'leser@bücher.test' })).headers['auth-user']).toBe('leser@xn--bcher-kva.test')
  })

  test.each([
    'jäne@example.test',
    'jane',
    'jane@',
    '@example.test',
    'jane@example.test@example.test',
    'jane@example.test\0',
    'jane@example.test\r\nAuth-Status: OK',
    '%',
    'nobody@example.test',
    'jane@elsewhere.test',
  ])('%j is rejected', async (login) => {
    expect(await verdict({ login })).toBe(refusal)
  })

  test('that is far too long is rejected', async () => {
    expect(await verdict({ login: 'x'.repeat(3000) })).toBe(refusal)
    expect(await verdict({ login: `${'x'.repeat(3000)}@example.test` })).toBe(refusal)
  })

  test('with an alias is rejected', async () => {
    await makeAlias(app(), user, 'alias@example.test')
    expect(await verdict({ login: 'alias@example.test' })).toBe(refusal)
  })

  test('of a technical user is rejected from outside', async () => {
    const technical = await makeUser(app(), { email: 'cyrus@example.test', role: 'service' })
    expect(await verdict({ login: technical.email })).toBe(refusal)
  })
})

describe('a password', () => {
  test.each([
    'with blanks',
    ' leading and trailing ',
    'plus+percent%and%25',
    'tab\tand\u0001control',
    'line\r\nAuth-Server: 203.0.113.66\r\nAuth-Port: 25',
    'Grüße',
    'Grüße 👋',
    '"quotes" and \\backslash',
  ])('%j is decoded as it was typed', async (password) => {
    const own = await makeUser(app(), { password })
    const { status, headers } = await ask({ login: own.email, password })
    expect(status).toBe(200)
    expect(headers).toMatchObject({ 'auth-status': 'OK', 'auth-server': '192.0.2.7', 'auth-port': '1143' })
    // returned only if a header can contain it unchanged; otherwise nginx keeps its own
    const isPlain = /^[\x21-\x7e][\x20-\x7e]*[\x21-\x7e]$/.test(password)
    expect(headers['auth-pass']).toBe(isPlain ? password : undefined)
    expect(await verdict({ login: own.email, password: `${password}x` })).toBe(refusal)
  })

  test('may contain a percent sign that the client did not encode', async () => {
    const own = await makeUser(app(), { password: '100%sure%zz' })
    const headers = { 'auth-pass': '100%sure%zz' }
    expect(await verdict({ login: own.email, headers })).toBe('OK')
  })

  test('may contain non-ASCII characters that the client did not encode', async () => {
    const own = await makeUser(app(), { password: 'Grüße' })
    // UTF-8 bytes as Node passes them on
    const headers = { 'auth-pass': Buffer.from('Grüße').toString('latin1') }
    expect(await verdict({ login: own.email, headers })).toBe('OK')
  })
})

describe('an app password', () => {
  const protocols = [
    ['imap', 'imap'],
    ['smtp', 'smtp'],
  ] as const
  const cases = protocols.flatMap(([protocol, needed]) =>
    appPasswordScopes.map((scope) => ({ protocol, scope, is: scope === needed ? 'OK' : refusal })),
  )
  test.each(cases)('for $scope with $protocol: $is', async ({ protocol, scope, is }) => {
    const { secret } = await makeAppPassword(app(), user, [scope])
    expect(await verdict({ password: secret, protocol })).toBe(is)
    expect(await verdict({ password: secret.toUpperCase().replaceAll('-', ' '), protocol })).toBe(is)
  })

  test('is accepted until it expires', async () => {
    const until = new Date(app().clock.now().getTime() + 60_000)
    const { secret } = await makeAppPassword(app(), user, ['imap'], until)
    expect(await verdict({ password: secret })).toBe('OK')
    app().clock.advance(60)
    expect(await verdict({ password: secret })).toBe(refusal)
  })

  test('of another user is rejected', async () => {
    const other = await makeUser(app())
    const { secret } = await makeAppPassword(app(), other, ['imap'])
    expect(await verdict({ password: secret })).toBe(refusal)
    expect(await verdict({ login: 'nobody@example.test', password: secret })).toBe(refusal)
  })

  test('records when, where and for what it was used, only on success', async () => {
    const own = await makeUser(app())
    const { id, secret } = await makeAppPassword(app(), own, ['smtp'])
    const lastUse = () =>
      app()
        .database.db.selectFrom('appPasswords')
        .select(['lastUsedIp', 'lastUsedService', 'lastUsedAt'])
        .where('id', '=', id)
        .executeTakeFirst()
    await limitGeo(app(), own, ['CH'])
    const login = { login: own.email, password: secret, protocol: 'smtp' }
    expect(await verdict({ ...login, ip: abroad })).toBe(refusal)
    expect(await verdict({ ...login, protocol: 'imap' })).toBe(refusal)
    expect(await lastUse()).toMatchObject({ lastUsedAt: null })
    expect(await verdict(login)).toBe('OK')
    expect(await lastUse()).toEqual({
      lastUsedIp: home,
      lastUsedService: 'smtp',
      lastUsedAt: app().clock.now(),
    })
  })
})

describe('a user who', () => {
  test.each([
    ['suspended', userStatus.suspended, refusal],
    ['degraded', userStatus.degraded, 'OK'],
    ['restricted', userStatus.restricted, 'OK'],
  ])('is %s has mail access according to the status', async (_name, bit, is) => {
    const own = await makeUser(app())
    const { secret } = await makeAppPassword(app(), own, ['imap'])
    await setStatus(app(), own, userStatus.new | userStatus.active | userStatus.imapReady | bit)
    expect(await verdict({ login: own.email })).toBe(is)
    expect(await verdict({ login: own.email, password: secret })).toBe(is)
  })

  test('was deleted has no access, with either password', async () => {
    const own = await makeUser(app())
    const { secret } = await makeAppPassword(app(), own, ['imap'])
    await deleteUser(app(), own)
    expect(await verdict({ login: own.email })).toBe(refusal)
    expect(await verdict({ login: own.email, password: secret })).toBe(refusal)
  })

  test('still has to pay for the account has no access', async () => {
    const own = await makeUser(app(), { status: userStatus.new })
    expect(await verdict({ login: own.email })).toBe(refusal)
  })

  test('is in a suspended or deleted domain has no access', async () => {
    const id = await makeDomain(app(), 'closing.test')
    const own = await makeUser(app(), { email: 'jo@closing.test' })
    const { db } = app().database
    expect(await verdict({ login: own.email })).toBe('OK')
    const status = domainStatus.active | domainStatus.confirmed | domainStatus.suspended
    await db.updateTable('domains').set({ status }).where('id', '=', id).execute()
    expect(await verdict({ login: own.email })).toBe(refusal)
    const open = domainStatus.active | domainStatus.confirmed
    await db.updateTable('domains').set({ status: open }).where('id', '=', id).execute()
    expect(await verdict({ login: own.email })).toBe('OK')
    await app().database.pool.query('update domains set deleted_at = now() where id = $1', [id])
    expect(await verdict({ login: own.email })).toBe(refusal)
  })

  test('limits sign-in to a country has access only from there, and none if the country is unknown', async () => {
    const own = await makeUser(app())
    await limitGeo(app(), own, ['CH'])
    const login = { login: own.email }
    expect(await verdict(login)).toBe('OK')
    expect(await verdict({ ...login, ip: `::ffff:${home}` })).toBe('OK')
    for (const ip of [abroad, '10.0.0.1', '127.0.0.1', '::1']) {
      expect(await verdict({ ...login, ip })).toBe(refusal)
    }
    const { secret } = await makeAppPassword(app(), own, ['imap'])
    expect(await verdict({ ...login, password: secret, ip: abroad })).toBe(refusal)
    expect(await verdict({ ...login, password: secret })).toBe('OK')
  })

  test('has a second factor has access with an app password but not with the account password', async () => {
    const own = await makeUser(app())
    const { secret } = await makeAppPassword(app(), own, ['imap'])
    const code = await makeTotp(app(), own)
    expect(await verdict({ login: own.email })).toBe(refusal)
    expect(await verdict({ login: own.email, password: `${own.password}${code()}` })).toBe(refusal)
    expect(await verdict({ login: own.email, password: secret })).toBe('OK')
  })
})

describe("the webmail's proxy", () => {
  const askWebmail = (headers: Record<string, string>) =>
    app().call('GET /api/webhooks/nginx-roundcube', {
      host: servicesHost,
      headers: {
        'x-services-secret': servicesSecret,
        'auth-user': user.email,
        'auth-pass': user.password,
        'auth-protocol': 'imap',
        ...headers,
      },
    })

  test("sends the client's address in its own header and never gets the filtered port", async () => {
    const chooser = await makeUser(app(), { settings: { guam_enabled: 'true' } })
    const { headers } = await askWebmail({ 'auth-user': chooser.email, 'proxy-protocol-addr': home })
    expect(headers).toMatchObject({ 'auth-status': 'OK', 'auth-port': '1143' })
  })

  test.each([
    ['the usual header alone', { 'client-ip': home }],
    ['SMTP', { 'proxy-protocol-addr': home, 'auth-protocol': 'smtp' }],
    ['a wrong password', { 'proxy-protocol-addr': home, 'auth-pass': 'wrong' }],
  ])('is rejected with %s', async (_what, headers) => {
    expect((await askWebmail(headers)).headers['auth-status']).toBe(refusal)
  })
})

test('an unresolvable server is a temporary error, not a wrong password', async () => {
  await using lost = await createTestApp({ ...withMailServices, SMTP_HOST: 'nowhere.invalid' })
  const own = await makeUser(lost)
  const { headers } = await askNginx(lost, { login: own.email, password: own.password, protocol: 'smtp' })
  expect(headers).toMatchObject({
    'auth-status': 'temporary authentication failure',
    'auth-error-code': '454 4.7.0',
  })
})

test('POP3 opens the same mail as IMAP if configured', async () => {
  await using pop = await createTestApp({ ...withMailServices, POP3_PORT: '1110' })
  const own = await makeUser(pop)
  const { secret } = await makeAppPassword(pop, own, ['imap'])
  const { headers } = await askNginx(pop, { login: own.email, password: secret, protocol: 'pop3' })
  expect(headers).toMatchObject({ 'auth-status': 'OK', 'auth-port': '1110' })
})
