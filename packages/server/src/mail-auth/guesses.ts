import { type Clock, day, minute } from '../platform/clock.ts'
import type { Throttle, ThrottleRule } from '../platform/throttle/throttle.ts'
import { networkOf } from './login-name.ts'

/** Guesses at one login from one place. */
const here: ThrottleRule = { kind: 'mail-login', free: 5, firstWait: 2, longestWait: 15 * minute }
/** At many logins from one place, behind which a whole office may sit. */
const place: ThrottleRule = { kind: 'mail-login:place', free: 50, firstWait: 2, longestWait: 10 * minute }
/**
 * At one login from everywhere. Strangers can make this one count, so it must not shut anybody out: it leaves them one
 * guess a minute, and does not hold for places from which its user signed in lately.
 */
const anywhere: ThrottleRule = { kind: 'mail-login:anywhere', free: 50, firstWait: 1, longestWait: minute }

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
    const everywhere = { rule: anywhere, subject: login }
    if (ip === undefined) return this.#throttle.guard([everywhere], isGuess, check)
    const network = networkOf(ip)
    const own = { rule: here, subject: `${login} ${network}` }
    const others = this.#isFamiliar(login, network) ? [] : [{ rule: place, subject: network }, everywhere]
    return this.#throttle.guard([own, ...others], isGuess, check)
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

  #isFamiliar(login: string, network: string): boolean {
    const since = this.#familiar.get(placeName(login, network))
    return since !== undefined && this.#clock.now().getTime() - since < day * 1000
  }
}

function placeName(login: string, network: string): string {
  return `${login} ${network}`
}
