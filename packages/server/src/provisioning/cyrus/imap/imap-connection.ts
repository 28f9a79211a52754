import { connect, type Socket } from 'node:net'
import { ImapConnectionError, ImapRefusedError } from './imap-errors.ts'
import { type ImapValue, parseResponse } from './imap-syntax.ts'
import { ResponseReader } from './response-reader.ts'

export interface ImapAddress {
  readonly host: string
  readonly port: number
}

export interface ImapCredentials {
  readonly name: string
  readonly password: string
}

/** A server's answer to a command. */
export interface ImapAnswer {
  /** Untagged responses, each as its words: `LIST`, flags, separator, name. */
  readonly responses: readonly (readonly ImapValue[])[]
  /** Text of the tagged response. */
  readonly text: string
}

/** A command whose answer is awaited. */
interface Pending {
  readonly tag: string
  readonly command: string
  readonly responses: ImapValue[][]
  readonly resolve: (answer: ImapAnswer) => void
  readonly reject: (error: Error) => void
  readonly timer: NodeJS.Timeout
}

/** Milliseconds that a server gets to answer a command. */
const patience = 30_000

/**
 * A connection of an administrator to an IMAP server. Commands may be sent before earlier ones are answered;
 * the server handles them in order.
 */
export class ImapConnection {
  readonly #socket: Socket
  readonly #reader = new ResponseReader()
  readonly #pending: Pending[] = []
  #count = 0
  #failure: ImapConnectionError | undefined

  private constructor(socket: Socket) {
    this.#socket = socket
    socket.on('data', (chunk) => this.#receive(chunk))
    socket.on('error', (error) => this.#fail(error.message))
    socket.on('close', () => this.#fail('the server closed the connection'))
  }

  /** Connects and signs in; with `user`, acts as that user. */
  static async open(
    address: ImapAddress,
    credentials: ImapCredentials,
    user?: string,
  ): Promise<ImapConnection> {
    const socket = connect({ ...address, noDelay: true })
    const connection = new ImapConnection(socket)
    try {
      await connection.authenticate(credentials, user)
    } catch (error) {
      connection.close()
      throw error
    }
    return connection
  }

  /** Whether commands can be sent. */
  get isOpen(): boolean {
    return this.#failure === undefined
  }

  /** Signs in, after opening. */
  async authenticate({ name, password }: ImapCredentials, user?: string): Promise<void> {
    const proof = Buffer.from(`${user ?? ''}\0${name}\0${password}`).toString('base64')
    await this.run(`AUTHENTICATE PLAIN ${proof}`)
  }

  /** Sends a command and returns its answer. Throws ImapRefusedError if it is refused. */
  run(text: string): Promise<ImapAnswer> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure)
    const tag = `g${this.#count++}`
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.#fail(`no answer within ${patience / 1000} seconds`), patience)
      // names are shown in errors, passwords are not
      const command = text.startsWith('AUTHENTICATE') ? 'AUTHENTICATE' : text
      this.#pending.push({ tag, command, responses: [], resolve, reject, timer })
      this.#socket.write(`${tag} ${text}\r\n`)
    })
  }

  close(): void {
    this.#fail('the connection was closed')
  }

  #receive(chunk: Buffer): void {
    for (const response of this.#reader.add(chunk)) this.#handle(response)
  }

  #handle(response: string): void {
    const [first] = this.#pending
    // continuation requests are ignored: literals don't wait for them
    if (first === undefined || response.startsWith('+')) return
    if (response.startsWith('* BYE')) {
      this.#fail(response.slice(2))
      return
    }
    if (response.startsWith('* ')) {
      first.responses.push(parseResponse(response.slice(2)))
      return
    }
    const [tag, status = ''] = response.split(' ', 2)
    if (tag !== first.tag) return
    this.#pending.shift()
    clearTimeout(first.timer)
    const text = Buffer.from(response.slice(`${tag} ${status} `.length), 'latin1').toString()
    if (status.toUpperCase() === 'OK') first.resolve({ responses: first.responses, text })
    else first.reject(new ImapRefusedError(first.command, text))
  }

  #fail(reason: string): void {
    this.#failure ??= new ImapConnectionError(`connection to the mail store: ${reason}`)
    this.#socket.destroy()
    for (const { reject, timer } of this.#pending.splice(0)) {
      clearTimeout(timer)
      reject(this.#failure)
    }
  }
}
