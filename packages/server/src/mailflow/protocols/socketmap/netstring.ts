import { ByteQueue } from '../connections/byte-queue.ts'
import { ProtocolViolation } from '../connections/protocol-errors.ts'
import type { Decoder } from '../connections/session.ts'

const colon = 0x3a
const comma = 0x2c

/** Parses netstrings, `<length>:<bytes>,`, of at most so many bytes. */
export class NetstringDecoder implements Decoder<Buffer> {
  readonly #most: number
  readonly #queue = new ByteQueue()

  constructor(most: number) {
    this.#most = most
  }

  get isPartial(): boolean {
    return this.#queue.length > 0
  }

  push(bytes: Uint8Array): void {
    this.#queue.append(bytes)
  }

  next(): Buffer | undefined {
    const head = this.#head()
    if (head === undefined) return undefined
    const { digits, length } = head
    if (this.#queue.length < digits + length + 2) return undefined
    if (this.#queue.byteAt(digits + 1 + length) !== comma)
      throw new ProtocolViolation('netstring without end')
    this.#queue.skip(digits + 1)
    const content = this.#queue.take(length)
    this.#queue.skip(1)
    return content
  }

  #head(): { readonly digits: number; readonly length: number } | undefined {
    let length = 0
    for (let digits = 0; digits < this.#queue.length; digits++) {
      const byte = this.#queue.byteAt(digits)
      if (byte === colon && digits > 0) return { digits, length }
      const digit = byte - 0x30
      if (digit < 0 || digit > 9) throw new ProtocolViolation('netstring without length')
      if (digits > 0 && length === 0) throw new ProtocolViolation('netstring length with leading zero')
      length = length * 10 + digit
      if (length > this.#most) throw new ProtocolViolation('netstring too long')
    }
    return undefined
  }
}

export function netstring(content: string | Uint8Array): Buffer {
  const bytes = Buffer.from(content)
  return Buffer.concat([Buffer.from(`${bytes.length}:`), bytes, Buffer.from(',')])
}
