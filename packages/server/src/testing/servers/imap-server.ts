import { type AddressInfo, createServer, type Socket } from 'node:net'

/** A sign-in seen by the mail server. */
export interface SeenLogin {
  readonly login: string
  readonly password: string
}

/** A minimal IMAP server: supports LOGIN with literals, as sent by a proxy, and NOOP. */
export interface SmallImapServer extends AsyncDisposable {
  readonly port: number
  readonly seen: SeenLogin[]
}

/** `check` decides which logins succeed. */
export async function startImapServer(
  check: (seen: SeenLogin) => Promise<boolean>,
): Promise<SmallImapServer> {
  const seen: SeenLogin[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.write('* OK ready\r\n')
    void serve(socket, async (login) => {
      seen.push(login)
      return check(login)
    })
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', () => listening()))
  const { port } = server.address() as AddressInfo // it listens on a port
  return {
    port,
    seen,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((closed) => server.close(closed))
    },
  }
}

async function serve(socket: Socket, check: (seen: SeenLogin) => Promise<boolean>): Promise<void> {
  const input = new Input(socket)
  for (;;) {
    const line = await input.line()
    if (line === undefined) return
    const [tag = '*', command = ''] = line.split(' ')
    if (command.toUpperCase() !== 'LOGIN') {
      socket.write(`${tag} OK done\r\n`)
      continue
    }
    const login = await input.literal(socket, line)
    const password = await input.literal(socket, await input.line())
    await input.line()
    const isLetIn = await check({ login, password })
    socket.write(isLetIn ? `${tag} OK logged in\r\n` : `${tag} NO refused\r\n`)
  }
}

/** Parses client input into lines and literals (RFC 9051 §4.3). */
class Input {
  #bytes = Buffer.alloc(0)
  #isOver = false
  #wake: (() => void) | undefined

  constructor(socket: Socket) {
    socket.on('data', (chunk: Buffer) => {
      this.#bytes = Buffer.concat([this.#bytes, chunk])
      this.#wake?.()
    })
    socket.on('close', () => {
      this.#isOver = true
      this.#wake?.()
    })
  }

  async line(): Promise<string | undefined> {
    const end = await this.#until(() => this.#bytes.indexOf('\r\n'))
    if (end < 0) return undefined
    const line = this.#bytes.subarray(0, end).toString()
    this.#bytes = this.#bytes.subarray(end + 2)
    return line
  }

  /** Reads the literal announced at the end of a line. */
  async literal(socket: Socket, line: string | undefined): Promise<string> {
    const length = Number(/\{(\d+)\}$/.exec(line ?? '')?.[1] ?? 0)
    socket.write('+ go on\r\n')
    await this.#until(() => (this.#bytes.length >= length ? length : -1))
    const text = this.#bytes.subarray(0, length).toString()
    this.#bytes = this.#bytes.subarray(length)
    return text
  }

  async #until(where: () => number): Promise<number> {
    for (;;) {
      const at = where()
      if (at >= 0 || this.#isOver) return at
      await new Promise<void>((wake) => {
        this.#wake = wake
      })
    }
  }
}
