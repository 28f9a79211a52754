import { afterEach, describe, expect, test } from 'vitest'
import { Random } from '../../../billing/simulation/random.ts'
import { InvalidAnswer, ProtocolViolation } from '../connections/protocol-errors.ts'
import type { ProtocolServer } from '../connections/protocol-server.ts'
import { cut } from '../testing/cuts.ts'
import { ManualTimers } from '../testing/manual-timers.ts'
import { Observations } from '../testing/observations.ts'
import { type TakeReply, TestClient } from '../testing/test-client.ts'
import { NetstringDecoder, netstring } from './netstring.ts'
import { encodeSocketmapAnswer, type SocketmapAnswer } from './socketmap-answer.ts'
import { createSocketmapServer, readSocketmapRequest, type SocketmapService } from './socketmap-server.ts'

function decode(pieces: readonly (string | Buffer)[], most = 100_000): string[] {
  const decoder = new NetstringDecoder(most)
  const found: string[] = []
  for (const piece of pieces) {
    decoder.push(Buffer.from(piece))
    for (let next = decoder.next(); next !== undefined; next = decoder.next()) found.push(next.toString())
  }
  return found
}

describe('netstrings', () => {
  test.each([
    ['0:,', ['']],
    ['12:hello world!,', ['hello world!']],
    ['1:a,2:b,,3:c,d,', ['a', 'b,', 'c,d']],
    ['5:abc', []],
    ['12', []],
  ])('%j are %j', (text, expected) => {
    expect(decode([text])).toEqual(expected)
    expect(decode(text.split(''))).toEqual(expected)
  })

  test.each([
    'a',
    ':',
    '-1:',
    '01:a,',
    '00:,',
    '3:abcd',
    '2:abc',
    '1 :a,',
    '100001:',
    '99999999999999999999',
  ])('%j are refused', (text) => {
    expect(() => decode([text])).toThrow(ProtocolViolation)
    expect(() => decode(text.split(''))).toThrow(ProtocolViolation)
  })

  test('of exactly 100,000 bytes are read, however they are cut', () => {
    const bytes = netstring('x'.repeat(100_000))
    const random = new Random(4)
    expect(decode(cut(bytes, random)).map(({ length }) => length)).toEqual([100_000])
  })
})

describe('a socketmap answer', () => {
  test.each<[SocketmapAnswer, string]>([
    [{ status: 'ok', value: 'alice@example.test' }, '21:OK alice@example.test,'],
    [{ status: 'not-found' }, '9:NOTFOUND ,'],
    [{ status: 'temp', reason: 'later\nOK x' }, '15:TEMP later OK x,'],
    [{ status: 'timeout', reason: 'slow' }, '12:TIMEOUT slow,'],
    [{ status: 'perm', reason: 'no' }, '7:PERM no,'],
    [{ status: 'ok', value: 'ä' }, '5:OK ä,'],
  ])('%j is sent as %s', (answer, expected) => {
    expect(encodeSocketmapAnswer(answer).toString()).toBe(expected)
  })

  test.each(['', 'a\nb', 'a\r', 'a\0b', 'x'.repeat(99_998)])('cannot have the value %#', (value) => {
    expect(() => encodeSocketmapAnswer({ status: 'ok', value })).toThrow(InvalidAnswer)
  })
})

describe('a socketmap request', () => {
  test.each<[Buffer | string, unknown]>([
    ['aliases alice@example.test', { map: 'aliases', key: 'alice@example.test' }],
    ['aliases "a b"@example.test', { map: 'aliases', key: '"a b"@example.test' }],
    ['aliases ', { map: 'aliases', key: '' }],
    ['aliases', { status: 'perm', reason: 'Malformed request' }],
    [' key', { status: 'perm', reason: 'Malformed request' }],
    ['', { status: 'perm', reason: 'Malformed request' }],
    [Buffer.from([0x61, 0x20, 0xff]), { status: 'not-found' }],
  ])('%j is %j', (content, expected) => {
    expect(readSocketmapRequest(Buffer.from(content))).toEqual(expected)
  })
})

describe('the socketmap server', () => {
  const servers: ProtocolServer<Buffer>[] = []
  const timers = new ManualTimers()
  const observations = new Observations()
  const take: TakeReply<string> = (received) => {
    const [whole, length] = /^(\d+):/.exec(received.toString('latin1')) ?? []
    if (whole === undefined) return undefined
    const end = whole.length + Number(length)
    return received.length > end ? [received.toString('utf8', whole.length, end), end + 1] : undefined
  }

  async function start(service: SocketmapService): Promise<TestClient> {
    const server = createSocketmapServer(service, { timers, observer: observations })
    servers.push(server)
    return await TestClient.connect(await server.listen({ host: '127.0.0.1', port: 0 }))
  }

  afterEach(async () => {
    await Promise.all(servers.splice(0).map((server) => server.close()))
  })

  test('answers many look-ups of one connection', async () => {
    const client = await start({
      handler: async ({ map, key }) =>
        key === 'none' ? { status: 'not-found' } : { status: 'ok', value: `${map}/${key}` },
    })
    for (let index = 0; index < 50; index++) {
      client.send(netstring(`map ${index}`))
      expect(await client.receive(take)).toBe(`OK map/${index}`)
    }
    client.send(Buffer.concat(['a b', 'a none', 'ab', 'c d'].map((text) => netstring(text))))
    const replies = [await client.receive(take), await client.receive(take), await client.receive(take)]
    expect([...replies, await client.receive(take)]).toEqual([
      'OK a/b',
      'NOTFOUND ',
      'PERM Malformed request',
      'OK c/d',
    ])
  })

  test('asks for a retry when the handler throws, answers too much or takes too long', async () => {
    const client = await start({
      handler: async ({ key }, signal) => {
        if (key === 'throw') throw new Error('secret detail')
        if (key === 'long') return { status: 'ok', value: 'x'.repeat(200_000) }
        return await new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason))
          queueMicrotask(() => timers.advance(10_000))
        })
      },
    })
    const replies: (string | undefined)[] = []
    for (const key of ['throw', 'long', 'slow']) {
      client.send(netstring(`map ${key}`))
      replies.push(await client.receive(take))
    }
    expect(replies).toEqual([
      'TEMP Lookup unavailable',
      'TEMP Lookup unavailable',
      'TIMEOUT Lookup unavailable',
    ])
    expect(observations.answers.slice(-3).map(({ outcome }) => outcome)).toEqual([
      'failed',
      'failed',
      'timed-out',
    ])
  })

  test('closes the connection of a client that sends no netstring', async () => {
    const client = await start({ handler: async () => ({ status: 'not-found' }) })
    client.send('GET / HTTP/1.1\r\n\r\n')
    expect((await client.rest()).toString()).toBe('')
  })
})
