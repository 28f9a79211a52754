import { once } from 'node:events'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, describe, expect, test } from 'vitest'
import { chainHeader, proxyRules } from '../callers/client-address.ts'
import { createPatientServer, expectUpload, mostHalfOpen } from './slow-requests.ts'

const timeout = 1
let server: Server | undefined
const clients = new Set<Socket>()
const warned: string[] = []

afterEach(async () => {
  for (const client of clients) client.destroy()
  clients.clear()
  warned.length = 0
  const closing = server
  closing?.closeAllConnections()
  await new Promise((closed) => closing?.close(closed) ?? closed(undefined))
})

type Handler = (request: IncomingMessage, response: ServerResponse) => unknown

async function serve(handler: Handler, rules: { timeout?: number; trusted?: string[] } = {}): Promise<void> {
  server = createPatientServer((request, response) => void handler(request, response), {
    timeout: rules.timeout ?? timeout,
    proxies: proxyRules({ TRUSTED_PROXIES: rules.trusted ?? [], CLIENT_IP_HEADER: chainHeader }),
    onTooMany: (network) => warned.push(network),
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
}

const readAll: Handler = async (request, response) => {
  const body = await text(request).catch(() => undefined)
  response.end(`${body?.length}`)
}

/** Opens a connection from one of the loopback addresses. */
async function open(from = '127.0.0.1'): Promise<Socket> {
  const address = server?.address() as AddressInfo // it listens on a port
  const client = connect({ port: address.port, host: '127.0.0.1', localAddress: from })
  clients.add(client)
  client.on('error', () => client.destroy())
  await once(client, 'connect')
  return client
}

const head = (length: number, more = '') =>
  `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${length}\r\n${more}\r\n`

function closed(client: Socket): Promise<void> {
  return new Promise((resolve) => {
    if (client.closed) resolve()
    else client.once('close', () => resolve())
  })
}

/** Collects everything the server sends until it closes the connection, and the seconds until then. */
async function untilClosed(client: Socket): Promise<{ said: string; seconds: number }> {
  const start = performance.now()
  let said = ''
  client.on('data', (part) => {
    said += String(part)
  })
  await closed(client)
  return { said, seconds: (performance.now() - start) / 1000 }
}

async function answerTo(client: Socket): Promise<string> {
  const [part] = (await once(client, 'data')) as [Buffer]
  return String(part)
}

/** Sends a part every tenth of a second until stopped. */
function drip(client: Socket, part: string | Buffer): () => void {
  const timer = setInterval(() => client.write(part), 100)
  client.once('close', () => clearInterval(timer))
  return () => clearInterval(timer)
}

describe('incomplete requests are closed in time', () => {
  test.each([
    ['that sends nothing', '', undefined],
    ['with half a header', 'GET / HTTP/1.1\r\nHost:', undefined],
    ['with a header that drips', 'GET / HTTP/1.1\r\n', 'X: y\r\n'],
    ['with half a body', `${head(100)}abc`, undefined],
    ['with a body that drips', head(1_000_000), 'x'],
    [
      'with a chunked body that drips',
      'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n',
      '1\r\nx\r\n',
    ],
  ])('a request %s', async (_, first, more) => {
    await serve(readAll)
    const client = await open()
    if (first !== '') client.write(first)
    if (more !== undefined) drip(client, more)
    const { said, seconds } = await untilClosed(client)
    if (first !== '') expect(said).toMatch(/^HTTP\/1\.1 408 /)
    expect(seconds).toBeLessThan(4 * timeout)
  })

  test('a request whose response was sent before its body', async () => {
    await serve((_request, response) => response.writeHead(401).end())
    const client = await open()
    client.write(`${head(100)}abc`)
    const { said } = await untilClosed(client)
    expect(said).toMatch(/^HTTP\/1\.1 401 /)
  })
})

describe('longer than the timeout may take', () => {
  test('a response', async () => {
    await serve((_request, response) => {
      setTimeout(() => response.end('done'), 2000 * timeout)
    })
    const client = await open()
    client.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nab')
    expect(await answerTo(client)).toContain('done')
  })

  test('an upload that makes progress', async () => {
    await serve(async (request, response) => {
      expectUpload(request)
      await readAll(request, response)
    })
    const client = await open()
    const part = Buffer.alloc(1024)
    client.write(head(25 * part.length))
    drip(client, part)
    expect(await answerTo(client)).toContain(`${25 * part.length}`)
  })

  test('an upload that the server does not read', async () => {
    await serve((request, response) => {
      expectUpload(request)
      setTimeout(() => void readAll(request, response), 2500 * timeout)
    })
    const client = await open()
    const body = Buffer.alloc(20_000_000)
    client.write(head(body.length))
    client.write(body)
    expect(await answerTo(client)).toContain(`${body.length}`)
  })
})

test('closes an upload that stalls or trickles', async () => {
  await serve(async (request, response) => {
    expectUpload(request)
    await readAll(request, response)
  })
  for (const part of [undefined, 'x']) {
    const client = await open()
    client.write(head(1_000_000))
    if (part !== undefined) drip(client, part)
    expect((await untilClosed(client)).seconds).toBeLessThan(4 * timeout)
  }
})

describe('half-open connections of a network', () => {
  const send = async (count: number, from: string, text: string) => {
    const opened = await Promise.all(Array.from({ length: count }, () => open(from)))
    for (const client of opened) client.write(text)
    return opened
  }

  test('evict the oldest above a limit, without affecting other networks', async () => {
    await serve(readAll, { timeout: 60 })
    const [neighbour] = await send(1, '127.0.0.9', `${head(2)}a`)
    const opened = await send(mostHalfOpen + 50, '127.0.0.2', `${head(2)}a`)
    await Promise.all(opened.slice(0, 50).map(closed))
    const newest = opened.at(-1)
    if (newest === undefined || neighbour === undefined) throw new Error('nothing was opened')
    newest.write('b')
    neighbour.write('b')
    expect(await answerTo(newest)).toContain('200 OK')
    expect(await answerTo(neighbour)).toContain('200 OK')
    expect(new Set(warned)).toEqual(new Set(['127.0.0.2']))
  })

  test('are counted for the address named by a trusted proxy, never for the proxy', async () => {
    await serve(readAll, { timeout: 60, trusted: ['127.0.0.5'] })
    const [neighbour] = await send(1, '127.0.0.5', `${head(2, 'X-Forwarded-For: 198.51.100.7\r\n')}a`)
    const [internal] = await send(1, '127.0.0.5', `${head(2)}a`)
    await send(mostHalfOpen + 50, '127.0.0.5', `${head(2)}a`)
    const theirs = `${head(2, 'X-Forwarded-For: 2001:db8:1:2::1\r\n')}a`
    const opened = await send(mostHalfOpen + 50, '127.0.0.5', theirs)
    await Promise.all(opened.slice(0, 50).map(closed))
    for (const client of [neighbour, internal]) {
      if (client === undefined) throw new Error('nothing was opened')
      client.write('b')
      expect(await answerTo(client)).toContain('200 OK')
    }
    expect(new Set(warned)).toEqual(new Set(['2001:db8:1:2::/64']))
  })

  test('are no longer counted once the request is complete', async () => {
    await serve(readAll, { timeout: 60 })
    for (let round = 0; round < 3; round++) {
      const opened = await send(mostHalfOpen / 2, '127.0.0.2', `${head(1)}a`)
      const answers = await Promise.all(opened.map(answerTo))
      expect(answers.every((answer) => answer.includes('200 OK'))).toBe(true)
    }
    expect(warned).toEqual([])
  })
})
