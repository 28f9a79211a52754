import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'

/** The server answered NO or BAD. */
export class ImapRefused extends Error {
  override name = 'ImapRefused'
}

export interface ImapAddress {
  readonly port: number
  readonly isEncrypted?: boolean
  /** Of this machine, which servers then see as the client's. */
  readonly localAddress?: string
}

/** A small IMAP client: commands, and the untagged text before each answer. */
export class ImapClient implements AsyncDisposable {
  readonly #socket: Socket
  #received = ''
  #isClosed = false
  #wake: (() => void) | undefined
  #count = 0

  private constructor(socket: Socket) {
    this.#socket = socket
    // one character for each byte, because literals count bytes
    socket.setEncoding('latin1')
    socket.on('data', (text: string) => {
      this.#received += text
      this.#wake?.()
    })
    const close = () => {
      this.#isClosed = true
      this.#wake?.()
    }
    socket.on('close', close)
    socket.on('error', close)
  }

  static async connect({ port, isEncrypted = false, localAddress }: ImapAddress): Promise<ImapClient> {
    const options = { host: '127.0.0.1', port, localAddress }
    const socket = isEncrypted ? connectTls({ ...options, rejectUnauthorized: false }) : connect(options)
    await once(socket, isEncrypted ? 'secureConnect' : 'connect')
    const client = new ImapClient(socket)
    await client.#until(() => client.#received.includes('\r\n'))
    client.#received = ''
    return client
  }

  /** Sends a command and returns what the server said before its answer. Throws ImapRefused. */
  async send(command: string): Promise<string> {
    const tag = `a${++this.#count}`
    this.#socket.write(`${tag} ${command}\r\n`)
    const answer = new RegExp(`^${tag} (OK|NO|BAD)(.*)\r\n`, 'm')
    await this.#until(() => answer.test(this.#received))
    const [, result, text = ''] = answer.exec(this.#received) ?? []
    const before = this.#received.slice(0, this.#received.search(answer))
    this.#received = ''
    if (result !== 'OK') throw new ImapRefused(`${command.split(' ')[0]}: ${text.trim()}`)
    return before
  }

  async login(user: string, password: string): Promise<void> {
    await this.send(`LOGIN ${quoted(user)} ${quoted(password)}`)
  }

  /** Returns all messages of a folder. */
  async messages(folder = 'INBOX'): Promise<string[]> {
    const selected = await this.send(`SELECT ${quoted(folder)}`)
    if (/^\* 0 EXISTS/m.test(selected)) return []
    let rest = await this.send('FETCH 1:* BODY.PEEK[]')
    const found: string[] = []
    for (let literal = /\{(\d+)\}\r\n/.exec(rest); literal !== null; literal = /\{(\d+)\}\r\n/.exec(rest)) {
      const start = literal.index + literal[0].length
      const end = start + Number(literal[1])
      found.push(Buffer.from(rest.slice(start, end), 'latin1').toString())
      rest = rest.slice(end)
    }
    return found
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#socket.destroy()
  }

  async #until(holds: () => boolean): Promise<void> {
    while (!holds()) {
      if (this.#isClosed) throw new ImapRefused('the server closed the connection')
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
  }
}

function quoted(text: string): string {
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
}
