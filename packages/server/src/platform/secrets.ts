import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  randomInt,
  timingSafeEqual,
} from 'node:crypto'

/** The characters of short codes: capital letters and digits that cannot be mistaken for each other. */
const shortAlphabet = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'
const longAlphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** The keys of an installation, as `openSecrets` finds them. */
export interface KeyRing {
  /** The oldest one: keyed hashes and codes in the database follow from it for ever. */
  readonly first: Buffer
  /** Seals and signs. */
  readonly current: Buffer
  /** Open what was sealed before a change of keys, and what other processes seal during it. */
  readonly others: readonly Buffer[]
  /** Whether tokens under the other keys are accepted: only while the master secret is being changed. */
  readonly isChanging: boolean
}

/**
 * Keys for one purpose each, derived from the keys of the installation. What the database keeps sealed moves to a new key
 * (`encrypt`, `decrypt`); what it keeps as a keyed hash, or spells again from a row, stays with the first one (`derive` and
 * the codes); what it doesn't keep is made with `tokens`.
 */
export class Secrets {
  readonly #first: Buffer
  readonly #current: Buffer
  readonly #all: readonly Buffer[]
  /** For what only its holder keeps: it ends with the key that made it. */
  readonly tokens: TokenSecrets

  constructor(keys: string | KeyRing) {
    const { first, current, others, isChanging } = typeof keys === 'string' ? ringOfOne(keys) : keys
    this.#first = first
    this.#current = current
    this.#all = [current, ...others]
    this.tokens = new TokenSecrets(current, isChanging ? others : [])
  }

  /** `bytes` bytes bound to the purpose and the context. */
  derive(purpose: string, context: string | Buffer = '', bytes = 32): Buffer {
    return deriveKey(this.#first, purpose, context, bytes)
  }

  /**
   * A code that can be made again from the row it belongs to, so that the database keeps only its hash
   * and a mail job needs no secret in its payload.
   */
  longCode(purpose: string, id: string): string {
    return spell(this.derive(`${purpose}:long`, id, 48), longAlphabet, 32)
  }

  shortCode(purpose: string, id: string, length: number): string {
    return spell(this.derive(`${purpose}:short`, id, 48), shortAlphabet, length)
  }

  /** AES-256-GCM under a key of the purpose; the result carries nonce and tag. */
  encrypt(purpose: string, text: string): Buffer {
    return seal(deriveKey(this.#current, purpose), Buffer.from(text, 'utf8'))
  }

  /** Throws when the data was made for another purpose, with another secret, or was altered. */
  decrypt(purpose: string, sealed: Buffer): string {
    return openWith(this.#all, purpose, sealed)
  }

  /** Whether the data is sealed with the key that seals now. */
  isCurrent(purpose: string, sealed: Buffer): boolean {
    try {
      openWith([this.#current], purpose, sealed)
      return true
    } catch {
      return false
    }
  }
}

function ringOfOne(text: string): KeyRing {
  const key = Buffer.from(text, 'utf8')
  return { first: key, current: key, others: [], isChanging: false }
}

/** Seals and signs what the database doesn't keep, such as a ticket that a browser brings back. */
export class TokenSecrets {
  readonly #current: Buffer
  readonly #accepted: readonly Buffer[]

  constructor(current: Buffer, others: readonly Buffer[]) {
    this.#current = current
    this.#accepted = [current, ...others]
  }

  encrypt(purpose: string, text: string): Buffer {
    return seal(deriveKey(this.#current, purpose), Buffer.from(text, 'utf8'))
  }

  /** Throws when the data was made for another purpose, with a key that no longer counts, or was altered. */
  decrypt(purpose: string, sealed: Buffer): string {
    return openWith(this.#accepted, purpose, sealed)
  }

  sign(purpose: string, text: string): Buffer {
    return hmac(deriveKey(this.#current, purpose), text)
  }

  isSigned(purpose: string, text: string, signature: Buffer): boolean {
    return this.keys(purpose).some((key) => {
      const expected = hmac(key, text)
      return signature.length === expected.length && timingSafeEqual(signature, expected)
    })
  }

  /** Keys of the purpose, the one that signs first. */
  keys(purpose: string): Buffer[] {
    return this.#accepted.map((key) => deriveKey(key, purpose))
  }
}

/** A key of one purpose (HKDF-SHA-256). */
export function deriveKey(key: Buffer, purpose: string, context: string | Buffer = '', bytes = 32): Buffer {
  return Buffer.from(hkdfSync('sha256', key, context, `gatehouse:${purpose}`, bytes))
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}

/** Tries one key after the other. Throws what the last one says. */
function openWith(keys: readonly Buffer[], purpose: string, sealed: Buffer): string {
  for (const [place, key] of keys.entries()) {
    try {
      return unseal(deriveKey(key, purpose), sealed).toString('utf8')
    } catch (error) {
      if (place === keys.length - 1) throw error
    }
  }
  throw new Error('no key available')
}

/** A random code that people read and type. */
export function randomShortCode(length: number): string {
  return Array.from({ length }, () => shortAlphabet.charAt(randomInt(shortAlphabet.length))).join('')
}

/** Maps bytes evenly to characters; bytes that would favour some characters are skipped. */
function spell(bytes: Buffer, alphabet: string, length: number): string {
  const limit = 256 - (256 % alphabet.length)
  let text = ''
  for (let block = bytes; text.length < length; block = createHash('sha384').update(block).digest()) {
    for (const byte of block) {
      if (byte < limit && text.length < length) text += alphabet.charAt(byte % alphabet.length)
    }
  }
  return text
}

export function seal(key: Buffer, plain: Buffer): Buffer {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  const body = Buffer.concat([cipher.update(plain), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), body])
}

export function unseal(key: Buffer, sealed: Buffer): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, 12))
  decipher.setAuthTag(sealed.subarray(12, 28))
  return Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()])
}

export function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
