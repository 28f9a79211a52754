import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { clientAddress, type ProxyRules } from '../callers/client-address.ts'
import { NetworkLimit } from '../callers/network-limit.ts'
import { networkOf } from '../callers/network-list.ts'

/** Milliseconds that a connection stays open between two requests; more than proxies keep theirs, so that they close first. */
const keepAlive = 72_000

/** Connections of one network (IPv6: /64) whose request is not complete; one more closes the oldest. */
export const mostHalfOpen = 200

/** The same of all networks together. */
const mostHalfOpenOverall = 10_000

/** Bytes per second that a file has to arrive with, on average over one timeout. */
const slowestUpload = 256

export interface SlowRequestRules {
  /** Seconds for the headers of a request, and again for its body. */
  readonly timeout: number
  readonly proxies: ProxyRules
  /** Told when a network holds more half-open connections than it may. */
  readonly onTooMany: (network: string) => void
}

/**
 * An HTTP server that closes requests which don't arrive: headers and body each have to be complete within the timeout (408).
 * The body of an upload only has to make progress, see `expectUpload`. The server's own `requestTimeout` limits the whole
 * request whatever it is, so it stays off.
 */
export function createPatientServer(handler: RequestListener, rules: SlowRequestRules): Server {
  const { isTrusted } = rules.proxies
  const limit = rules.timeout * 1000
  const server = createServer(
    {
      requestTimeout: 0,
      headersTimeout: limit,
      // how late a connection may be found that has exceeded its time
      connectionsCheckingInterval: Math.min(limit / 4, 5000),
      keepAliveTimeout: keepAlive,
    },
    handler,
  )
  const halfOpen = new NetworkLimit<Duplex>({
    most: mostHalfOpen,
    mostOverall: mostHalfOpenOverall,
    evict: (socket, network) => {
      rules.onTooMany(network)
      socket.destroy()
    },
  })
  server.on('connection', (socket) => {
    const address = socket.remoteAddress ?? ''
    // a proxy speaks for many networks: its requests count once their headers say where they come from
    if (!isTrusted(address)) halfOpen.add(networkOf(address), socket)
    socket.once('close', () => halfOpen.remove(socket))
  })
  server.on('upgrade', (_request, socket) => halfOpen.remove(socket))
  server.prependListener('request', (request, response) => {
    const { socket } = request
    halfOpen.remove(socket)
    if (!hasBody(request)) return
    const address = clientAddress(request, rules.proxies)
    if (!isTrusted(address)) halfOpen.add(networkOf(address), socket)
    const arrival = new Arrival(request, limit, {
      onSettled: () => halfOpen.remove(socket),
      onLate: () => {
        if (response.headersSent) socket.destroy()
        else refuseConnection(socket, 408)
      },
    })
    arrivals.set(request, arrival)
  })
  return server
}

/**
 * The body of this request is a file that somebody reads who may send it: from now on it has no limit as a whole, but has to
 * make progress. Time during which the server itself does not read is not held against the client.
 */
export function expectUpload(request: IncomingMessage): void {
  arrivals.get(request)?.expectUpload()
}

const reasons = {
  400: 'Bad Request',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
} as const

/** Answers a connection without a readable request by the error envelope, and closes it. */
export function refuseConnection(socket: Duplex, status: keyof typeof reasons): void {
  if (socket.writable) {
    const body = JSON.stringify({ status: 'error', message: reasons[status] })
    const head = [
      `HTTP/1.1 ${status} ${reasons[status]}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${body.length}`,
      'Connection: close',
    ]
    socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
  }
  socket.destroy()
}

const arrivals = new WeakMap<IncomingMessage, Arrival>()

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

interface ArrivalEvents {
  /** The body is here, the connection is closed, or somebody with the right to send a file does so. */
  readonly onSettled: () => void
  readonly onLate: () => void
}

/** The body of one request on its way in. */
class Arrival {
  readonly #request: IncomingMessage
  readonly #limit: number
  readonly #events: ArrivalEvents
  #timer: NodeJS.Timeout
  #isOver = false

  constructor(request: IncomingMessage, limit: number, events: ArrivalEvents) {
    this.#request = request
    this.#limit = limit
    this.#events = events
    this.#timer = setTimeout(() => this.#giveUp(), limit)
    const settle = () => {
      if (this.#isOver) return
      this.#isOver = true
      clearTimeout(this.#timer)
      request.off('end', settle)
      request.socket.off('close', settle)
      events.onSettled()
    }
    request.once('end', settle)
    request.socket.once('close', settle)
  }

  expectUpload(): void {
    if (this.#isOver) return
    clearTimeout(this.#timer)
    this.#events.onSettled()
    const { socket } = this.#request
    let seen = socket.bytesRead
    this.#timer = setInterval(() => {
      const isServersTurn = this.#request.readableLength > 0
      const isSlow = socket.bytesRead - seen < (slowestUpload * this.#limit) / 1000
      if (isSlow && !isServersTurn) this.#giveUp()
      seen = socket.bytesRead
    }, this.#limit)
  }

  #giveUp(): void {
    clearTimeout(this.#timer)
    // all of it is here, and waits for the server
    if (!this.#request.complete) this.#events.onLate()
  }
}
