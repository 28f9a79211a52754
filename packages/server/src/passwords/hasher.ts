import { createHash, pbkdf2 as pbkdf2Callback, timingSafeEqual } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { promisify } from 'node:util'
import { FairQueue } from '../platform/fair-queue.ts'
import { networkOf, wideNetworkOf } from '../platform/http/callers/network-list.ts'
import { TooManyRequests } from '../platform/http/errors.ts'

const pbkdf2 = promisify(pbkdf2Callback)

/** The native code is loaded with the first hash, because most commands need none. */
const loadArgon2 = () => import('@node-rs/argon2')

/** Cost parameters of Argon2id: KiB of memory, iterations, parallelism. */
export interface HashCost {
  readonly memoryCost: number
  readonly timeCost: number
  readonly parallelism: number
}

/** OWASP's memory for Argon2id (2024) with twice its iterations. */
const usualCost: HashCost = { memoryCost: 46 * 1024, timeCost: 2, parallelism: 1 }

/**
 * Who requests a hash. Requests have a network address, and whether it is a known device or place of the user;
 * servers that don't know the address have the login; background work comes last.
 */
export type HashFor =
  | { readonly ip: string; readonly isKnown?: boolean }
  | { readonly login: string }
  | 'background'

/** Queue limits per network, and for all requests together. Background work limits itself. */
const mostPerNetwork = 50
const mostWaiting = 250

/** At least one of this many hashes is background work if any is queued. */
const backgroundShare = 8

/** Seconds after which to retry when the queue is full. */
const fullWait = 5

/** Dependencies of commands that set passwords. */
export interface WithHasher {
  readonly hasher: Hasher
}

interface Waiting {
  readonly go: () => void
  readonly refuse: (error: Error) => void
}

/**
 * Hashes and verifies passwords off the event loop. At least one core stays free for other requests: further
 * hashes wait in a fair queue, so a flood from one network delays others by only a few turns. If the queue is
 * full, throws TooManyRequests before anything was verified.
 */
export class Hasher {
  #free = Math.max(1, availableParallelism() - 1)
  readonly #asked = new FairQueue<Waiting>()
  readonly #background: Waiting[] = []
  #sinceBackground = 0
  /** Verified if there is no user, so that the response takes as long as for a real one. */
  #decoy: Promise<string> | undefined
  readonly #cost: HashCost

  /** Only tests use a lower cost. */
  constructor(cost: HashCost = usualCost) {
    this.#cost = cost
  }

  /** Throws TooManyRequests. */
  hash(password: string, whom: HashFor): Promise<string> {
    return this.#run(whom, async () => (await loadArgon2()).hash(password, this.#cost))
  }

  /**
   * Returns whether the password matches the hash. Without a hash, or with a cheap one, it takes as long as with
   * one of ours. An invalid hash matches no password. Throws TooManyRequests.
   */
  verify(stored: string | null | undefined, password: string, whom: HashFor): Promise<boolean> {
    return this.#run(whom, async () => {
      const { hash, verify } = await loadArgon2()
      if (stored?.startsWith('$argon2')) return verify(stored, password).catch(() => false)
      this.#decoy ??= hash('nobody has this password', this.#cost)
      await verify(await this.#decoy, password)
      return stored != null && verifyLegacy(stored, password)
    })
  }

  /** Returns true if the hash was created under an older rule and the password should be rehashed. */
  isOutdated(stored: string): boolean {
    const { memoryCost, timeCost, parallelism } = this.#cost
    return !stored.startsWith(`$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$`)
  }

  async #run<T>(whom: HashFor, work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free--
    else await this.#turn(whom)
    try {
      return await work()
    } finally {
      const next = this.#next()
      if (next === undefined) this.#free++
      else next.go()
    }
  }

  #turn(whom: HashFor): Promise<void> {
    return new Promise((go, refuse) => {
      if (whom === 'background') {
        this.#background.push({ go, refuse })
        return
      }
      const path = placeOf(whom)
      if (this.#asked.count(path) >= mostPerNetwork) throw new TooManyRequests(fullWait)
      this.#asked.push(path, { go, refuse })
      // the network with the most queued requests yields, not the latest one
      if (this.#asked.size > mostWaiting) this.#asked.dropNewest()?.refuse(new TooManyRequests(fullWait))
    })
  }

  #next(): Waiting | undefined {
    const isBackgroundsTurn = this.#sinceBackground >= backgroundShare - 1 || this.#asked.size === 0
    const background = isBackgroundsTurn ? this.#background.shift() : undefined
    this.#sinceBackground = background === undefined ? this.#sinceBackground + 1 : 0
    return background ?? this.#asked.shift()
  }
}

/**
 * Returns the queue key. Known devices and places share half of the turns, regardless of other traffic. A wide
 * network has a single share, because an attacker may control all its subnets.
 */
function placeOf(whom: Exclude<HashFor, 'background'>): readonly string[] {
  if ('login' in whom) return ['unknown', 'servers', whom.login]
  return [whom.isKnown === true ? 'known' : 'unknown', wideNetworkOf(whom.ip), networkOf(whom.ip)]
}

/** Verifies formats exported by directories: {SSHA}, {SSHA512}, {PBKDF2_SHA256}, {PBKDF2-SHA512}. */
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

/** More iterations than any directory uses would occupy a core for minutes. */
const mostRounds = 99_999_999

function salted(algorithm: string, length: number, bytes: Buffer, password: string): boolean {
  if (bytes.length < length) return false
  const digest = createHash(algorithm).update(password).update(bytes.subarray(length)).digest()
  return timingSafeEqual(digest, bytes.subarray(0, length))
}

/** Decodes Base64 with "." instead of "+", as used by passlib. */
function fromAdaptedBase64(text: string): Buffer {
  return Buffer.from(text.replaceAll('.', '+'), 'base64')
}
