import type { Duplex } from 'node:stream'
import { ImapProtocolError, ImapUnreachable } from './session-errors.ts'

/** Reads lines and byte counts from a connection, and nothing ahead of what is asked for beyond one chunk. */
export class ByteReader {
  readonly #stream: Duplex
  /** Milliseconds to wait for the next bytes. */
  readonly #patience: number
  #chunks: Buffer[] = []
  #wake: (() => void) | undefined
  #failure: Error | undefined

  constructor(stream: Duplex, patience: number) {
    this.#stream = stream
    this.#patience = patience
    stream.on('readable', this.#notify)
    stream.on('end', this.#ended)
    stream.on('close', this.#ended)
    stream.on('error', this.#failed)
  }

  /** Whether bytes were received that nobody read yet. */
  get hasMore(): boolean {
    return this.#chunks.length > 0 || this.#stream.readableLength > 0
  }

  /** Whether reads can succeed. */
  get isOpen(): boolean {
    return this.#failure === undefined
  }

  /** Stops reading, so that the connection can be continued with encryption. */
  release(): void {
    this.#stream.off('readable', this.#notify)
    this.#stream.off('end', this.#ended)
    this.#stream.off('close', this.#ended)
    this.#stream.off('error', this.#failed)
  }

  /** Makes all reads fail. */
  fail(error: Error): void {
    this.#failure ??= error
    this.#notify()
  }

  /** Returns a line of at most `most` bytes without its end, one character per byte. */
  async line(most: number): Promise<string> {
    const parts: Buffer[] = []
    let length = 0
    for (;;) {
      const chunk = await this.#next()
      const end = chunk.indexOf(10)
      const part = end === -1 ? chunk : chunk.subarray(0, end)
      if (end !== -1 && end + 1 < chunk.length) this.#chunks.unshift(chunk.subarray(end + 1))
      length += part.length
      if (length > most) throw new ImapProtocolError('a line is too long')
      parts.push(part)
      if (end !== -1) return Buffer.concat(parts).toString('latin1').replace(/\r$/, '')
    }
  }

  /** Yields exactly `count` bytes as they arrive. */
  async *stream(count: number): AsyncGenerator<Buffer, void, undefined> {
    let left = count
    while (left > 0) {
      const chunk = await this.#next()
      if (chunk.length > left) this.#chunks.unshift(chunk.subarray(left))
      const part = chunk.subarray(0, left)
      left -= part.length
      yield part
    }
  }

  /** Returns exactly `count` bytes. */
  async bytes(count: number): Promise<Buffer> {
    const parts: Buffer[] = []
    for await (const part of this.stream(count)) parts.push(part)
    return Buffer.concat(parts)
  }

  async #next(): Promise<Buffer> {
    for (;;) {
      if (this.#failure !== undefined) throw this.#failure
      const kept = this.#chunks.shift()
      if (kept !== undefined) return kept
      // a stream without an encoding returns buffers
      const chunk = this.#stream.read() as Buffer | null
      if (chunk !== null) return chunk
      await this.#wait()
    }
  }

  #wait(): Promise<void> {
    return new Promise((done) => {
      const late = () => this.fail(new ImapUnreachable('the server does not respond'))
      const timer = setTimeout(late, this.#patience)
      this.#wake = () => {
        clearTimeout(timer)
        done()
      }
    })
  }

  readonly #notify = (): void => {
    this.#wake?.()
    this.#wake = undefined
  }

  readonly #ended = (): void => {
    // the last bytes may be unread
    if (this.#stream.readableLength === 0) this.fail(new ImapUnreachable('the server closed the connection'))
    else this.#notify()
  }

  readonly #failed = (error: Error): void => this.fail(new ImapUnreachable(error.message, { cause: error }))
}
