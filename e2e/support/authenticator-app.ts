import { createHmac } from 'node:crypto'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
/** Milliseconds for which a code is shown. */
const period = 30_000

/** An authenticator app (RFC 6238) that never shows a code twice, for the server takes each once. */
export class AuthenticatorApp {
  readonly #key: Buffer
  #step: number

  /** `secret` in base32, as a person types it. */
  constructor(secret: string) {
    this.#key = fromBase32(secret.replaceAll(' ', ''))
    // the server takes the codes before and after the present one as well
    this.#step = Math.floor(Date.now() / period) - 1
  }

  /** Three of them are good at once; who wants more has to wait for the time to come. */
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
  const bits = [...text].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}
