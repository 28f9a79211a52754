import { createServer, type Server, type Socket } from 'node:net'
import { Connection, type ConnectionLimits } from './connection.ts'
import { Load } from './consultation.ts'
import { guarded, type Observer } from './observer.ts'
import type { Protocol } from './session.ts'
import { systemTimers, type Timers } from './timers.ts'
import { listenOnPath } from './unix-socket.ts'

/** All times in milliseconds. */
export interface ServerLimits extends ConnectionLimits {
  /** Open connections. Further ones are closed immediately. */
  readonly connections: number
  /** Running handlers of all connections. Further requests get the fallback answer. */
  readonly handlers: number
  /** For requests in progress when the server closes. */
  readonly grace: number
}

/** Fit for Postfix, which closes its own idle connections after 300 seconds. */
export const defaultLimits: ServerLimits = {
  connections: 1000,
  handlers: 500,
  budget: 10_000,
  idle: 330_000,
  arrival: 30_000,
  reading: 30_000,
  grace: 15_000,
}

export interface ServerOptions {
  readonly limits?: Partial<ServerLimits>
  readonly timers?: Timers
  readonly observer?: Observer
}

export type Endpoint =
  | { readonly host: string; readonly port: number }
  | { readonly path: string; readonly mode: number }

/** Milliseconds of silence after which TCP asks whether the client is still there. */
const keepAlive = 60_000

/** A server of one of the mail protocols. */
export class ProtocolServer<Request> {
  readonly #protocol: Protocol<Request>
  readonly #limits: ServerLimits
  readonly #timers: Timers
  readonly #observer: Required<Observer>
  readonly #load: Load
  readonly #connections = new Set<Connection<Request>>()
  readonly #server: Server
  #removeSocket: () => Promise<void> = async () => undefined
  #closing: Promise<void> | undefined

  constructor(protocol: Protocol<Request>, options: ServerOptions = {}) {
    this.#protocol = protocol
    this.#limits = { ...defaultLimits, ...options.limits }
    this.#timers = options.timers ?? systemTimers
    this.#observer = guarded(options.observer ?? {})
    this.#load = new Load(this.#limits.handlers)
    // a client may close its side and still wait for replies
    this.#server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => this.#accept(socket))
    this.#server.maxConnections = this.#limits.connections
    this.#server.on('drop', () => this.#observer.onEnd({ protocol: protocol.name, ending: 'refused' }))
  }

  get connections(): number {
    return this.#connections.size
  }

  /** Running handlers, including those that timed out or were abandoned. */
  get handlers(): number {
    return this.#load.running
  }

  /** Starts to listen. Returns the port; 0 for a UNIX socket. */
  async listen(endpoint: Endpoint): Promise<number> {
    if ('path' in endpoint) {
      this.#removeSocket = await listenOnPath(this.#server, endpoint.path, endpoint.mode)
    } else {
      await new Promise<void>((resolve, reject) => {
        this.#server.once('error', reject)
        this.#server.listen(endpoint.port, endpoint.host, () => {
          this.#server.off('error', reject)
          resolve()
        })
      })
    }
    // errors of accepting, such as too many open files, leave the server listening
    this.#server.on('error', (error) => this.#observer.onError(error, this.#protocol.name))
    const address = this.#server.address()
    return address !== null && typeof address === 'object' ? address.port : 0
  }

  /** Accepts no more connections, finishes requests in progress within the grace time, and closes. */
  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()))
    const cancel = this.#timers.after(this.#limits.grace, () => {
      for (const connection of this.#connections) connection.cut()
    })
    for (const connection of this.#connections) connection.drain()
    await this.#removeSocket()
    await Promise.all([...this.#connections].map((connection) => connection.closed))
    await closed
    cancel()
  }

  #accept(socket: Socket): void {
    socket.setKeepAlive(true, keepAlive)
    const connection = new Connection(socket, this.#protocol, {
      timers: this.#timers,
      observer: this.#observer,
      load: this.#load,
      limits: this.#limits,
    })
    this.#connections.add(connection)
    void connection.closed.then(() => this.#connections.delete(connection))
    if (this.#closing !== undefined) connection.drain()
  }
}
