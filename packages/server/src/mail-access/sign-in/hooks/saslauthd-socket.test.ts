import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { type MadeUser, makeDomain, makeTotp, makeUser } from '../../../testing/factories.ts'
import { makeAppPassword } from '../../../testing/servers/mail-services.ts'
import { createTestApp, type TestApp } from '../../../testing/test-app.ts'

const run = promisify(execFile)
const asSaslauthd = '/usr/sbin/testsaslauthd'

const patient = { timeout: 10_000 }

let folder: string
let path: string
let app: TestApp
let user: MadeUser

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gatehouse-mux-'))
  path = join(folder, 'mux')
  app = await createTestApp({ SASLAUTHD_SOCKET: path })
  await makeDomain(app, 'example.test')
  await app.fastify.listen({ port: 0, host: '127.0.0.1' })
  await vi.waitUntil(() => existsSync(path), patient)
})
afterAll(async () => {
  await app.close()
  await rm(folder, { recursive: true, force: true })
})
beforeEach(async () => {
  user = await makeUser(app)
})

function counted(text: string | Buffer): Buffer {
  const bytes = Buffer.from(text)
  return Buffer.concat([Buffer.from([bytes.length >> 8, bytes.length & 255]), bytes])
}

/** Sends a request in parts and returns the socket's response. */
function say(parts: readonly Buffer[], socketPath = path): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(socketPath)
    const answer: Buffer[] = []
    socket.on('data', (chunk: Buffer) => answer.push(chunk))
    socket.once('error', reject)
    socket.once('close', () => resolve(Buffer.concat(answer).subarray(2).toString()))
    for (const part of parts) socket.write(part)
  })
}

const ask = (login: string, password: string, service = 'imap', realm = '') =>
  say([Buffer.concat([login, password, service, realm].map(counted))])

describe('the saslauthd socket', () => {
  test('accepts like saslauthd, with the domain as realm or in the login', async () => {
    const [local = '', domain = ''] = user.email.split('@')
    expect(await ask(local, user.password, 'imap', domain)).toBe('OK')
    expect(await ask(user.email, user.password)).toBe('OK')
    expect(await ask(user.email, 'wrong')).toBe('NO')
    expect(await ask(local, user.password)).toBe('NO')
    expect(await ask('', '')).toBe('NO')
  })

  test.each([
    ['imap', 'imap', 'OK'],
    ['smtp', 'imap', 'NO'],
    ['imap', 'sieve', 'OK'],
    ['smtp', 'smtp', 'OK'],
    ['dav', 'HTTP', 'OK'],
    ['imap', 'HTTP', 'NO'],
    ['imap', 'ssh', 'NO'],
  ] as const)('answers an app password for %s and the service %s with %s', async (scope, service, is) => {
    const { secret } = await makeAppPassword(app, user, [scope])
    await makeTotp(app, user)
    expect(await ask(user.email, secret, service)).toBe(is)
    expect(await ask(user.email, user.password, service)).toBe('NO')
  })

  test('accepts a request in single bytes', async () => {
    const bytes = Buffer.concat([user.email, user.password, 'imap', ''].map(counted))
    expect(await say([...bytes].map((byte) => Buffer.from([byte])))).toBe('OK')
  })

  test('rejects requests that are too long or not valid text', async () => {
    expect(await say([counted('x'.repeat(60_000))])).toBe('NO')
    expect(await say([...[user.email, Buffer.from([0xff]), 'imap', ''].map(counted)])).toBe('NO')
  })

  test('survives clients that disconnect', async () => {
    const socket = connect(path)
    await new Promise<void>((connected) => socket.once('connect', () => connected()))
    socket.write(counted(user.email))
    socket.destroy()
    expect(await ask(user.email, user.password)).toBe('OK')
  })
})

test.skipIf(!existsSync(asSaslauthd))("Debian's client works with the socket (sasl2-bin)", async () => {
  const call = (password: string) =>
    run(asSaslauthd, ['-f', path, '-u', user.email, '-p', password, '-s', 'imap'])
  expect((await call(user.password)).stdout).toContain('OK')
  await expect(call('wrong')).rejects.toThrow()
})

test('another process takes over when the serving one ends, even after a kill', async () => {
  const own = join(folder, 'shared')
  await writeFile(own, 'left behind')
  const first = await createTestApp({ SASLAUTHD_SOCKET: own })
  await using second = await createTestApp({ SASLAUTHD_SOCKET: own })
  const known = await makeUser(second, { email: 'second@example.test' })
  const request = [Buffer.concat([known.email, known.password, 'imap', ''].map(counted))]
  await first.fastify.listen({ port: 0, host: '127.0.0.1' })
  // the first one has a different, empty database
  await vi.waitFor(async () => expect(await say(request, own)).toBe('NO'), patient)
  await second.fastify.listen({ port: 0, host: '127.0.0.1' })
  expect(await say(request, own)).toBe('NO')
  await first.close()
  await vi.waitFor(async () => expect(await say(request, own)).toBe('OK'), patient)
})
