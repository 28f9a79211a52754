import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { clientAddress, type ProxyRules } from '../callers/client-address.ts'
import { NetworkLimit } from '../callers/network-limit.ts'
import { networkOf } from '../callers/network-list.ts'

/** Milliseconds that an idle connection stays open; longer than proxies', so that they close first. */
const keepAlive = 72_000

/** Maximum connections per network (IPv6: /64) with an incomplete request; another one closes the oldest. */
export const mostHalfOpen = 200

/** Maximum for all networks together. */
const mostHalfOpenOverall = 10_000

/** Minimum bytes per second of an upload, averaged over one timeout. */
const slowestUpload = 256

export interface SlowRequestRules {
  /** Seconds for the headers of a request, and again for its body. */
  readonly timeout: number
  readonly proxies: ProxyRules
  /** Called when a network exceeds its limit of half-open connections. */
  readonly onTooMany: (network: string) => void
}

/**
 * Creates an HTTP server that closes incomplete requests: headers and body each have to be complete within the
 * timeout (408). The body of an upload only has to make progress, see `expectUpload`. Node's own
 * `requestTimeout` limits the whole request, so it stays disabled.
 */
export function createPatientServer(handler: RequestListener, rules: SlowRequestRules): Server {
  const { isTrusted } = rules.proxies
  const limit = rules.timeout * 1000
  const server = createServer(
    {
      requestTimeout: 0,
      headersTimeout: limit,
      // maximum delay until an expired connection is detected
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
    // a proxy serves many networks, so its requests are counted once their headers name the client
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
 * Marks the body of this request as an authorised upload: it has no total time limit, but has to make
 * progress. Time during which the server doesn't read isn't held against the client.
 */
export function expectUpload(request: IncomingMessage): void {
  arrivals.get(request)?.expectUpload()
}

const reasons = {
  400: 'Bad Request',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
} as const

/** Responds with the error envelope to a connection without a valid request, and closes it. */
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
  /** The body is complete, the connection is closed, or an authorised upload has begun. */
  readonly onSettled: () => void
  readonly onLate: () => void
}

/** The incoming body of a request. */
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
    // everything has arrived and is waiting for the server
    if (!this.#request.complete) this.#events.onLate()
  }
}
