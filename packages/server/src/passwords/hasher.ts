import { createHash, pbkdf2 as pbkdf2Callback, timingSafeEqual } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { promisify } from 'node:util'
import { hash, verify } from '@node-rs/argon2'

const pbkdf2 = promisify(pbkdf2Callback)

/** What a hash of Argon2id costs: KiB of memory, passes over it, lanes. */
export interface HashCost {
  readonly memoryCost: number
  readonly timeCost: number
  readonly parallelism: number
}

/** OWASP's memory for Argon2id (2024) with twice its passes. */
const usualCost: HashCost = { memoryCost: 46 * 1024, timeCost: 2, parallelism: 1 }

/**
 * Hashes and checks passwords off the event loop. At least one core stays free for other requests:
 * hashes beyond that wait their turn instead of starving them.
 */
export class Hasher {
  #free = Math.max(1, availableParallelism() - 1)
  readonly #waiting: (() => void)[] = []
  /** Checked when there is no user, so that the answer takes as long as for a real one. */
  #decoy: Promise<string> | undefined
  readonly #cost: HashCost

  /** Only tests hash at a lower cost. */
  constructor(cost: HashCost = usualCost) {
    this.#cost = cost
  }

  hash(password: string): Promise<string> {
    return this.#run(() => hash(password, this.#cost))
  }

  /**
   * True when the password belongs to the hash. Without a hash, or with one that is cheap to check, it takes
   * as long as with one of ours. What is no hash belongs to no password.
   */
  async verify(stored: string | null | undefined, password: string): Promise<boolean> {
    if (stored?.startsWith('$argon2')) return this.#run(() => verify(stored, password).catch(() => false))
    this.#decoy ??= this.hash('nobody has this password')
    const decoy = await this.#decoy
    await this.#run(() => verify(decoy, password))
    return stored != null && this.#run(() => verifyLegacy(stored, password))
  }

  /** True when the hash was made by an older rule and the password should be hashed again. */
  isOutdated(stored: string): boolean {
    const { memoryCost, timeCost, parallelism } = this.#cost
    return !stored.startsWith(`$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$`)
  }

  async #run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free--
    else await new Promise<void>((go) => this.#waiting.push(go))
    try {
      return await work()
    } finally {
      const next = this.#waiting.shift()
      if (next === undefined) this.#free++
      else next()
    }
  }
}

/** The forms that directories export: {SSHA}, {SSHA512}, {PBKDF2_SHA256}, {PBKDF2-SHA512}. */
async function verifyLegacy(stored: string, password: string): Promise<boolean> {
  const scheme = /^\{([A-Z0-9_-]+)\}(.*)$/s.exec(stored)
  const [, name = '', data = ''] = scheme ?? []
  const bytes = Buffer.from(data, 'base64')
  switch (name) {
    case 'SSHA':
      return salted('sha1', 20, bytes, password)
    case 'SSHA512':
      return salted('sha512', 64, bytes, password)
    case 'PBKDF2_SHA256': {
      // the layout of 389-ds: iterations, 64 bytes of salt, 256 bytes of key
      if (bytes.length !== 4 + 64 + 256) return false
      const rounds = bytes.readUInt32BE(0)
      if (rounds < 1 || rounds > mostRounds) return false
      const key = await pbkdf2(password, bytes.subarray(4, 68), rounds, 256, 'sha256')
      return timingSafeEqual(key, bytes.subarray(68))
    }
    case 'PBKDF2-SHA512': {
      const [rounds = '', salt = '', expected = ''] = data.split('$')
      const wanted = fromAdaptedBase64(expected)
      if (!/^[1-9]\d{0,7}$/.test(rounds) || wanted.length === 0) return false
      const key = await pbkdf2(password, fromAdaptedBase64(salt), Number(rounds), wanted.length, 'sha512')
      return timingSafeEqual(key, wanted)
    }
    default:
      return false
  }
}

/** More rounds than any directory writes would keep a core busy for minutes. */
const mostRounds = 99_999_999

function salted(algorithm: string, length: number, bytes: Buffer, password: string): boolean {
  if (bytes.length < length) return false
  const digest = createHash(algorithm).update(password).update(bytes.subarray(length)).digest()
  return timingSafeEqual(digest, bytes.subarray(0, length))
}

/** Base64 in which "." stands for "+", as passlib writes it. */
function fromAdaptedBase64(text: string): Buffer {
  return Buffer.from(text.replaceAll('.', '+'), 'base64')
}
