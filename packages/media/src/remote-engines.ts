import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import { EngineClient } from './engine-client.ts'
import { engineMessage } from './engine-messages.ts'
import { socketChannel } from './socket-channel.ts'

/** Milliseconds that an engine has to identify itself. */
const patience = 5000
/** Maximum bytes of a message: the longest session description fits. */
const maxMessage = 1 << 20

export interface RemoteEnginesOptions {
  readonly token: string
  readonly onEngine: (engine: EngineClient) => void
  readonly warn: (text: string) => void
}

/** Accepts engines of other hosts, which connect to the portal with a shared secret. */
export class RemoteEngines {
  readonly #digest: Buffer
  readonly #options: RemoteEnginesOptions
  readonly #server = new WebSocketServer({ noServer: true, maxPayload: maxMessage })

  /** Throws without a strong token, because an engine can see and hear all meetings assigned to it. */
  constructor(options: RemoteEnginesOptions) {
    if (options.token.length < 32)
      throw new Error('the token of media engines must have at least 32 characters')
    this.#options = options
    this.#digest = digest(options.token)
  }

  /** Checks in constant time whether a request comes from one of our engines. */
  mayRegister(request: IncomingMessage): boolean {
    const [, token = ''] = /^Bearer (.+)$/.exec(request.headers.authorization ?? '') ?? []
    return timingSafeEqual(digest(token), this.#digest)
  }

  /** Handles `upgrade` of an HTTP server on the engines' path. */
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    if (!this.mayRegister(request)) {
      socket.end('HTTP/1.1 401 Unauthorized\r\nConnection: close\r\nContent-Length: 0\r\n\r\n')
      return
    }
    this.#server.handleUpgrade(request, socket, head, (link) => {
      const channel = socketChannel(link)
      const host = nameOf(request)
      const timer = setTimeout(() => channel.close(), patience)
      let welcomed = false
      channel.onMessage((message) => {
        if (welcomed) return
        clearTimeout(timer)
        const parsed = engineMessage.safeParse(message)
        if (!parsed.success || !('ready' in parsed.data)) {
          this.#options.warn(`engine ${host} did not report ready`)
          channel.close()
          return
        }
        welcomed = true
        const { warn, onEngine } = this.#options
        onEngine(new EngineClient({ id: host, run: parsed.data.ready.run, channel, warn }))
      })
      channel.onClose((reason) => {
        clearTimeout(timer)
        this.#options.warn(`engine ${host} disconnected: ${reason}`)
      })
    })
  }

  close(): void {
    for (const link of this.#server.clients) link.terminate()
    this.#server.close()
  }
}

/** Equal lengths for the constant-time comparison. */
function digest(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

function nameOf(request: IncomingMessage): string {
  const name = request.headers['x-engine']
  return typeof name === 'string' && /^[\w.-]{1,64}$/.test(name) ? name : 'remote'
}
