import { ByteQueue } from '../connections/byte-queue.ts'
import { ProtocolViolation } from '../connections/protocol-errors.ts'
import type { Decoder } from '../connections/session.ts'

/** Four counted strings in their order. `realm` is the domain if the client has split the login at the `@`. */
export interface SaslauthdRequest {
  readonly login: string
  readonly password: string
  /** `imap`, `smtp`, `sieve` or `HTTP`. */
  readonly service: string
  readonly realm: string
}

/** Bytes of a whole request; access tokens are longer than passwords. */
export const longestSaslauthd = 16 * 1024

const fieldCount = 4

/** Parses the request of a saslauthd client: each string after its length in two bytes, big endian. */
export class SaslauthdDecoder implements Decoder<SaslauthdRequest> {
  readonly #most: number
  readonly #queue = new ByteQueue()

  constructor(most: number = longestSaslauthd) {
    this.#most = most
  }

  get isPartial(): boolean {
    return this.#queue.length > 0
  }

  push(bytes: Uint8Array): void {
    this.#queue.append(bytes)
  }

  next(): SaslauthdRequest | undefined {
    const lengths: number[] = []
    let at = 0
    while (lengths.length < fieldCount) {
      if (at + 2 > this.#queue.length) return undefined
      const length = this.#queue.uint16At(at)
      at += 2 + length
      if (at > this.#most) throw new ProtocolViolation('request too large')
      lengths.push(length)
    }
    if (at > this.#queue.length) return undefined
    const [login = '', password = '', service = '', realm = ''] = lengths.map((length) => this.#take(length))
    return { login, password, service, realm }
  }

  #take(length: number): string {
    this.#queue.skip(2)
    const bytes = this.#queue.take(length)
    try {
      return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    } catch {
      throw new ProtocolViolation('string is not UTF-8')
    }
  }
}

/** The counted string `OK` or `NO`. */
export function encodeSaslauthdAnswer(isAccepted: boolean): Buffer {
  const text = Buffer.from(isAccepted ? 'OK' : 'NO')
  const length = Buffer.alloc(2)
  length.writeUInt16BE(text.length)
  return Buffer.concat([length, text])
}
