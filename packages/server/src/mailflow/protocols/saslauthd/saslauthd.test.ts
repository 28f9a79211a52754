import { execFile, fork } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Random } from '../../../billing/simulation/random.ts'
import { ProtocolViolation } from '../connections/protocol-errors.ts'
import type { ProtocolServer } from '../connections/protocol-server.ts'
import { SocketUnavailable } from '../connections/unix-socket.ts'
import { cut } from '../testing/cuts.ts'
import { ManualTimers } from '../testing/manual-timers.ts'
import { TestClient } from '../testing/test-client.ts'
import { encodeSaslauthdAnswer, SaslauthdDecoder, type SaslauthdRequest } from './saslauthd-request.ts'
import { createSaslauthdServer, type SaslauthdHandler } from './saslauthd-server.ts'

const run = promisify(execFile)
const testClient = '/usr/sbin/testsaslauthd'

/** alice, secret, imap, example.test */
const recorded = Buffer.from('0005616c69636500067365637265740004696d6170000c6578616d706c652e74657374', 'hex')

function decode(pieces: readonly Uint8Array[]): SaslauthdRequest | undefined {
  const decoder = new SaslauthdDecoder()
  let found: SaslauthdRequest | undefined
  for (const piece of pieces) {
    decoder.push(piece)
    found ??= decoder.next()
  }
  return found
}

const counted = (text: string | Buffer) => {
  const bytes = Buffer.from(text)
  return Buffer.concat([Buffer.from([bytes.length >> 8, bytes.length & 255]), bytes])
}
const fields = (...texts: readonly (string | Buffer)[]) => Buffer.concat(texts.map(counted))

describe('a saslauthd request', () => {
  test('is four counted strings, however they are cut', () => {
    const expected = { login: 'alice', password: 'secret', service: 'imap', realm: 'example.test' }
    expect(decode([recorded])).toEqual(expected)
    expect(decode([...recorded].map((byte) => Buffer.from([byte])))).toEqual(expected)
    const random = new Random(5)
    for (let run = 0; run < 100; run++) expect(decode(cut(recorded, random))).toEqual(expected)
    for (let length = 0; length < recorded.length; length++) {
      expect(decode([recorded.subarray(0, length)])).toBeUndefined()
    }
  })

  test('may have empty strings, NUL, and text in any language', () => {
    expect(decode([fields('', 'pä\0ss', '', '')])).toEqual({
      login: '',
      password: 'pä\0ss',
      service: '',
      realm: '',
    })
  })

  test.each([
    ['is larger than 16 KiB', fields('a', 'x'.repeat(20_000), '', '')],
    ['announces more than 16 KiB', Buffer.from([0xff, 0xff])],
    ['is not UTF-8', fields('a', Buffer.from([0xff]), 'imap', '')],
  ])('is refused if it %s', (_what, bytes) => {
    expect(() => decode([bytes])).toThrow(ProtocolViolation)
  })

  test('is answered with a counted OK or NO', () => {
    expect(encodeSaslauthdAnswer(true).toString('hex')).toBe('00024f4b')
    expect(encodeSaslauthdAnswer(false).toString('hex')).toBe('00024e4f')
  })
})

describe('the saslauthd socket', () => {
  const timers = new ManualTimers()
  const servers: ProtocolServer<SaslauthdRequest>[] = []
  let folder: string
  let path: string

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gatehouse-sasl-'))
    path = join(folder, 'mux')
  })

  afterEach(async () => {
    await Promise.all(servers.splice(0).map((server) => server.close()))
    await rm(folder, { recursive: true, force: true })
  })

  async function start(handler: SaslauthdHandler, mode = 0o660) {
    const server = createSaslauthdServer(handler, { timers })
    servers.push(server)
    await server.listen({ path, mode })
    return server
  }

  async function ask(bytes: Uint8Array): Promise<string> {
    const client = await TestClient.connect(path)
    client.send(bytes)
    return (await client.rest()).toString('latin1')
  }

  test('has the mode that is asked for and is removed at the end', async () => {
    const server = await start(async ({ password }) => password === 'secret', 0o606)
    expect((await stat(path)).mode & 0o777).toBe(0o606)
    expect(await ask(recorded)).toBe('\0\x02OK')
    expect(await ask(fields('alice', 'wrong', 'imap', ''))).toBe('\0\x02NO')
    await server.close()
    expect(await readdir(folder)).toEqual([])
  })

  test('answers one request and closes', async () => {
    await start(async () => true)
    expect(await ask(Buffer.concat([recorded, recorded]))).toBe('\0\x02OK')
  })

  test.each<[string, SaslauthdHandler]>([
    ['throws', () => Promise.reject(new Error('down'))],
    // a handler in plain JavaScript could answer this
    ['answers something truthy', async () => 'no' as unknown as boolean],
    [
      'takes too long',
      () => {
        queueMicrotask(() => timers.advance(10_000))
        return new Promise(() => undefined)
      },
    ],
  ])('says NO if the handler %s', async (_what, handler) => {
    await start(handler)
    expect(await ask(recorded)).toBe('\0\x02NO')
  })

  test('says NO to a request that breaks the protocol, without asking the handler', async () => {
    let calls = 0
    await start(async () => {
      calls++
      return true
    })
    expect(await ask(Buffer.from([0xff, 0xff]))).toBe('\0\x02NO')
    expect(await ask(fields('a', Buffer.from([0xff]), '', ''))).toBe('\0\x02NO')
    expect(calls).toBe(0)
  })

  test.skipIf(!existsSync(testClient))('understands the client of Cyrus SASL (sasl2-bin)', async () => {
    const asked: SaslauthdRequest[] = []
    await start(async (request) => {
      asked.push(request)
      return request.password === 'secret'
    })
    const call = (password: string) =>
      run(testClient, ['-f', path, '-u', 'alice', '-p', password, '-s', 'imap', '-r', 'example.test'])
    expect((await call('secret')).stdout).toContain('OK')
    await expect(call('wrong')).rejects.toThrow()
    expect(asked[0]).toEqual({ login: 'alice', password: 'secret', service: 'imap', realm: 'example.test' })
  })

  test('replaces a socket that a killed process left behind', async () => {
    const script = join(folder, 'killed.mjs')
    await writeFile(
      script,
      `import { createServer } from 'node:net'
       createServer().listen(${JSON.stringify(path)}, () => process.send('listening'))`,
    )
    const child = fork(script)
    await new Promise((resolve) => child.once('message', resolve))
    child.kill('SIGKILL')
    await new Promise((resolve) => child.once('exit', resolve))
    expect((await stat(path)).isSocket()).toBe(true)
    await start(async () => true)
    expect(await ask(recorded)).toBe('\0\x02OK')
  })

  test('takes no path that another process serves, or that is no socket', async () => {
    const other = createServer().listen(path)
    await new Promise((resolve) => other.once('listening', resolve))
    await expect(start(async () => true)).rejects.toThrow(SocketUnavailable)
    await new Promise((resolve) => other.close(resolve))
    await writeFile(path, 'a file')
    await expect(start(async () => true)).rejects.toThrow(SocketUnavailable)
  })

  test('leaves a socket alone at the end that another process has put in its place', async () => {
    const server = await start(async () => true)
    await rm(path)
    const other = createServer().listen(path)
    await new Promise((resolve) => other.once('listening', resolve))
    await server.close()
    expect((await stat(path)).isSocket()).toBe(true)
    await new Promise((resolve) => other.close(resolve))
  })
})
