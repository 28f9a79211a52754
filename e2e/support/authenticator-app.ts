import { createHmac } from 'node:crypto'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
/** Lifetime of a code in milliseconds. */
const period = 30_000

/**
 * An authenticator app (RFC 6238) that never returns a code twice, because the server accepts each only once.
 */
export class AuthenticatorApp {
  readonly #key: Buffer
  #step: number

  /** `secret` in base32, as a user types it. */
  constructor(secret: string) {
    this.#key = fromBase32(secret.replaceAll(' ', ''))
    // the server also accepts the codes before and after the current one
    this.#step = Math.floor(Date.now() / period) - 1
  }

  /** Three codes are valid at any time; further calls have to wait for the next period. */
  next(): string {
    const counter = Buffer.alloc(8)
    counter.writeBigUInt64BE(BigInt(this.#step))
    this.#step += 1
    const digest = createHmac('sha1', this.#key).update(counter).digest()
    const offset = (digest.at(-1) ?? 0) & 0x0f
    const number = (digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000
    return String(number).padStart(6, '0')
  }
}

function fromBase32(text: string): Buffer {
  const bits = text.replace(/./g, (letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0'))
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}
