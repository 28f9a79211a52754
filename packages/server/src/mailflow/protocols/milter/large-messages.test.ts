import { createHash } from 'node:crypto'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { ProtocolServer } from '../connections/protocol-server.ts'
import { MilterClient, say } from '../testing/milter-client.ts'
import { Observations } from '../testing/observations.ts'
import type { MilterCommand } from './commands.ts'
import { collectBody, MessageBody } from './message-body.ts'
import type { MilterHandler, MilterService } from './milter-handler.ts'
import { createMilterServer } from './milter-server.ts'
import { longestChunk } from './packets.ts'

const megabyte = 1024 * 1024
const long = 60_000

const servers: ProtocolServer<MilterCommand>[] = []
let seen: Observations

async function start(handler: MilterHandler, service: Partial<MilterService> = {}): Promise<MilterClient> {
  seen = new Observations()
  const server = createMilterServer(
    {
      name: 'filter',
      actions: ['replace-body'],
      wantsBody: true,
      fallback: (_stage, failure) => ({ verdict: 'tempfail', reply: `451 4.3.0 ${failure}` }),
      ...service,
      handler,
    },
    { observer: seen },
  )
  servers.push(server)
  return await MilterClient.connect(await server.listen({ host: '127.0.0.1', port: 0 }))
}

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()))
})

const chunk = Buffer.alloc(longestChunk, 'a line of a message\r\n')

/** Bytes of buffers still in use. Without a collection first, the garbage of both sides would be counted. */
function buffersInUse(): number {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  return process.memoryUsage().arrayBuffers
}

describe('a message of 50 MB', () => {
  const chunks = Math.ceil((50 * megabyte) / longestChunk)

  test('is streamed to the handler with flat memory', { timeout: long }, async () => {
    let least = Number.POSITIVE_INFINITY
    const client = await start({
      async message({ body }) {
        const hash = createHash('sha256')
        for await (const piece of body) hash.update(piece)
        return { verdict: 'reject', reply: `550 5.7.1 ${hash.digest('hex')}` }
      },
    })
    client.send(say.mail('a'), say.recipient('b'), say.endOfHeaders())
    const expected = createHash('sha256')
    const before = buffersInUse()
    for (let sent = 0; sent < chunks; sent++) {
      expect(await client.ask(say.body(chunk))).toBe('c')
      expected.update(chunk)
      if (sent > chunks / 2 && sent % 50 === 0) least = Math.min(least, buffersInUse() - before)
    }
    expect(await client.ask(say.end())).toBe(`y550 5.7.1 ${expected.digest('hex')}\0`)
    // the least, because the collector frees buffers in the background; kept, 25 MB would be in use
    expect(least).toBeLessThan(5 * megabyte)
  })

  test('waits for a slow handler, of which it takes no more than 256 kB ahead', {
    timeout: long,
  }, async () => {
    let read: () => void = () => undefined
    const client = await start({
      async message({ body }) {
        await new Promise<void>((resolve) => {
          read = resolve
        })
        let size = 0
        for await (const piece of body) size += piece.length
        return { verdict: 'reject', reply: `550 5.7.1 ${size}` }
      },
    })
    client.send(say.mail('a'), say.endOfHeaders())
    for (let sent = 0; sent < chunks; sent++) client.send(say.body(chunk))
    client.send(say.end())
    let replies = 0
    const verdict = (async () => {
      for (;;) {
        const reply = await client.reply()
        if (reply !== 'c') return reply
        replies++
      }
    })()
    await vi.waitFor(() => expect(replies).toBe(4), { timeout: 10_000, interval: 5 })
    for (let turn = 0; turn < 100; turn++) await new Promise(setImmediate)
    expect(replies).toBe(4)
    read()
    expect(await verdict).toBe(`y550 5.7.1 ${chunks * longestChunk}\0`)
    expect(replies).toBe(chunks)
  })

  test('is not sent to its end if the handler reads only the beginning', async () => {
    const client = await start({
      async message({ body }) {
        for await (const _piece of body) break
        return { verdict: 'accept' }
      },
    })
    client.send(say.mail('a'), say.endOfHeaders())
    const replies = [await client.ask(say.body(chunk)), await client.ask(say.body(chunk))]
    expect(replies.at(-1)).toBe('s')
    expect(await client.ask(say.end())).toBe('a')
  })

  test('gets a new body of 50 MB, no faster than the mail server reads it', { timeout: long }, async () => {
    let produced = 0
    async function* body() {
      for (; produced < chunks; produced++) yield chunk
    }
    const client = await start({ message: async () => ({ verdict: 'accept', body: body() }) })
    client.tcp.stopReading()
    client.send(say.mail('a'), say.end('x'))
    let before = -1
    await vi.waitFor(
      () => {
        const stands = produced === before && produced > 0
        before = produced
        expect(stands).toBe(true)
      },
      { timeout: 20_000, interval: 500 },
    )
    expect(produced).toBeLessThan(chunks / 2)
    client.tcp.resumeReading()
    const replies = await client.verdict()
    expect(replies.length).toBe(chunks + 1)
    expect(replies.at(-1)).toBe('a')
  })
})

describe('limits of a message', () => {
  const accept: MilterHandler = { message: async () => ({ verdict: 'accept' }) }

  test('let 10,000 recipients pass, each with its own answer', { timeout: long }, async () => {
    const client = await start({
      async recipient({ address }) {
        return { verdict: address.endsWith('7') ? 'reject' : 'continue' }
      },
      async message({ envelope }) {
        return { verdict: 'reject', reply: `550 5.7.1 ${envelope.recipients.length}` }
      },
    })
    client.send(say.mail('a'))
    for (let index = 0; index < 10_000; index++) client.send(say.recipient(`user${index}`))
    const counts = new Map<string, number>()
    for (let index = 0; index < 10_000; index++) {
      const reply = await client.reply()
      counts.set(reply, (counts.get(reply) ?? 0) + 1)
    }
    expect(Object.fromEntries(counts)).toEqual({ c: 9000, r: 1000 })
    expect(await client.ask(say.end())).toBe('y550 5.7.1 9000\0')
  })

  test('refuse more recipients, with a reply where one is expected', async () => {
    const recipient = async () => ({ verdict: 'continue' }) as const
    const client = await start({ ...accept, recipient }, { limits: { recipients: 2 } })
    client.send(say.mail('a'))
    const replies: string[] = []
    for (const name of ['b', 'c', 'd']) replies.push(await client.ask(say.recipient(name)))
    expect(replies).toEqual(['c', 'c', 'y452 4.5.3 Too many recipients\0'])
    expect(await client.ask(say.end())).toBe('a')
    const silent = await start(accept, { limits: { recipients: 2 } })
    silent.send(say.mail('a'), ...['b', 'c', 'd'].map(say.recipient))
    expect(await silent.ask(say.end())).toBe('y451 4.3.0 too-large\0')
  })

  test.each<[string, MilterService['limits'], readonly Buffer[]]>([
    ['too many headers', { headers: 2 }, ['A', 'B', 'C'].map((name) => say.header(name, 'x'))],
    ['too long headers', { headerBytes: 100 }, [say.header('A', 'x'.repeat(100))]],
    ['a large last chunk', { body: 10 }, [say.endOfHeaders(), say.end('x'.repeat(11))]],
  ])('answer %s with the fallback', async (_what, limits, packets) => {
    let wasRead = 0
    const handler: MilterHandler = {
      async message({ body }) {
        for await (const piece of body) wasRead += piece.length
        return { verdict: 'accept' }
      },
    }
    const client = await start(handler, { limits })
    client.send(say.mail('a'), ...packets)
    const last = packets.at(-1)?.includes('E') === true ? [] : [say.end()]
    expect(await client.ask(...last)).toBe('y451 4.3.0 too-large\0')
    expect(wasRead).toBe(0)
    expect(seen.answers.at(-1)?.outcome).toBe('too-large')
  })

  test('decline the rest of a large body', async () => {
    const client = await start(
      {
        async message({ body }) {
          for await (const _piece of body) void _piece
          return { verdict: 'accept' }
        },
      },
      { limits: { body: 100_000 } },
    )
    client.send(say.mail('a'), say.endOfHeaders())
    expect(await client.ask(say.body(chunk))).toBe('c')
    expect(await client.ask(say.body(chunk))).toBe('s')
    expect(await client.ask(say.end())).toBe('y451 4.3.0 too-large\0')
  })
})

describe('a collected body', () => {
  const bodyOf = async (...pieces: readonly string[]) => {
    const body = new MessageBody()
    for (const piece of pieces) await body.push(Buffer.from(piece))
    body.complete()
    return body
  }

  test('is one buffer up to the limit', async () => {
    const spill = async () => 'spilled'
    expect(await collectBody(await bodyOf('ab', 'cd'), 4, spill)).toEqual(Buffer.from('abcd'))
    expect(await collectBody(await bodyOf(), 4, spill)).toEqual(Buffer.alloc(0))
  })

  test('beyond the limit goes to the callback, with the rest', async () => {
    const result = await collectBody(await bodyOf('abc', 'de', 'f', 'g'), 4, async (beginning, rest) => {
      const pieces: string[] = []
      for await (const piece of rest) pieces.push(piece.toString())
      return [beginning.toString(), ...pieces]
    })
    expect(result).toEqual(['abcde', 'f', 'g'])
  })

  test('is dropped if the callback leaves the rest unread', async () => {
    const body = await bodyOf('abc', 'de', 'f')
    expect(await collectBody(body, 1, async () => 'enough')).toBe('enough')
    expect(body.isUnwanted).toBe(true)
  })

  test('is read once', async () => {
    const body = await bodyOf('a')
    await collectBody(body, 4, async () => undefined)
    await expect(collectBody(body, 4, async () => undefined)).rejects.toThrow('can be read once')
  })
})
