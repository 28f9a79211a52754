import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import { EngineClient } from './engine-client.ts'
import { engineMessage } from './engine-messages.ts'
import { socketChannel } from './socket-channel.ts'

/** Milliseconds that an engine has to say who it is. */
const patience = 5000
/** Bytes of a message: the longest description of a session in it. */
const maxMessage = 1 << 20

export interface RemoteEnginesOptions {
  readonly token: string
  readonly onEngine: (engine: EngineClient) => void
  readonly warn: (text: string) => void
}

/** Takes in the engines of other hosts, which connect to the portal with the secret that both have. */
export class RemoteEngines {
  readonly #digest: Buffer
  readonly #options: RemoteEnginesOptions
  readonly #server = new WebSocketServer({ noServer: true, maxPayload: maxMessage })

  /** Throws without a token that nobody guesses: an engine sees and hears all meetings that it is given. */
  constructor(options: RemoteEnginesOptions) {
    if (options.token.length < 32)
      throw new Error('the token of media engines must have at least 32 characters')
    this.#options = options
    this.#digest = digest(options.token)
  }

  /** Whether a request comes from an engine of ours; takes the same time whatever it brings. */
  mayRegister(request: IncomingMessage): boolean {
    const [, token = ''] = /^Bearer (.+)$/.exec(request.headers.authorization ?? '') ?? []
    return timingSafeEqual(digest(token), this.#digest)
  }

  /** For the `upgrade` of an HTTP server on the path of engines. */
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

/** Equal lengths for the comparison, whatever was sent. */
function digest(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

function nameOf(request: IncomingMessage): string {
  const name = request.headers['x-engine']
  return typeof name === 'string' && /^[\w.-]{1,64}$/.test(name) ? name : 'remote'
}
