import { type Clock, day, minute } from '../../platform/clock.ts'
import { networkOf } from '../../platform/http/callers/network-list.ts'
import { type Limits, perAccount, perNetwork } from '../../platform/throttle/limits.ts'
import type { Throttle } from '../../platform/throttle/throttle.ts'

/**
 * Everywhere is mild, since strangers can use it up: it leaves them one guess a minute. Places from which a login signed
 * in lately are known, as devices are in the portal, and have a limit of their own.
 */
const limits: Limits = {
  here: perAccount,
  account: { free: 50, firstWait: 1, longestWait: minute },
  network: { ...perNetwork, longestWait: 10 * minute },
}

/** Places that one process remembers users by. */
const mostPlaces = 50_000

export interface Guess {
  /** As it was given: names that nobody has are counted like others. */
  readonly login: string
  /** Undefined: a server asks that does not know. */
  readonly ip: string | undefined
}

/** Slows down guessing at passwords of mail without letting strangers lock anybody out of the mailbox. */
export class Guesses {
  readonly #throttle: Throttle
  readonly #clock: Clock
  /** When a login last signed in from a place, oldest first. */
  readonly #familiar = new Map<string, number>()

  constructor(throttle: Throttle, clock: Clock) {
    this.#throttle = throttle
    this.#clock = clock
  }

  /** Runs a check of a password unless its turn is yet to come (TooManyRequests); a refusal counts. */
  guard<T>({ login, ip }: Guess, isGuess: (error: unknown) => boolean, check: () => Promise<T>): Promise<T> {
    const known = ip !== undefined && this.isFamiliar({ login, ip }) ? networkOf(ip) : undefined
    return this.#throttle.guard({ kind: 'mail-login', account: login, ip, known, limits }, isGuess, check)
  }

  /** Notes that a login signed in from a place. */
  welcome({ login, ip }: Guess): void {
    if (ip === undefined) return
    const name = placeName(login, networkOf(ip))
    this.#familiar.delete(name)
    this.#familiar.set(name, this.#clock.now().getTime())
    for (const oldest of this.#familiar.keys()) {
      if (this.#familiar.size <= mostPlaces) break
      this.#familiar.delete(oldest)
    }
  }

  /** Whether a login signed in from a place within a day. */
  isFamiliar({ login, ip }: Guess & { readonly ip: string }): boolean {
    const since = this.#familiar.get(placeName(login, networkOf(ip)))
    return since !== undefined && this.#clock.now().getTime() - since < day * 1000
  }
}

function placeName(login: string, network: string): string {
  return `${login} ${network}`
}
