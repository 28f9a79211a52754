import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** Takes one reply from the front of what was received: the reply and its length in bytes; undefined: more is needed. */
export type TakeReply<T> = (received: Buffer) => readonly [reply: T, length: number] | undefined

/** A client that sends bytes as they are given and reads replies one by one. */
export class TestClient {
  readonly #socket: Socket
  #received: Buffer = Buffer.alloc(0)
  #isClosed = false
  #onChange: () => void = () => undefined

  private constructor(socket: Socket) {
    this.#socket = socket
    socket.on('error', () => undefined)
    socket.on('data', (chunk: Buffer) => {
      this.#received = Buffer.concat([this.#received, chunk])
      this.#onChange()
    })
    socket.on('close', () => {
      this.#isClosed = true
      this.#onChange()
    })
  }

  /** `allowHalfOpen`: goes on sending when the server has closed its side. */
  static async connect(endpoint: number | string, allowHalfOpen = false): Promise<TestClient> {
    const socket =
      typeof endpoint === 'number'
        ? connect({ port: endpoint, host: '127.0.0.1', allowHalfOpen })
        : connect({ path: endpoint, allowHalfOpen })
    await once(socket, 'connect')
    return new TestClient(socket)
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  /** Bytes that the operating system has not taken yet. */
  get unsent(): number {
    return this.#socket.writableLength
  }

  send(bytes: string | Uint8Array): void {
    if (!this.#isClosed) this.#socket.write(bytes)
  }

  /** Sends and waits until the operating system has taken all of it, or the connection is closed. */
  async sendAll(bytes: Uint8Array): Promise<void> {
    if (this.#isClosed || this.#socket.destroyed) return
    await new Promise<void>((resolve) => {
      this.#socket.once('close', resolve)
      this.#socket.write(bytes, () => {
        this.#socket.off('close', resolve)
        resolve()
      })
    })
  }

  /** The next reply; undefined: the connection was closed before it was complete. */
  async receive<T>(take: TakeReply<T>): Promise<T | undefined> {
    for (;;) {
      const taken = take(this.#received)
      if (taken !== undefined) {
        const [reply, length] = taken
        this.#received = this.#received.subarray(length)
        return reply
      }
      if (this.#isClosed) return undefined
      await new Promise<void>((resolve) => {
        this.#onChange = resolve
      })
    }
  }

  /** Everything until the server closes the connection. */
  async rest(): Promise<Buffer> {
    await this.receive(() => undefined)
    return this.#received
  }

  /** Reads nothing more from the network. */
  stopReading(): void {
    this.#socket.pause()
  }

  resumeReading(): void {
    this.#socket.resume()
  }

  /** Closes the own side. */
  end(): void {
    this.#socket.end()
  }

  /** Drops the connection without a word. */
  reset(): void {
    // a UNIX socket knows no reset
    if (this.#socket.remotePort === undefined) this.#socket.destroy()
    else this.#socket.resetAndDestroy()
  }
}
