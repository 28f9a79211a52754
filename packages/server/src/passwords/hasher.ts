import { createHash, pbkdf2 as pbkdf2Callback, timingSafeEqual } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { promisify } from 'node:util'
import { hash, verify } from '@node-rs/argon2'
import { FairQueue } from '../platform/fair-queue.ts'
import { networkOf, wideNetworkOf } from '../platform/http/callers/network-list.ts'
import { TooManyRequests } from '../platform/http/errors.ts'

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
 * For whom a password is hashed. Requests give their network address, and whether they come from a device or place that
 * is known as the user's own; servers that do not know the address give the login; work that nobody waits for comes last.
 */
export type HashFor =
  | { readonly ip: string; readonly isKnown?: boolean }
  | { readonly login: string }
  | 'background'

/** Waiting hashes of one network, and of all requests together. Background work bounds itself. */
const mostPerNetwork = 50
const mostWaiting = 250

/** Of so many hashes in a row at least one is background work, if any waits. */
const backgroundShare = 8

/** Seconds after which a request that found the queue full may try again. */
const fullWait = 5

/** What a command that sets passwords needs beside its context. */
export interface WithHasher {
  readonly hasher: Hasher
}

interface Waiting {
  readonly go: () => void
  readonly refuse: (error: Error) => void
}

/**
 * Hashes and checks passwords off the event loop. At least one core stays free for other requests: hashes beyond that
 * wait in a fair queue, so a flood from one network delays hashes of the others by a few turns only. A request that
 * finds no place in it gets TooManyRequests before anything was checked.
 */
export class Hasher {
  #free = Math.max(1, availableParallelism() - 1)
  readonly #asked = new FairQueue<Waiting>()
  readonly #background: Waiting[] = []
  #sinceBackground = 0
  /** Checked when there is no user, so that the answer takes as long as for a real one. */
  #decoy: Promise<string> | undefined
  readonly #cost: HashCost

  /** Only tests hash at a lower cost. */
  constructor(cost: HashCost = usualCost) {
    this.#cost = cost
  }

  /** Throws TooManyRequests. */
  hash(password: string, whom: HashFor): Promise<string> {
    return this.#run(whom, () => hash(password, this.#cost))
  }

  /**
   * True when the password belongs to the hash. Without a hash, or with one that is cheap to check, it takes
   * as long as with one of ours. What is no hash belongs to no password. Throws TooManyRequests.
   */
  verify(stored: string | null | undefined, password: string, whom: HashFor): Promise<boolean> {
    return this.#run(whom, async () => {
      if (stored?.startsWith('$argon2')) return verify(stored, password).catch(() => false)
      this.#decoy ??= hash('nobody has this password', this.#cost)
      await verify(await this.#decoy, password)
      return stored != null && verifyLegacy(stored, password)
    })
  }

  /** True when the hash was made by an older rule and the password should be hashed again. */
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
      // who has the most waiting gives way, not who comes last
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
 * The place in the queue. Known devices and places share half of the turns, whatever strangers send; a wide network has
 * one share, since somebody may have all small ones in it.
 */
function placeOf(whom: Exclude<HashFor, 'background'>): readonly string[] {
  if ('login' in whom) return ['unknown', 'servers', whom.login]
  return [whom.isKnown === true ? 'known' : 'unknown', wideNetworkOf(whom.ip), networkOf(whom.ip)]
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
