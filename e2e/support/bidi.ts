import { once } from 'node:events'
import { WebSocket } from 'ws'

type Message =
  | { type: 'success'; id: number; result: unknown }
  | { type: 'error'; id: number | null; error: string; message: string }
  | { type: 'event'; method: string; params: unknown }

interface Waiting {
  readonly resolve: (result: unknown) => void
  readonly reject: (error: Error) => void
}

/** A WebDriver BiDi session with commands and events. https://w3c.github.io/webdriver-bidi */
export class BidiSession {
  readonly #socket: WebSocket
  readonly #waiting = new Map<number, Waiting>()
  readonly #listeners: ((method: string, params: unknown) => void)[] = []
  #commands = 0

  private constructor(socket: WebSocket) {
    this.#socket = socket
    socket.on('message', (data: Buffer) => this.#take(JSON.parse(data.toString())))
    socket.on('close', () => {
      for (const { reject } of this.#waiting.values()) reject(new Error('the browser is gone'))
      this.#waiting.clear()
    })
  }

  /** `address` is the one that the browser prints. */
  static async open(address: string): Promise<BidiSession> {
    const socket = new WebSocket(`${address}/session`, { perMessageDeflate: false })
    await once(socket, 'open')
    const session = new BidiSession(socket)
    await session.send('session.new', { capabilities: {} })
    return session
  }

  send<T>(method: string, params: object = {}): Promise<T> {
    const id = ++this.#commands
    return new Promise<T>((resolve, reject) => {
      // the caller knows the command's result type
      this.#waiting.set(id, { resolve: (result) => resolve(result as T), reject })
      this.#socket.send(JSON.stringify({ id, method, params }))
    })
  }

  onEvent(listener: (method: string, params: unknown) => void): void {
    this.#listeners.push(listener)
  }

  #take(message: Message): void {
    if (message.type === 'event') {
      for (const listener of this.#listeners) listener(message.method, message.params)
      return
    }
    const waiting = this.#waiting.get(message.id ?? 0)
    this.#waiting.delete(message.id ?? 0)
    if (message.type === 'success') waiting?.resolve(message.result)
    else waiting?.reject(new Error(`${message.error}: ${message.message}`))
  }
}
