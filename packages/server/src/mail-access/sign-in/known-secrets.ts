import { createHmac, randomBytes } from 'node:crypto'
import { after, type Clock, minute } from '../../platform/clock.ts'

/** Seconds that the outcome of a check is known without another hash. */
const life = 5 * minute
/** Outcomes that one process knows; the oldest give way. */
const most = 20_000

export interface KnownSecret {
  readonly login: string
  /** What is stored of the password; undefined: there is no such user. */
  readonly hash: string | null | undefined
  readonly secret: string
}

/**
 * Whether a password belongs to a stored hash, as far as that was found out a short while ago: mail programs sign in many
 * times a minute, with the right password or, for days, with one that is right no more. It spares the slow hash and
 * nothing else: the stored hash is part of the question, so a changed password is another question, and everything
 * else about the user is read each time. Kept are keyed hashes under a key of the process.
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
