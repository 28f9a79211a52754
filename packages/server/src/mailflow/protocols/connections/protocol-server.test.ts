import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { PolicyAnswer } from '../policy/policy-answer.ts'
import type { PolicyRequest } from '../policy/policy-request.ts'
import { createPolicyServer, type PolicyService } from '../policy/policy-server.ts'
import { createSocketmapServer } from '../socketmap/socketmap-server.ts'
import { ManualTimers } from '../testing/manual-timers.ts'
import { Observations } from '../testing/observations.ts'
import { type TakeReply, TestClient } from '../testing/test-client.ts'
import { ProtocolViolation } from './protocol-errors.ts'
import type { ProtocolServer, ServerLimits } from './protocol-server.ts'

/** A handler whose answers are given one by one. */
class Desk {
  readonly asked: PolicyRequest[] = []
  readonly signals: AbortSignal[] = []
  readonly #answers: ((answer: PolicyAnswer) => void)[] = []

  readonly handler = (request: PolicyRequest, signal: AbortSignal): Promise<PolicyAnswer> => {
    this.asked.push(request)
    this.signals.push(signal)
    return new Promise((resolve) => this.#answers.push(resolve))
  }

  async waitFor(count: number): Promise<void> {
    await vi.waitFor(() => expect(this.asked.length).toBeGreaterThanOrEqual(count), { interval: 5 })
  }

  answer(index: number, text = `for ${this.asked[index]?.sender}`): void {
    this.#answers[index]?.({ action: 'hold', text })
  }
}

const request = (sender: string) => `request=smtpd_access_policy\nprotocol_state=RCPT\nsender=${sender}\n\n`

const take: TakeReply<string> = (received) => {
  const end = received.indexOf('\n\n')
  return end === -1 ? undefined : [received.toString('utf8', 0, end), end + 2]
}

const patient = { timeout: 15_000, interval: 10 }

let timers: ManualTimers
let seen: Observations
let desk: Desk
let server: ProtocolServer<PolicyRequest>

async function start(service: Partial<PolicyService> = {}, limits: Partial<ServerLimits> = {}) {
  server = createPolicyServer(
    {
      name: 'policy',
      handler: desk.handler,
      fallback: (_request, failure) => ({ action: 'hold', text: failure }),
      ...service,
    },
    { timers, observer: seen, limits },
  )
  const port = await server.listen({ host: '127.0.0.1', port: 0 })
  return { port, client: await TestClient.connect(port) }
}

beforeEach(() => {
  timers = new ManualTimers()
  seen = new Observations()
  desk = new Desk()
})

afterEach(async () => {
  const closed = server.close()
  timers.advance(15_000)
  await closed
  expect(server.connections).toBe(0)
  expect(timers.pending).toBe(0)
})

describe('a server', () => {
  test('answers requests of one connection one after the other', async () => {
    const { client } = await start({ handler: async ({ sender }) => ({ action: 'hold', text: sender }) })
    for (const sender of ['a', 'b', 'c']) {
      client.send(request(sender))
      expect(await client.receive(take)).toBe(`action=HOLD ${sender}`)
    }
    client.end()
    expect((await client.rest()).length).toBe(0)
    await vi.waitFor(() => expect(seen.endings).toEqual(['finished']))
    expect(seen.answers.map(({ label, outcome }) => `${label} ${outcome}`)).toEqual(
      Array(3).fill('rcpt answered'),
    )
  })

  test('replies in the order of the requests, even if a later handler finishes first', async () => {
    const { client } = await start()
    client.send(['a', 'b', 'c'].map(request).join(''))
    await desk.waitFor(3)
    for (const index of [2, 0, 1]) desk.answer(index)
    const replies = [await client.receive(take), await client.receive(take), await client.receive(take)]
    expect(replies).toEqual(['action=HOLD for a', 'action=HOLD for b', 'action=HOLD for c'])
  })

  test('processes at most four requests of a connection at once, and stops reading meanwhile', async () => {
    const { client } = await start()
    const many = Buffer.from(request('x'.repeat(4000)).repeat(5000))
    client.send(many)
    await desk.waitFor(4)
    await new Promise(setImmediate)
    expect(desk.asked.length).toBe(4)
    // the rest stays with the client and in the operating system
    expect(client.unsent).toBeGreaterThan(0)
    desk.answer(0)
    await desk.waitFor(5)
    await new Promise(setImmediate)
    expect(desk.asked.length).toBe(5)
    client.reset()
    // a paused server can't see that the client is gone, so the budget ends the handlers
    timers.advance(10_000)
    expect(desk.signals.slice(1).every(({ aborted }) => aborted)).toBe(true)
    await vi.waitFor(() => expect(seen.endings).toEqual(['broken']), patient)
  })

  test('gives replies to a client that has closed its own side', async () => {
    const { client } = await start()
    client.send(request('a'))
    client.end()
    await desk.waitFor(1)
    desk.answer(0)
    expect((await client.rest()).toString()).toBe('action=HOLD for a\n\n')
  })

  test('ignores errors of its observer', async () => {
    const broken = () => {
      throw new Error('metrics are broken')
    }
    server = createPolicyServer(
      { name: 'policy', handler: async () => ({ action: 'dunno' }), fallback: () => ({ action: 'dunno' }) },
      { timers, observer: { onAnswer: broken, onEnd: broken, onError: broken } },
    )
    const client = await TestClient.connect(await server.listen({ host: '127.0.0.1', port: 0 }))
    client.send(`${request('a')}rubbish\n`)
    expect((await client.rest()).toString()).toBe('action=DUNNO\n\n')
  })
})

describe('without an answer of the handler, a server', () => {
  test.each<[string, PolicyService['handler']]>([
    ['throws', () => Promise.reject(new Error('down'))],
    ['answers what is no reply', async () => ({ action: 'reply', reply: 'OK' })],
  ])('gives the fallback answer if it %s', async (_what, handler) => {
    const { client } = await start({ handler })
    client.send(request('a'))
    expect(await client.receive(take)).toBe('action=HOLD failed')
    expect(seen.errors.length).toBe(1)
    client.send(request('b'))
    expect(await client.receive(take)).toBe('action=HOLD failed')
  })

  test('gives the fallback answer after the budget, and reports how long it took', async () => {
    const { client } = await start()
    client.send(request('a'))
    await desk.waitFor(1)
    timers.advance(9999)
    expect(desk.signals[0]?.aborted).toBe(false)
    timers.advance(1)
    expect(desk.signals[0]?.aborted).toBe(true)
    expect(await client.receive(take)).toBe('action=HOLD timed-out')
    expect(seen.answers).toEqual([
      { protocol: 'policy', label: 'rcpt', outcome: 'timed-out', milliseconds: 10_000 },
    ])
  })

  test('does not call more handlers than allowed, including those that never end', async () => {
    const { client, port } = await start({}, { handlers: 2 })
    const other = await TestClient.connect(port)
    client.send(request('a') + request('b'))
    await desk.waitFor(2)
    other.send(request('c'))
    expect(await other.receive(take)).toBe('action=HOLD overloaded')
    timers.advance(10_000)
    expect(await client.receive(take)).toBe('action=HOLD timed-out')
    other.send(request('d'))
    expect(await other.receive(take)).toBe('action=HOLD overloaded')
    desk.answer(0)
    await vi.waitFor(() => expect(server.handlers).toBe(1))
    other.send(request('e'))
    await desk.waitFor(3)
  })

  test('closes the connection if the fallback answer is none either', async () => {
    const { client } = await start({
      handler: () => Promise.reject(new Error('down')),
      fallback: () => ({ action: 'reply', reply: 'OK' }),
    })
    client.send(request('a'))
    expect((await client.rest()).length).toBe(0)
    await vi.waitFor(() => expect(seen.endings).toEqual(['broken']))
  })

  test('closes it only after earlier replies, and leaves no rejection unhandled', async () => {
    const { client } = await start({
      handler: (request, signal) =>
        request.sender === 'b' ? Promise.reject(new Error('down')) : desk.handler(request, signal),
      fallback: () => ({ action: 'reply', reply: 'OK' }),
    })
    client.send(request('a') + request('b'))
    await vi.waitFor(() => expect(seen.answers.length).toBe(1))
    // unhandled rejections, which fail the run, are reported after a turn of the event loop
    await new Promise(setImmediate)
    desk.answer(0)
    expect((await client.rest()).toString()).toBe('action=HOLD for a\n\n')
  })

  test('aborts handlers when the client is gone', async () => {
    const { client } = await start()
    client.send(request('a'))
    await desk.waitFor(1)
    client.reset()
    await vi.waitFor(() => expect(desk.signals[0]?.aborted).toBe(true))
    await vi.waitFor(() => expect(seen.answers[0]?.outcome).toBe('abandoned'))
  })
})

describe('a server closes a connection', () => {
  test('that is silent between requests', async () => {
    const { client } = await start({ handler: async () => ({ action: 'dunno' }) })
    timers.advance(329_000)
    client.send(request('a'))
    expect(await client.receive(take)).toBe('action=DUNNO')
    await vi.waitFor(() => expect(timers.pending).toBe(1))
    timers.advance(329_000)
    expect(client.isClosed).toBe(false)
    timers.advance(1000)
    expect((await client.rest()).length).toBe(0)
    await vi.waitFor(() => expect(seen.endings).toEqual(['idle']))
  })

  test('whose request does not arrive in time, even if bytes keep coming', async () => {
    const { client } = await start()
    let isOver = false
    void client.rest().then(() => {
      isOver = true
    })
    for (let second = 0; !isOver; second++) {
      await client.sendAll(Buffer.from('r'))
      await new Promise(setImmediate)
      timers.advance(1000)
      expect(second).toBeLessThan(100)
    }
    await vi.waitFor(() => expect(seen.endings).toEqual(['slow-request']))
  })

  test('whose request never ends, without keeping it', async () => {
    const { port } = await start()
    const client = await TestClient.connect(port, true)
    const endless = Buffer.from(`sender=${'x'.repeat(64 * 1024)}`)
    for (let sent = 0; !client.isClosed; sent++) {
      await client.sendAll(endless)
      await new Promise(setImmediate)
      if (seen.errors.length > 0) timers.advance(1000)
      expect(sent).toBeLessThan(4000)
    }
    expect(seen.errors[0]).toBeInstanceOf(ProtocolViolation)
    await vi.waitFor(() => expect(seen.endings).toEqual(['violation']))
  })

  test('that breaks the protocol, after the replies that are due', async () => {
    const { client } = await start()
    client.send(`${request('a')}rubbish\n${request('b')}`)
    await desk.waitFor(1)
    desk.answer(0)
    expect((await client.rest()).toString()).toBe('action=HOLD for a\n\n')
    expect(desk.asked.length).toBe(1)
  })

  test('that does not read replies, with few of them waiting', async () => {
    await start()
    let calls = 0
    const tables = createSocketmapServer(
      {
        handler: async () => {
          calls++
          return { status: 'ok', value: 'x'.repeat(90_000) }
        },
      },
      { timers, observer: seen },
    )
    const client = await TestClient.connect(await tables.listen({ host: '127.0.0.1', port: 0 }))
    client.stopReading()
    client.send('5:map k,'.repeat(5000))
    await vi.waitFor(() => {
      timers.advance(1000)
      expect(seen.endings).toEqual(['slow-reader'])
    }, patient)
    // what the buffers of the operating system hold, not 450 MB
    expect(calls).toBeLessThan(500)
    client.reset()
    await tables.close()
  })

  test('beyond the limit of connections', async () => {
    const { client, port } = await start({ handler: async () => ({ action: 'dunno' }) }, { connections: 2 })
    const second = await TestClient.connect(port)
    const third = await TestClient.connect(port)
    expect((await third.rest()).length).toBe(0)
    for (const open of [client, second]) {
      open.send(request('a'))
      expect(await open.receive(take)).toBe('action=DUNNO')
    }
    expect(seen.endings).toEqual(['refused'])
    second.end()
    await second.rest()
    await vi.waitFor(() => expect(server.connections).toBe(1))
    const fourth = await TestClient.connect(port)
    fourth.send(request('a'))
    expect(await fourth.receive(take)).toBe('action=DUNNO')
  })
})

describe('a server that closes', () => {
  test('closes idle connections immediately and finishes requests in progress', async () => {
    const { client, port } = await start()
    const idle = await TestClient.connect(port)
    client.send(request('a'))
    await desk.waitFor(1)
    await vi.waitFor(() => expect(server.connections).toBe(2))
    const closed = server.close()
    expect((await idle.rest()).length).toBe(0)
    expect(client.isClosed).toBe(false)
    desk.answer(0)
    expect((await client.rest()).toString()).toBe('action=HOLD for a\n\n')
    await closed
    expect(seen.endings).toEqual(['drained', 'drained'])
    await expect(TestClient.connect(port)).rejects.toThrow()
  })

  test('waits for the grace time and no longer', async () => {
    const { client } = await start({}, { budget: 60_000 })
    client.send(request('a'))
    await desk.waitFor(1)
    const closed = server.close()
    timers.advance(14_999)
    expect(client.isClosed).toBe(false)
    timers.advance(1)
    await closed
    expect(seen.endings).toEqual(['cut'])
    expect(desk.signals[0]?.aborted).toBe(true)
  })
})
