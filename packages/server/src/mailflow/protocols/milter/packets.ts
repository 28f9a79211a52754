import { ByteQueue } from '../connections/byte-queue.ts'
import { ProtocolViolation } from '../connections/protocol-errors.ts'
import type { Decoder } from '../connections/session.ts'

/** One packet of the milter protocol: a command of one character and its data. */
export interface Packet {
  readonly command: string
  readonly data: Buffer
}

/** Bytes of command and data. Body chunks have at most 65,535; a header of Postfix may be longer. */
export const longestPacket = 256 * 1024

/** Bytes of a body chunk in either direction. */
export const longestChunk = 65_535

/** Parses packets: a length in four bytes, big endian, then command and data. */
export class PacketDecoder implements Decoder<Packet> {
  readonly #most: number
  readonly #queue = new ByteQueue()

  constructor(most: number = longestPacket) {
    this.#most = most
  }

  get isPartial(): boolean {
    return this.#queue.length > 0
  }

  push(bytes: Uint8Array): void {
    this.#queue.append(bytes)
  }

  next(): Packet | undefined {
    if (this.#queue.length < 4) return undefined
    const length = this.#queue.uint32At(0)
    if (length === 0) throw new ProtocolViolation('empty packet')
    if (length > this.#most) throw new ProtocolViolation('packet too large')
    if (this.#queue.length < 4 + length) return undefined
    this.#queue.skip(4)
    const command = String.fromCharCode(this.#queue.byteAt(0))
    this.#queue.skip(1)
    return { command, data: this.#queue.take(length - 1) }
  }
}

/** Encodes a packet whose data are the parts one after the other. */
export function encodePacket(command: string, ...parts: readonly Uint8Array[]): Buffer {
  const length = parts.reduce((sum, part) => sum + part.length, 1)
  const head = Buffer.alloc(5)
  head.writeUInt32BE(length)
  head.write(command, 4, 'latin1')
  return Buffer.concat([head, ...parts])
}

/** Text with NUL at its end. */
export function terminated(text: string): Buffer {
  return Buffer.from(`${text}\0`)
}

export function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
