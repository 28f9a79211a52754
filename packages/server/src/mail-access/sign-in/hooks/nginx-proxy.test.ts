import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { createTransport } from 'nodemailer'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { makeDevice } from '../../../testing/companions.ts'
import { type MadeUser, makeDomain, makeTotp, makeUser } from '../../../testing/factories.ts'
import { freePort } from '../../../testing/free-port.ts'
import { type SmallImapServer, startImapServer } from '../../../testing/servers/imap-server.ts'
import {
  limitGeo,
  makeAppPassword,
  saslVerdict,
  withMailServices,
} from '../../../testing/servers/mail-services.ts'
import { hasNginx, startNginx } from '../../../testing/servers/nginx.ts'
import { createTestApp, type TestApp } from '../../../testing/test-app.ts'

const patient = { timeout: 10_000 }

// without nginx, the title of the skipped suite says so
const title = hasNginx ? 'a real nginx' : 'a real nginx (not installed: nginx-light, libnginx-mod-mail)'

describe.skipIf(!hasNginx)(title, () => {
  let app: TestApp
  let nginx: AsyncDisposable
  let imap: SmallImapServer
  let smtp: SMTPServer
  let groupware: Server
  let user: MadeUser
  const ports = { portal: 0, imap: 0, smtp: 0, web: 0, groupware: 0 }
  const sent: { login: string; password: string }[] = []

  beforeAll(async () => {
    // like real servers, the servers behind the proxy verify with the portal again
    const isKnown = async (login: string, password: string, service: string) =>
      (await saslVerdict(app, { login, password }, { query: `?service=${service}` })) === 200
    imap = await startImapServer(({ login, password }) => isKnown(login, password, 'imap'))
    smtp = new SMTPServer({
      disabledCommands: ['STARTTLS'],
      allowInsecureAuth: true,
      onAuth: ({ username, password }, _session, done) => {
        const login = { login: username ?? '', password: password ?? '' }
        sent.push(login)
        void isKnown(login.login, login.password, 'smtp').then((isLetIn) =>
          isLetIn ? done(null, { user: login.login }) : done(new Error('refused')),
        )
      },
      onData: (stream, _session, done) => {
        stream.resume()
        stream.once('end', () => done())
      },
    })
    await new Promise<void>((listening) => smtp.listen(0, '127.0.0.1', () => listening()))
    groupware = createServer((request, response) => response.end(`calendar ${request.headers.authorization}`))
    await new Promise<void>((listening) => groupware.listen(0, '127.0.0.1', () => listening()))
    ports.groupware = (groupware.address() as AddressInfo).port // it listens on a port
    for (const name of ['imap', 'smtp', 'web', 'portal'] as const) ports[name] = await freePort()
    app = await createTestApp({
      ...withMailServices,
      APP_SERVICES_ALLOWED_DOMAINS: '127.0.0.1,services.localhost',
      IMAP_PORT: String(imap.port),
      SMTP_PORT: String((smtp.server.address() as AddressInfo).port), // the same
    })
    await makeDomain(app, 'example.test')
    await app.fastify.listen({ port: ports.portal, host: '127.0.0.1' })
    nginx = await startNginx(ports)
  })
  afterAll(async () => {
    await nginx[Symbol.asyncDispose]()
    await app.close()
    await imap[Symbol.asyncDispose]()
    await new Promise<void>((closed) => smtp.close(() => closed()))
    await new Promise((closed) => groupware.close(closed))
  })
  beforeEach(async () => {
    user = await makeUser(app)
  })

  /** Signs in like a mail client (RFC 4616); returns the responses to that and to a subsequent command. */
  function readMail(login: string, password: string): Promise<{ answer: string; next: string | undefined }> {
    const proof = Buffer.from(`\0${login}\0${password}`).toString('base64')
    return new Promise((resolve, reject) => {
      let text = ''
      let answer: string | undefined
      const socket = connect(ports.imap, '127.0.0.1')
      const finish = (next: string | undefined) => {
        socket.destroy()
        resolve({ answer: answer ?? '', next })
      }
      socket.once('error', reject)
      socket.once('close', () => finish(undefined))
      socket.on('data', (chunk: Buffer) => {
        text += chunk.toString()
        for (let end = text.indexOf('\r\n'); end >= 0; end = text.indexOf('\r\n')) {
          const line = text.slice(0, end)
          text = text.slice(end + 2)
          if (line.startsWith('* OK')) socket.write('a AUTHENTICATE PLAIN\r\n')
          else if (line.startsWith('+')) socket.write(`${proof}\r\n`)
          else if (line.startsWith('a ')) {
            answer = line
            if (line.startsWith('a OK')) socket.write('b NOOP\r\n')
            else finish(undefined)
          } else if (line.startsWith('b ')) finish(line)
        }
      })
    })
  }

  const send = async (login: string, password: string) => {
    const transport = createTransport({
      host: '127.0.0.1',
      port: ports.smtp,
      ignoreTLS: true,
      auth: { user: login, pass: password },
    })
    try {
      const mail = { from: user.email, to: 'somebody@example.test', text: 'Hello' }
      return (await transport.sendMail(mail)).response
    } catch (error) {
      return error instanceof Error ? error.message : String(error)
    } finally {
      transport.close()
    }
  }

  test('forwards a mail client to its mailbox, which verifies the same password', async () => {
    const { answer, next } = await readMail(user.email, user.password)
    expect(answer).toMatch(/^a OK/)
    expect(next).toBe('b OK done')
    expect(imap.seen.at(-1)).toEqual({ login: user.email, password: user.password })
  })

  test('passes the normalised login to the mailbox', async () => {
    expect((await readMail(user.email.toUpperCase(), user.password)).next).toBe('b OK done')
    expect(imap.seen.at(-1)?.login).toBe(user.email)
  })

  test.each([
    'with blanks',
    ' at the ends ',
    'plus+percent%41',
    'tab\tcontrol\u0001',
    'line\r\nAuth-Server: 203.0.113.66\r\nAuth-Port: 25',
    'Grüße 👋',
  ])('passes the password %j on unchanged', async (password) => {
    const own = await makeUser(app, { password })
    expect((await readMail(own.email, password)).next).toBe('b OK done')
    expect(imap.seen.at(-1)).toEqual({ login: own.email, password })
    expect(await send(own.email, password)).toMatch(/^250/)
    expect(sent.at(-1)).toEqual({ login: own.email, password })
  })

  test('rejects a wrong password after three seconds without contacting a mailbox', async () => {
    const before = imap.seen.length
    const begin = performance.now()
    const sending = send(user.email, 'wrong')
    expect((await readMail(user.email, 'wrong')).answer).toBe('a NO authentication failure')
    expect(performance.now() - begin).toBeGreaterThan(2500)
    expect(imap.seen).toHaveLength(before)
    expect(await sending).toContain('535 5.7.0 authentication failure')
  })

  test('limits an app password to its scopes', async () => {
    await makeTotp(app, user)
    const { secret } = await makeAppPassword(app, user, ['smtp'])
    expect(await send(user.email, secret)).toMatch(/^250/)
    const [reading, sending] = await Promise.all([
      readMail(user.email, secret),
      send(user.email, user.password),
    ])
    expect(reading.answer).toMatch(/^a NO/)
    expect(sending).toContain('535')
  })

  test('tells an SMTP client to retry when logins are throttled', async () => {
    // nginx delays each response for seconds
    await Promise.all(Array.from({ length: 6 }, (_, n) => send(user.email, `guess ${n}`)))
    expect(await send(user.email, user.password)).toContain('454 4.7.0')
  }, 60_000)

  test('waits for the companion device, whose decision the mailbox accepts', async () => {
    const { token } = await makeDevice(app, user)
    const pending = readMail(user.email, user.password)
    const [attempt] = await vi.waitUntil(async () => {
      const { body } = await app.call('GET /api/v4/auth-attempts/waiting', { token })
      return body.list.length > 0 && body.list
    }, patient)
    expect(attempt).toMatchObject({ ip: '127.0.0.1', service: 'imap' })
    await app.call(`POST /api/v4/auth-attempts/${attempt.id}/confirm`, { token, body: {} })
    expect((await pending).next).toBe('b OK done')
  })

  test('rejects a user from a blocked country', async () => {
    await limitGeo(app, user, ['CH'])
    expect((await readMail(user.email, user.password)).answer).toMatch(/^a NO/)
  })

  test('passes calendar requests with a correct password and those without credentials', async () => {
    const ask = async (login?: string, password = '') => {
      const authorization = `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}`
      const headers = new Headers(login === undefined ? [] : [['authorization', authorization]])
      const answer = await fetch(`http://127.0.0.1:${ports.web}/dav/`, { headers })
      return {
        status: answer.status,
        text: await answer.text(),
        asks: answer.headers.get('www-authenticate'),
      }
    }
    expect(await ask(user.email, user.password)).toMatchObject({ status: 200, text: /^calendar Basic/ })
    expect(await ask()).toMatchObject({ status: 200 })
    expect(await ask(user.email)).toMatchObject({
      status: 401,
      asks: 'Basic realm="Groupware", charset="UTF-8"',
    })
    expect(await ask(user.email, 'wrong')).toMatchObject({ status: 403 })
    const { secret } = await makeAppPassword(app, user, ['imap'])
    expect(await ask(user.email, secret)).toMatchObject({ status: 403 })
  })

  test('prevents a calendar client from forging the service or its address', async () => {
    const { secret } = await makeAppPassword(app, user, ['files'])
    const basic = (password: string) => `Basic ${Buffer.from(`${user.email}:${password}`).toString('base64')}`
    const ask = async (password: string, headers: Record<string, string>) => {
      const options = { headers: { authorization: basic(password), ...headers } }
      return (await fetch(`http://127.0.0.1:${ports.web}/dav/`, options)).status
    }
    expect(await ask(secret, { 'auth-protocol': 'files' })).toBe(403)
    await limitGeo(app, user, ['CH'])
    expect(await ask(user.password, { 'x-real-ip': '195.186.1.111' })).toBe(403)
    await limitGeo(app, user, [])
    expect(await ask(user.password, { 'x-forwarded-for': '203.0.113.7' })).toBe(200)
  })
})
