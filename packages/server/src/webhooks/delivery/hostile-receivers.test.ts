import { createServer as createSecure } from 'node:https'
import type { AddressInfo } from 'node:net'
import { createServer, type Server, type Socket } from 'node:net'
import { hostname } from 'node:os'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { ForbiddenAddress } from '../../platform/http/callers/public-address.ts'
import { startReceiver } from '../../testing/servers/receiver.ts'
import { checkReceiver, MessageSender } from './send-message.ts'

const servers: Server[] = []
const sockets = new Set<Socket>()

afterEach(async () => {
  for (const socket of sockets) socket.destroy()
  await Promise.all(servers.splice(0).map((server) => new Promise((closed) => server.close(closed))))
})

/** Starts a server that gets each connection; returns its URL. */
async function start(onRequest: (socket: Socket) => void): Promise<string> {
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('data', () => onRequest(socket))
  })
  servers.push(server)
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/` // it listens on a port
}

const message = (url: string) => ({ url, headers: {}, body: '{}' })
const head = 'HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\n'

describe('a receiver', () => {
  test.each([
    ['that never answers', () => {}, 'timeout'],
    [
      'that never ends its headers',
      (socket: Socket) => void socket.write('HTTP/1.1 200 OK\r\nx: '),
      'timeout',
    ],
    ['that closes the connection', (socket: Socket) => void socket.end(), 'connection'],
    [
      'that speaks another protocol',
      (socket: Socket) => void socket.end('220 smtp.test ESMTP\r\n'),
      'connection',
    ],
    [
      'that sends 100 KB of headers',
      (socket: Socket) => void socket.write(`HTTP/1.1 200 OK\r\nx: ${'x'.repeat(100_000)}`),
      'connection',
    ],
  ])('%s is an error', async (_, onRequest, error) => {
    const sender = new MessageSender(true, 300)
    expect(await sender.send(message(await start(onRequest)))).toMatchObject({
      status: null,
      error,
      answer: '',
    })
    sender.close()
  })

  test('with an endless answer is cut off after 4 KiB', async () => {
    const url = await start((socket) => {
      socket.write(`${head}transfer-encoding: chunked\r\n\r\n`)
      const more = () => {
        while (!socket.destroyed && socket.write(`400\r\n${'y'.repeat(1024)}\r\n`)) {
          // until the buffer is full
        }
      }
      socket.on('drain', more)
      more()
    })
    const sender = new MessageSender(true, 5000)
    const outcome = await sender.send(message(url))
    expect(outcome).toMatchObject({ status: 200, answer: 'y'.repeat(4096) })
    await vi.waitFor(() => expect([...sockets].every(({ destroyed }) => destroyed)).toBe(true))
    sender.close()
  })

  test('with an answer of 100 MB is cut off', async () => {
    const url = await start((socket) => {
      socket.write(`${head}content-length: 100000000\r\n\r\n`)
      socket.write(Buffer.alloc(100_000_000, 'z'))
    })
    const sender = new MessageSender(true, 5000)
    expect((await sender.send(message(url))).answer).toBe('z'.repeat(4096))
    sender.close()
  })

  test.each([
    ['closes the connection within its answer', (socket: Socket) => void socket.end()],
    ['never ends its answer', () => {}],
  ])('that %s has answered by its status', async (_, then) => {
    const url = await start((socket) => {
      socket.write(`${head}content-length: 100\r\n\r\nabc`)
      then(socket)
    })
    const sender = new MessageSender(true, 300)
    expect(await sender.send(message(url))).toMatchObject({ status: 200, answer: 'abc' })
    sender.close()
  })

  test('is not followed when it redirects', async () => {
    await using target = await startReceiver()
    await using receiver = await startReceiver()
    receiver.answer = (response) => response.writeHead(307, { location: target.url }).end()
    const sender = new MessageSender(true)
    expect(await sender.send(message(receiver.url))).toMatchObject({ status: 307 })
    expect(target.received).toEqual([])
    sender.close()
  })

  test('without a valid certificate gets nothing', async () => {
    const server = createSecure({}, () => {})
    servers.push(server)
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    const { port } = server.address() as AddressInfo // it listens on a port
    const sender = new MessageSender(true)
    expect(await sender.send(message(`https://127.0.0.1:${port}/`))).toMatchObject({
      status: null,
      error: 'tls',
    })
    sender.close()
  })
})

describe('a private receiver', () => {
  test.each([
    'http://hooks.example.org/x',
    'https://127.0.0.1/x',
    'https://10.1.2.3/x',
    'https://169.254.169.254/latest/meta-data',
    'https://[::1]/x',
    'https://[::ffff:10.0.0.1]/x',
    'https://localhost/x',
    'https://2130706433/x',
    'https://user:secret@hooks.example.org/x',
    'ftp://hooks.example.org/x',
  ])('%s is refused', async (url) => {
    expect(() => checkReceiver(url, false)).toThrow(ForbiddenAddress)
    const sender = new MessageSender(false)
    expect(await sender.send(message(url))).toMatchObject({ status: null, error: 'private-address' })
    sender.close()
  })

  // the address is checked by the connection, so a name that changes later is refused as well
  test('is refused if its name resolves to this machine', async () => {
    const sender = new MessageSender(false)
    expect(await sender.send(message(`https://${hostname()}/x`))).toMatchObject({ error: 'private-address' })
    sender.close()
  })
})
