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

/** Alphabet of short codes: capital letters and digits that can't be confused with each other. */
const shortAlphabet = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'
const longAlphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** The installation's keys, as returned by `openSecrets`. */
export interface KeyRing {
  /** The oldest key: keyed hashes and codes in the database depend on it permanently. */
  readonly first: Buffer
  /** Encrypts and signs. */
  readonly current: Buffer
  /** Decrypt data sealed before a key rotation, or by other processes during one. */
  readonly others: readonly Buffer[]
  /** Whether tokens under the other keys are accepted: only while the master secret is being rotated. */
  readonly isChanging: boolean
}

/**
 * Keys for one purpose each, derived from the installation's keys. Encrypted data in the database is
 * re-encrypted with a new key (`encrypt`, `decrypt`); keyed hashes and codes derived from a row stay with the
 * first key (`derive` and the codes); data that the database doesn't store uses `tokens`.
 */
export class Secrets {
  readonly #first: Buffer
  readonly #current: Buffer
  readonly #all: readonly Buffer[]
  /** For data that only its holder stores: it expires with the key that made it. */
  readonly tokens: TokenSecrets

  constructor(keys: string | KeyRing) {
    const { first, current, others, isChanging } = typeof keys === 'string' ? ringOfOne(keys) : keys
    this.#first = first
    this.#current = current
    this.#all = [current, ...others]
    this.tokens = new TokenSecrets(current, isChanging ? others : [])
  }

  /** Derives `bytes` bytes bound to the purpose and the context. */
  derive(purpose: string, context: string | Buffer = '', bytes = 32): Buffer {
    return deriveKey(this.#first, purpose, context, bytes)
  }

  /**
   * Returns a code that can be recomputed from its row, so that the database stores only its hash and a mail job
   * needs no secret in its payload.
   */
  longCode(purpose: string, id: string): string {
    return spell(this.derive(`${purpose}:long`, id, 48), longAlphabet, 32)
  }

  shortCode(purpose: string, id: string, length: number): string {
    return spell(this.derive(`${purpose}:short`, id, 48), shortAlphabet, length)
  }

  /** Encrypts with AES-256-GCM under a key of the purpose; the result includes nonce and tag. */
  encrypt(purpose: string, text: string): Buffer {
    return seal(deriveKey(this.#current, purpose), Buffer.from(text, 'utf8'))
  }

  /** Throws if the data was sealed for another purpose or with another secret, or was altered. */
  decrypt(purpose: string, sealed: Buffer): string {
    return openWith(this.#all, purpose, sealed)
  }

  /** Whether the data is sealed with the current key. */
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

/** Encrypts and signs data that the database doesn't store, such as a ticket that a browser returns. */
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

  /** Throws if the data was sealed for another purpose or with a retired key, or was altered. */
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

  /** Returns the keys of the purpose, the signing key first. */
  keys(purpose: string): Buffer[] {
    return this.#accepted.map((key) => deriveKey(key, purpose))
  }
}

/** Derives a key for one purpose (HKDF-SHA-256). */
export function deriveKey(key: Buffer, purpose: string, context: string | Buffer = '', bytes = 32): Buffer {
  return Buffer.from(hkdfSync('sha256', key, context, `gatehouse:${purpose}`, bytes))
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}

/** Tries one key after another. Throws the last error if none works. */
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

/** Returns a random code that people read and type. */
export function randomShortCode(length: number): string {
  return Array.from({ length }, () => shortAlphabet.charAt(randomInt(shortAlphabet.length))).join('')
}

/** Maps bytes uniformly to characters; skips bytes that would introduce a bias. */
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
