import { createHmac, randomBytes } from 'node:crypto'
import { after, type Clock, minute } from '../../platform/clock.ts'

/** Seconds for which an outcome is cached. */
const life = 5 * minute
/** Maximum cached outcomes per process; the oldest are evicted. */
const most = 20_000

export interface KnownSecret {
  readonly login: string
  /** The stored password hash; undefined: unknown user. */
  readonly hash: string | null | undefined
  readonly secret: string
}

/**
 * Cache of whether a password matches a stored hash: mail clients sign in many times a minute, with the
 * correct password or, for days, with an outdated one. It only saves the slow hash. The stored hash is part of
 * the key, so a changed password misses the cache, and everything else about the user is always read. Entries
 * are hashes keyed per process.
 */
export class KnownSecrets {
  readonly #clock: Clock
  readonly #key = randomBytes(32)
  readonly #known = new Map<string, { readonly isRight: boolean; readonly until: Date }>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  recall(question: KnownSecret): 'right' | 'wrong' | undefined {
    const name = this.#name(question)
    const found = this.#known.get(name)
    if (found === undefined) return undefined
    if (found.until > this.#clock.now()) return found.isRight ? 'right' : 'wrong'
    this.#known.delete(name)
    return undefined
  }

  remember(question: KnownSecret, isRight: boolean): void {
    const name = this.#name(question)
    this.#known.delete(name)
    this.#known.set(name, { isRight, until: after(this.#clock.now(), life) })
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= most) break
      this.#known.delete(oldest)
    }
  }

  #name({ login, hash, secret }: KnownSecret): string {
    const question = JSON.stringify([login, hash ?? null, secret])
    return createHmac('sha256', this.#key).update(question).digest('base64')
  }
}
