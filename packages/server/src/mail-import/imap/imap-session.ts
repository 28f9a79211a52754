import { connect as connectPlain, type LookupFunction, type Socket } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import { connect as connectSecure, type TLSSocket } from 'node:tls'
import { type ImapValue, parseResponse } from '../../provisioning/cyrus/imap/imap-syntax.ts'
import { ByteReader } from './byte-reader.ts'
import {
  ImapCertificateError,
  ImapNo,
  ImapProtocolError,
  ImapUnreachable,
  ImapUnsupported,
} from './session-errors.ts'

export interface SessionOptions {
  readonly host: string
  readonly port: number
  /** `none` is for the mail store of this installation. */
  readonly security: 'tls' | 'starttls' | 'none'
  /** Certificates of authorities to trust in addition to the usual ones. */
  readonly authorities?: readonly string[] | undefined
  readonly lookup?: LookupFunction | undefined
  /** Milliseconds that the server gets to answer, or to send the next part of a message. */
  readonly patience?: number
}

/** Words of an untagged response: `LIST`, flags, separator, name. */
export type ResponseWords = readonly ImapValue[]

/** A literal that is read while it arrives. */
export interface IncomingLiteral {
  readonly size: number
  readonly content: AsyncGenerator<Buffer, void, undefined>
}

export interface CommandOptions {
  /** Shown in errors instead of the command, which may contain a password. */
  readonly name?: string
  /** Receives responses instead of the answer, which holds a limited number. */
  readonly onResponse?: (words: ResponseWords) => void
  /** Receives the body of a message. Its content must be read before the promise is fulfilled. */
  readonly onBody?: (literal: IncomingLiteral) => Promise<void>
  /** Maximum bytes of a response without streamed bodies. */
  readonly mostBytes?: number
  /** Maximum milliseconds of the command. */
  readonly patience?: number
}

export interface Answer {
  readonly responses: readonly ResponseWords[]
  /** Text of the tagged response, with its response code. */
  readonly text: string
}

/** Milliseconds that a server gets by default. */
const defaultPatience = 30_000
/** Milliseconds that a command may take in total. */
const commandPatience = 120_000
/** Bytes of a response by default. */
const defaultBytes = 256 * 1024
/** Literals of a response. */
const mostLiterals = 100
/** Responses to a command that are kept. */
const mostResponses = 20_000

/**
 * A session with an IMAP server that isn't trusted: everything it sends has a limit, bodies are never held in memory,
 * and nothing is read faster than it's used. Commands run one after another.
 */
export class ImapSession {
  #socket: Socket
  #reader: ByteReader
  readonly #options: SessionOptions
  #capabilities: ReadonlySet<string> = new Set()
  #count = 0

  private constructor(socket: Socket, options: SessionOptions) {
    this.#socket = socket
    this.#options = options
    this.#reader = this.#read(socket)
  }

  /** Connects, with encryption unless it's the own store, and reads the greeting. Throws errors of this folder. */
  static async open(options: SessionOptions): Promise<ImapSession> {
    const { host, port, lookup, patience = defaultPatience } = options
    const place = { host, port, lookup, autoSelectFamilyAttemptTimeout: 2000 }
    const isSecure = options.security === 'tls'
    const socket = isSecure ? connectSecure({ ...place, ...tlsOptions(options) }) : connectPlain(place)
    await settled(socket, isSecure ? 'secureConnect' : 'connect', patience)
    const session = new ImapSession(socket, options)
    try {
      await session.#greet()
      return session
    } catch (error) {
      session.close()
      throw error
    }
  }

  /** Whether commands can be sent. */
  get isOpen(): boolean {
    return this.#reader.isOpen && !this.#socket.destroyed
  }

  /** Whether the server announced a capability, such as `LITERAL+`. */
  can(capability: string): boolean {
    return this.#capabilities.has(capability)
  }

  /** Signs in; with `user`, an administrator acts as that user. Throws ImapNo if the server refuses. */
  async signIn(name: string, password: string, user = ''): Promise<void> {
    if (this.can('AUTH=PLAIN')) {
      const proof = Buffer.from(`${user}\0${name}\0${password}`).toString('base64')
      const isDirect = this.can('SASL-IR')
      await this.#run(isDirect ? [`AUTHENTICATE PLAIN ${proof}`] : ['AUTHENTICATE PLAIN', proof], {
        name: 'AUTHENTICATE',
      })
    } else if (!this.can('LOGINDISABLED')) {
      await this.#run(loginParts(name, password), { name: 'LOGIN' })
    } else {
      throw new ImapUnsupported('password')
    }
    await this.#askCapabilities()
  }

  /** Sends a command, one character per byte, and returns its answer. Throws ImapNo if it is refused. */
  run(text: string, options: CommandOptions = {}): Promise<Answer> {
    return this.#run([text], options)
  }

  /** Sends a command that ends with a literal, once the server is ready for it. Returns the text of the answer. */
  async append(command: string, { size, content }: IncomingLiteral, patience?: number): Promise<string> {
    const tag = this.#nextTag()
    const stop = this.#limit(patience ?? commandPatience)
    try {
      await this.#write(`${tag} ${command} {${size}}\r\n`)
      await this.#readUntil(tag, 'APPEND', {}, true)
      for await (const part of content) await this.#write(part)
      await this.#write('\r\n')
      return (await this.#readUntil(tag, 'APPEND', {})).text
    } finally {
      stop()
    }
  }

  close(): void {
    this.#reader.fail(new ImapUnreachable('the connection was closed'))
    this.#socket.destroy()
  }

  async #greet(): Promise<void> {
    const greeting = await this.#reader.line(defaultBytes)
    if (!/^\* OK\b/i.test(greeting))
      throw new ImapProtocolError(`unexpected greeting: ${greeting.slice(0, 200)}`)
    await this.#askCapabilities()
    if (this.#options.security !== 'starttls') return
    if (!this.can('STARTTLS')) throw new ImapUnsupported('starttls')
    await this.run('STARTTLS')
    // what was sent before encryption would be taken for an answer within it
    if (this.#reader.hasMore) throw new ImapProtocolError('data between STARTTLS and encryption')
    this.#reader.release()
    const secure = connectSecure({ socket: this.#socket, ...tlsOptions(this.#options) })
    await settled(secure, 'secureConnect', this.#options.patience ?? defaultPatience)
    this.#socket = secure
    this.#reader = this.#read(secure)
    await this.#askCapabilities()
  }

  async #askCapabilities(): Promise<void> {
    const { responses } = await this.run('CAPABILITY')
    const words = responses.flatMap(([kind, ...rest]) => (kind === 'CAPABILITY' ? rest : []))
    this.#capabilities = new Set(words.map((word) => String(word).toUpperCase()))
  }

  #read(socket: Socket): ByteReader {
    return new ByteReader(socket, this.#options.patience ?? defaultPatience)
  }

  async #run(parts: readonly string[], options: CommandOptions): Promise<Answer> {
    const tag = this.#nextTag()
    const name = options.name ?? (parts[0] ?? '').slice(0, 200)
    const stop = this.#limit(options.patience ?? commandPatience)
    try {
      for (const [index, part] of parts.entries()) {
        if (index > 0) await this.#readUntil(tag, name, options, true)
        await this.#write(`${index === 0 ? `${tag} ` : ''}${part}\r\n`)
      }
      return await this.#readUntil(tag, name, options)
    } finally {
      stop()
    }
  }

  /** Reads responses until the tagged one, or until the server waits for the rest of the command. */
  async #readUntil(tag: string, name: string, options: CommandOptions, isPartial = false): Promise<Answer> {
    const responses: ResponseWords[] = []
    for (let count = 0; ; count++) {
      // responses that are here already would keep timers and other requests waiting
      if (count % 100 === 99) await turn()
      const response = await this.#response(options)
      if (response.startsWith('+')) {
        if (isPartial) return { responses, text: '' }
        throw new ImapProtocolError('the server waits for more of a command')
      }
      if (response.startsWith('* ')) {
        if (/^\* BYE\b/i.test(response)) throw new ImapUnreachable(readable(response.slice(2)))
        if (count > mostResponses && options.onResponse === undefined) {
          throw new ImapProtocolError('too many responses')
        }
        const words = parseResponse(response.slice(2))
        if (options.onResponse === undefined) responses.push(words)
        else options.onResponse(words)
        continue
      }
      const [, given, status = '', text = ''] = /^(\S+) (\S+) ?(.*)$/s.exec(response) ?? []
      if (given !== tag) throw new ImapProtocolError('a response has an unexpected form')
      if (status.toUpperCase() !== 'OK') throw new ImapNo(name, readable(text))
      if (isPartial) throw new ImapProtocolError('the server did not wait for the rest of a command')
      return { responses, text: readable(text) }
    }
  }

  /** Returns a response with its literals; the body of a message is streamed and left out. */
  async #response({ onBody, mostBytes = defaultBytes }: CommandOptions): Promise<string> {
    const parts: string[] = []
    let left = mostBytes
    for (let literals = 0; ; literals++) {
      const line = await this.#reader.line(left)
      left -= line.length
      const end = line.slice(-40)
      const [announced, digits = ''] = /\{(\d{1,15})\+?\}$/.exec(end) ?? []
      if (announced === undefined) return [...parts, line].join('')
      if (literals === mostLiterals) throw new ImapProtocolError('a response has too many parts')
      const size = Number(digits)
      const start = line.slice(0, -announced.length)
      if (onBody !== undefined && /\bBODY\[\] \{\d+\}$/i.test(end)) {
        await this.#streamBody(size, onBody)
        parts.push(start, 'NIL')
        continue
      }
      if (size > left) throw new ImapProtocolError('a response is too long')
      left -= size
      parts.push(start, `{${size}}\r\n`, (await this.#reader.bytes(size)).toString('latin1'))
    }
  }

  async #streamBody(size: number, onBody: (literal: IncomingLiteral) => Promise<void>): Promise<void> {
    const content = this.#reader.stream(size)
    try {
      await onBody({ size, content })
    } catch (error) {
      // the rest of the body would be taken for responses
      this.close()
      throw error
    }
    for await (const _rest of content);
  }

  async #write(data: string | Buffer): Promise<void> {
    const socket = this.#socket
    if (typeof data === 'string' ? socket.write(data, 'latin1') : socket.write(data)) return
    if (socket.destroyed) throw new ImapUnreachable('the connection was closed')
    await new Promise<void>((done) => {
      const go = () => {
        socket.off('drain', go).off('close', go)
        done()
      }
      socket.on('drain', go).on('close', go)
    })
    if (socket.destroyed) throw new ImapUnreachable('the server closed the connection')
  }

  /** Ends the session if a command takes too long, however steadily the server sends. */
  #limit(patience: number): () => void {
    const timer = setTimeout(() => {
      this.#reader.fail(new ImapUnreachable('the server takes too long'))
      this.#socket.destroy()
    }, patience)
    return () => clearTimeout(timer)
  }

  #nextTag(): string {
    return `g${this.#count++}`
  }
}

/** The parts of LOGIN; texts that can't be quoted are sent as literals. */
function loginParts(name: string, password: string): string[] {
  const parts = ['LOGIN']
  for (const text of [name, password]) {
    const at = parts.length - 1
    if (/^[\x20-\x7e]*$/.test(text)) parts[at] += ` "${text.replace(/["\\]/g, '\\$&')}"`
    else {
      const bytes = Buffer.from(text)
      parts[at] += ` {${bytes.length}}`
      parts.push(bytes.toString('latin1'))
    }
  }
  return parts
}

function tlsOptions({ host, authorities, security }: SessionOptions) {
  if (security === 'none') throw new Error('encryption was not asked for')
  const isName = !/^[\d.]+$|:/.test(host)
  return { ...(isName && { servername: host }), ...(authorities && { ca: [...authorities] }) }
}

/** Waits until a connection is ready. */
function settled(
  socket: Socket | TLSSocket,
  event: 'connect' | 'secureConnect',
  patience: number,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => {
      clearTimeout(timer)
      socket.destroy()
      socket.off('close', closed)
      reject(error)
    }
    const closed = () => fail(new ImapUnreachable('the server closed the connection'))
    const timer = setTimeout(() => fail(new ImapUnreachable('the server does not respond')), patience)
    // errors after this are reported by the reader
    socket.on('error', (error) => fail(connectionError(error)))
    socket.once('close', closed)
    socket.once(event, () => {
      clearTimeout(timer)
      socket.off('close', closed)
      resolve()
    })
  })
}

/** Codes of OpenSSL and Node for certificates that can't be verified. */
const certificateCode = /CERT|UNABLE_TO|SELF_SIGNED|ALTNAME|CRL|HOSTNAME/

function connectionError(error: Error): Error {
  const code = 'code' in error ? String(error.code) : ''
  return certificateCode.test(code)
    ? new ImapCertificateError(error.message, { cause: error })
    : new ImapUnreachable(error.message, { cause: error })
}

/** What a server says, fit for people and the database. */
function readable(text: string): string {
  return Buffer.from(text, 'latin1')
    .toString()
    .replaceAll(/\p{Cc}/gu, ' ')
    .slice(0, 500)
}
