import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { FastifyInstance } from 'fastify'

/** Handles a connection that is upgraded to a WebSocket. */
export type UpgradeHandler = (request: IncomingMessage, socket: Duplex, head: Buffer) => void

/** The WebSockets of a server by path; others don't exist. */
export class Upgrades {
  readonly #handlers = new Map<string, UpgradeHandler>()

  /** `contentHost`: a host without WebSockets. */
  constructor(fastify: FastifyInstance, contentHost?: string) {
    fastify.server.on('upgrade', (request, socket, head) => {
      // ignores connections that break at this moment
      socket.on('error', () => socket.destroy())
      const path = (request.url ?? '').split('?')[0]?.replace(/\/$/, '') ?? ''
      const host = request.headers.host?.replace(/:\d*$/, '').toLowerCase()
      const handler = host === contentHost ? undefined : this.#handlers.get(path)
      if (handler === undefined) refuseUpgrade(socket, '404 Not Found')
      else handler(request, socket, head)
    })
  }

  serve(path: string, handler: UpgradeHandler): void {
    this.#handlers.set(path, handler)
  }
}

/** Responds to an upgrade with a status line and an optional text instead of a WebSocket. */
export function refuseUpgrade(socket: Duplex, status: string, text = ''): void {
  const type = text === '' ? '' : 'Content-Type: text/plain; charset=utf-8\r\n'
  const length = Buffer.byteLength(text)
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\n${type}Content-Length: ${length}\r\n\r\n${text}`)
}
