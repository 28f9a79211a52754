import { chmod, unlink } from 'node:fs/promises'
import { connect, createServer, type Server, type Socket } from 'node:net'
import type { Log } from '../../../platform/log.ts'
import type { MailSignIn } from '../mail-sign-in.ts'
import type { Outcomes } from '../outcomes.ts'
import { joinRealm, servicesOf } from './sasl-hook.ts'
import { readUtf8 } from './wire-text.ts'

export interface SaslauthdParts {
  readonly mail: MailSignIn
  readonly outcomes: Outcomes
  readonly log: Log
}

/** Milliseconds within which a client must send its request. */
const patience = 10_000
/** Milliseconds between attempts to take over the socket from another process. */
const takeOverEvery = 2000
/** Maximum bytes of a request. */
const longest = 16 * 1024

/**
 * Implements the saslauthd protocol on a UNIX socket, so that Cyrus and Postfix on this machine need no daemon
 * in between: the request is four counted strings (login, password, service, realm), the response `OK` or
 * `NO`. One of several processes serves the socket; another one takes over when it ends. Access is controlled
 * by the permissions of the socket's folder.
 */
export class SaslauthdSocket {
  readonly #parts: SaslauthdParts
  readonly #path: string
  readonly #sockets = new Set<Socket>()
  #server: Server | undefined
  #again: NodeJS.Timeout | undefined
  #isStopped = false

  constructor(parts: SaslauthdParts, path: string) {
    this.#parts = parts
    this.#path = path
  }

  /** Starts serving, now or when the process that serves the socket ends. */
  async start(): Promise<void> {
    if (this.#isStopped) return
    try {
      if (await isServed(this.#path)) return this.#tryLater()
      await unlink(this.#path).catch(ignoreMissing)
      this.#server = await listen(this.#path, (socket) => this.#hear(socket))
      await chmod(this.#path, 0o666)
    } catch (error) {
      this.#parts.log.error({ err: error, path: this.#path }, 'opening the saslauthd socket failed')
      this.#tryLater()
    }
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    clearTimeout(this.#again)
    for (const socket of this.#sockets) socket.destroy()
    const server = this.#server
    this.#server = undefined
    if (server !== undefined) await new Promise((closed) => server.close(closed))
  }

  #tryLater(): void {
    this.#again = setTimeout(() => void this.start(), takeOverEvery)
    this.#again.unref()
  }

  #hear(socket: Socket): void {
    this.#sockets.add(socket)
    socket.on('close', () => this.#sockets.delete(socket))
    socket.on('error', () => socket.destroy())
    socket.setTimeout(patience, () => socket.destroy())
    let received = Buffer.alloc(0)
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk])
      const fields = readCounted(received)
      if (fields === undefined && received.length <= longest) return
      socket.removeAllListeners('data')
      socket.setTimeout(0)
      void this.#answer(fields).then((isLetIn) => socket.end(counted(isLetIn ? 'OK' : 'NO')))
    })
  }

  async #answer(fields: readonly Buffer[] | undefined): Promise<boolean> {
    const { mail, outcomes, log } = this.#parts
    try {
      const [login = '', secret = '', service = '', realm = ''] = (fields ?? []).map(readUtf8)
      const asked = { login: joinRealm(login, realm), secret, services: servicesOf(service), ip: undefined }
      const user = await mail.signIn({ ...asked, isInternal: true })
      outcomes.accept('sasl', user)
      return true
    } catch (error) {
      try {
        outcomes.read(error, 'sasl', {})
      } catch (failure) {
        log.error({ err: failure }, 'mail sign-in failed')
      }
      return false
    }
  }
}

/** Parses the four strings, each prefixed with a two-byte length; undefined if the request is incomplete. */
function readCounted(bytes: Buffer): Buffer[] | undefined {
  const fields: Buffer[] = []
  let at = 0
  while (fields.length < 4) {
    if (at + 2 > bytes.length) return undefined
    const end = at + 2 + bytes.readUInt16BE(at)
    if (end > bytes.length) return undefined
    fields.push(bytes.subarray(at + 2, end))
    at = end
  }
  return fields
}

function counted(text: string): Buffer {
  const length = Buffer.alloc(2)
  length.writeUInt16BE(Buffer.byteLength(text))
  return Buffer.concat([length, Buffer.from(text)])
}

function isServed(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path)
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}

function listen(path: string, onConnection: (socket: Socket) => void): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer(onConnection)
    server.once('error', reject)
    server.listen(path, () => resolve(server))
  })
}

function ignoreMissing(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
}
