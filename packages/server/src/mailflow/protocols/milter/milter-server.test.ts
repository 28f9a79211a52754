import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { ProtocolServer } from '../connections/protocol-server.ts'
import { ManualTimers } from '../testing/manual-timers.ts'
import { MilterClient, say } from '../testing/milter-client.ts'
import { Observations } from '../testing/observations.ts'
import { TestClient } from '../testing/test-client.ts'
import type { MilterCommand } from './commands.ts'
import { headerSection } from './message-headers.ts'
import type { MilterHandler, MilterMessage, MilterService } from './milter-handler.ts'
import { createMilterServer } from './milter-server.ts'

const patient = { timeout: 15_000, interval: 5 }

let timers: ManualTimers
let seen: Observations
let server: ProtocolServer<MilterCommand>

async function listen(handler: Partial<MilterHandler> = {}, service: Partial<MilterService> = {}) {
  server = createMilterServer(
    {
      name: 'filter',
      actions: ['add-headers', 'change-headers', 'replace-body', 'quarantine'],
      wantsBody: true,
      fallback: (stage, failure) => ({ verdict: 'tempfail', reply: `451 4.3.0 ${stage} ${failure}` }),
      ...service,
      handler: { message: async () => ({ verdict: 'continue' }), ...handler },
    },
    { timers, observer: seen },
  )
  return await server.listen({ host: '127.0.0.1', port: 0 })
}

const start = async (handler?: Partial<MilterHandler>, service?: Partial<MilterService>, steps?: number) =>
  await MilterClient.connect(await listen(handler, service), steps)

const envelope = [say.mail('a@example.test'), say.recipient('b@example.test')]
const headers = [say.header('Subject', ' Hi'), say.header('X-Folded', ' a\n\tb'), say.endOfHeaders()]

async function read(message: MilterMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of message.body) chunks.push(chunk)
  return Buffer.concat([headerSection(message.headers), ...chunks]).toString()
}

beforeEach(() => {
  timers = new ManualTimers()
  seen = new Observations()
})

afterEach(async () => {
  const closed = server.close()
  timers.advance(15_000)
  await closed
  expect(server.connections).toBe(0)
  expect(timers.pending).toBe(0)
})

describe('a milter', () => {
  test('judges messages of one connection with all that is known about them', async () => {
    const found: unknown[] = []
    const client = await start({
      message: async (message) => {
        const { connection, macros, sender, recipients } = message.envelope
        const facts = { ...connection, macros: [...connection.macros, ...macros] }
        found.push({ ...facts, sender: sender.address, to: recipients.map(({ address }) => address) })
        found.push(await read(message))
        return { verdict: 'accept' }
      },
    })
    client.send(say.macros('C', { j: 'mx' }), say.connect(), say.helo())
    client.send(say.macros('M', { '{auth_authen}': 'a' }), ...envelope)
    client.send(say.macros('N', { i: 'Q1' }), ...headers)
    expect(await client.ask(say.body('one\r\n'))).toBe('c')
    expect(await client.ask(say.end('two\r\n'))).toBe('a')
    // the next message has macros of its own
    client.send(
      say.macros('M', { i: 'Q2' }),
      say.mail(''),
      say.recipient('c@example.test'),
      say.endOfHeaders(),
    )
    expect(await client.ask(say.end())).toBe('a')
    const client0 = { name: 'client.test', family: 'ipv4', address: '192.0.2.1', port: 0xc001 }
    const connection = { client: client0, helo: 'client.test' }
    expect(found).toEqual([
      {
        ...connection,
        macros: [
          ['j', 'mx'],
          ['auth_authen', 'a'],
          ['i', 'Q1'],
        ],
        sender: 'a@example.test',
        to: ['b@example.test'],
      },
      'Subject: Hi\r\nX-Folded: a\r\n\tb\r\n\r\none\r\ntwo\r\n',
      {
        ...connection,
        macros: [
          ['j', 'mx'],
          ['i', 'Q2'],
        ],
        sender: '',
        to: ['c@example.test'],
      },
      '\r\n',
    ])
    expect(await client.ask(say.quit())).toBe('closed')
  })

  test('decides at each stage that its handler knows', async () => {
    const client = await start({
      connect: async () => ({ verdict: 'continue' }),
      helo: async () => ({ verdict: 'reject' }),
      mail: async ({ sender }) =>
        sender.address === 'bad' ? { verdict: 'reject', reply: '553 5.1.7 100%' } : { verdict: 'continue' },
      recipient: async ({ address }) => ({ verdict: address === 'bad' ? 'tempfail' : 'continue' }),
      data: async ({ recipients }) => ({ verdict: recipients.length === 1 ? 'continue' : 'discard' }),
    })
    expect(await client.ask(say.connect())).toBe('c')
    expect(await client.ask(say.helo())).toBe('r')
    expect(await client.ask(say.mail('bad'))).toBe('y553 5.1.7 100%%\0')
    expect(await client.ask(say.mail('good'))).toBe('c')
    expect(await client.ask(say.recipient('bad'))).toBe('t')
    expect(await client.ask(say.recipient('good'))).toBe('c')
    expect(await client.ask(say.data())).toBe('c')
    client.send(...headers)
    expect(await client.ask(say.end())).toBe('c')
    expect(seen.answers.map(({ label }) => label)).toEqual([
      'connect',
      'helo',
      'mail',
      'mail',
      'recipient',
      'recipient',
      'data',
      'message',
    ])
  })

  test('replies to every command of a mail server without extensions', async () => {
    const client = await start({}, {}, 0)
    const packets = [say.connect(), say.helo(), ...envelope, say.data(), ...headers, say.body('x'), say.end()]
    for (const packet of packets) expect(await client.ask(packet)).toBe('c')
  })

  test('sends edits, a new body in chunks, and the quarantine', async () => {
    const pieces = [Buffer.alloc(100_000, 'x'), Buffer.from('end')]
    const client = await start({
      message: async () => ({
        verdict: 'continue',
        edits: [{ edit: 'insert-header', index: 0, name: 'X-A', value: 'b' }],
        body: pieces,
        quarantine: 'why',
      }),
    })
    client.send(...envelope, ...headers, say.end())
    const replies = await client.verdict()
    expect(replies.map((reply) => `${reply.charAt(0)} ${reply.length - 1}`)).toEqual([
      'i 11',
      'b 65535',
      'b 34465',
      'b 3',
      'q 4',
      'c 0',
    ])
  })

  test('empties a body', async () => {
    const client = await start({ message: async () => ({ verdict: 'accept', body: [] }) })
    client.send(...envelope, say.end('old'))
    expect(await client.verdict()).toEqual(['b', 'a'])
  })

  test('lets nothing through if a new body breaks off or takes too long', async () => {
    async function* broken() {
      yield Buffer.from('half')
      throw new Error('disk full')
    }
    async function* stuck() {
      yield Buffer.from('half')
      await new Promise(() => undefined)
    }
    let body: () => AsyncGenerator<Buffer> = broken
    const client = await start({ message: async () => ({ verdict: 'accept', body: body() }) })
    client.send(...envelope, say.end())
    expect(await client.verdict()).toEqual(['bhalf', 't'])
    body = stuck
    client.send(...envelope, say.end())
    expect(await client.reply()).toBe('bhalf')
    await vi.waitFor(() => expect(timers.pending).toBe(1), patient)
    timers.advance(60_000)
    expect(await client.reply()).toBe('t')
  })
})

describe('a milter with a slow or broken handler', () => {
  test('asks the mail server to wait, and gives the fallback answer after the budget', async () => {
    const client = await start({ message: () => new Promise(() => undefined) })
    client.send(...envelope, ...headers, say.end())
    const replies: string[] = []
    for (let step = 0; step < 5; step++) {
      await vi.waitFor(() => expect(timers.pending).toBe(2), patient)
      timers.advance(10_000)
      replies.push(await client.reply())
    }
    await vi.waitFor(() => expect(timers.pending).toBe(2), patient)
    timers.advance(10_000)
    expect(replies).toEqual(['p', 'p', 'p', 'p', 'p'])
    expect((await client.verdict()).at(-1)).toBe('y451 4.3.0 message timed-out\0')
  })

  test.each<[string, MilterHandler['message']]>([
    ['throws', () => Promise.reject(new Error('down'))],
    [
      'answers what cannot be sent',
      async () => ({ verdict: 'accept', edits: [{ edit: 'add-recipient', address: 'a@b' }] }),
    ],
  ])('gives the fallback answer if it %s, and goes on', async (_what, message) => {
    const client = await start({ message, mail: () => Promise.reject(new Error('down')) })
    expect(await client.ask(say.mail('a'))).toBe('y451 4.3.0 mail failed\0')
    expect(await client.ask(say.data())).toBe('t')
    await server.close()
    const open = await start({ message })
    open.send(...envelope, say.body('x'))
    await open.reply()
    expect(await open.ask(say.end())).toBe('y451 4.3.0 message failed\0')
    open.send(...envelope)
    expect(await open.ask(say.end())).toBe('y451 4.3.0 message failed\0')
  })

  test('tells it when the message is aborted or the connection is lost', async () => {
    const signals: AbortSignal[] = []
    const client = await start({
      message: (_message, signal) => {
        signals.push(signal)
        return new Promise(() => undefined)
      },
    })
    client.send(...envelope, ...headers, say.abort(), ...envelope, ...headers)
    await vi.waitFor(() => expect(signals.length).toBe(2), patient)
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, false])
    client.tcp.reset()
    await vi.waitFor(() => expect(signals[1]?.aborted).toBe(true), patient)
  })
})

describe('a milter gives a defined answer to', () => {
  test.each<[string, readonly Buffer[], string]>([
    ['a body without sender', [say.body('x')], 't'],
    ['an end without sender', [say.end()], 't'],
    ['data without sender', [say.data()], 't'],
    ['an end without headers', [say.mail('a'), say.end()], 'c'],
    ['a body without end of headers', [say.mail('a'), say.header('A', 'b'), say.body('x')], 'c'],
    ['a header after the headers', [say.mail('a'), say.endOfHeaders(), say.header('A', 'b'), say.end()], 't'],
    [
      'a recipient after the headers',
      [say.mail('a'), say.endOfHeaders(), say.recipient('b'), say.end()],
      't',
    ],
    ['a second sender', [say.mail('a'), say.endOfHeaders(), say.mail('b'), say.end()], 'c'],
    ['the end after an abort', [say.mail('a'), say.abort(), say.end()], 't'],
    ['the end of the next connection', [say.mail('a'), say.nextConnection(), say.end()], 't'],
    ['twice the end of headers', [say.mail('a'), say.endOfHeaders(), say.endOfHeaders(), say.end()], 'c'],
    ['a second negotiation', [say.mail('a'), say.negotiate()], 'O'],
  ])('%s', async (_what, packets, expected) => {
    const client = await start()
    expect((await client.ask(...packets)).charAt(0)).toBe(expected)
  })

  test('a command before the negotiation: it closes', async () => {
    const client = await TestClient.connect(await listen())
    client.send(say.mail('a'))
    expect((await client.rest()).length).toBe(0)
    await vi.waitFor(() => expect(seen.endings).toEqual(['violation']), patient)
  })

  test('macros without end: it closes', async () => {
    const client = await start()
    for (let index = 0; index < 600; index++) client.send(say.macros('R', { [`name${index}`]: 'x' }))
    expect(await client.reply()).toBe('closed')
  })
})

describe('a milter connection', () => {
  test('may be silent before the headers, but not within a body', async () => {
    const signals: AbortSignal[] = []
    const client = await start({
      message: (_message, signal) => {
        signals.push(signal)
        return new Promise(() => undefined)
      },
    })
    client.send(...envelope)
    await vi.waitFor(() => expect(timers.pending).toBe(1), patient)
    timers.advance(7_000_000)
    expect(await client.ask(...headers, say.body('x'))).toBe('c')
    await vi.waitFor(() => expect(timers.pending).toBe(1), patient)
    timers.advance(30_000)
    expect(await client.reply()).toBe('closed')
    await vi.waitFor(() => expect(seen.endings).toEqual(['slow-request']), patient)
    expect(signals[0]?.aborted).toBe(true)
  })

  test('does not carry macros from one message to the next', async () => {
    const users: (string | undefined)[] = []
    const client = await start({
      mail: async ({ macros }) => {
        users.push(macros.get('auth_authen'))
        return { verdict: 'continue' }
      },
    })
    await client.ask(say.macros('M', { '{auth_authen}': 'alice' }), say.mail('a'))
    await client.ask(say.mail('b'))
    await client.ask(say.macros('M', { '{auth_authen}': 'bob' }), say.mail('c'))
    await client.ask(say.abort(), say.mail('d'))
    expect(users).toEqual(['alice', undefined, 'bob', undefined])
  })
})

describe('a milter that closes', () => {
  test('finishes the message that has begun', async () => {
    const client = await start({
      message: async (message) => ({ verdict: 'accept', body: [Buffer.from(await read(message))] }),
    })
    expect(await client.ask(...envelope, ...headers, say.body('one'))).toBe('c')
    const closed = server.close()
    client.send(say.end())
    expect(await client.verdict()).toEqual(['bSubject: Hi\r\nX-Folded: a\r\n\tb\r\n\r\none', 'a'])
    expect(await client.reply()).toBe('closed')
    await closed
    expect(seen.endings).toEqual(['drained'])
  })
})
