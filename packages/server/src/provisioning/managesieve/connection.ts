import { connect, type Socket } from 'node:net'
import { type Response, ResponseReader } from './response-reader.ts'

/** The server can't be reached, or ended the connection. */
export class ConnectionLost extends Error {
  override name = 'ConnectionLost'
}

/** Milliseconds without a response. */
const patience = 20_000

/** A connection on which one command is sent at a time. */
export class Connection {
  readonly #socket: Socket
  readonly #reader = new ResponseReader()
  #failure: Error | undefined
  #waiting:
    | { readonly resolve: (response: Response) => void; readonly reject: (error: Error) => void }
    | undefined
  readonly #early: Response[] = []

  constructor(host: string, port: number) {
    this.#socket = connect({ host, port })
    this.#listen()
  }

  /** Sends a command and returns the response. Throws ConnectionLost. */
  send(command: string): Promise<Response> {
    const response = this.receive()
    if (this.#failure === undefined) this.#socket.write(`${command}\r\n`)
    return response
  }

  /** Returns the next response. Throws ConnectionLost. */
  receive(): Promise<Response> {
    const early = this.#early.shift()
    if (early !== undefined) return Promise.resolve(early)
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject }
      if (this.#failure !== undefined) this.#fail(this.#failure)
    })
  }

  /** Ends the connection. */
  end(): void {
    this.#socket.end()
    this.#socket.destroy()
  }

  #listen(): void {
    this.#socket.setTimeout(patience)
    this.#socket.on('data', (bytes) => this.#read(bytes))
    this.#socket.on('timeout', () => this.#fail(new ConnectionLost('the server does not respond')))
    this.#socket.on('error', (error) => this.#fail(new ConnectionLost(error.message)))
    this.#socket.on('close', () => this.#fail(new ConnectionLost('the server closed the connection')))
  }

  #read(bytes: Buffer): void {
    try {
      for (let response = this.#reader.add(bytes); response; response = this.#reader.add(Buffer.alloc(0))) {
        if (this.#waiting === undefined) this.#early.push(response)
        else this.#waiting.resolve(response)
        this.#waiting = undefined
      }
    } catch (error) {
      this.#fail(error instanceof Error ? error : new ConnectionLost(String(error)))
    }
  }

  #fail(error: Error): void {
    this.#failure ??= error
    this.#waiting?.reject(this.#failure)
    this.#waiting = undefined
    this.#socket.destroy()
  }
}
