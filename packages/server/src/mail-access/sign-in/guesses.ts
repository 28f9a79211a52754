import { type Clock, day, minute } from '../../platform/clock.ts'
import { networkOf } from '../../platform/http/callers/network-list.ts'
import { type Limits, perAccount, perNetwork } from '../../platform/throttle/limits.ts'
import type { Throttle } from '../../platform/throttle/throttle.ts'

/**
 * The global limit of a login is lenient because attackers can use it up: it then allows one attempt a minute.
 * Addresses from which the login recently signed in have their own limit, like known devices in the portal.
 */
const limits: Limits = {
  here: perAccount,
  account: { free: 50, firstWait: 1, longestWait: minute },
  network: { ...perNetwork, longestWait: 10 * minute },
}

/** Maximum number of familiar addresses kept per process. */
const mostPlaces = 50_000

export interface Guess {
  /** As entered; unknown logins are counted too. */
  readonly login: string
  /** Undefined: the requesting server doesn't know the client's address. */
  readonly ip: string | undefined
}

/** Throttles guessing of mail passwords without letting attackers lock users out of their mailbox. */
export class Guesses {
  readonly #throttle: Throttle
  readonly #clock: Clock
  /** Time of the last sign-in per login and address, oldest first. */
  readonly #familiar = new Map<string, number>()

  constructor(throttle: Throttle, clock: Clock) {
    this.#throttle = throttle
    this.#clock = clock
  }

  /** Runs a password check unless the client has to wait (TooManyRequests). A rejection counts as a guess. */
  guard<T>({ login, ip }: Guess, isGuess: (error: unknown) => boolean, check: () => Promise<T>): Promise<T> {
    const known = ip !== undefined && this.isFamiliar({ login, ip }) ? networkOf(ip) : undefined
    return this.#throttle.guard({ kind: 'mail-login', account: login, ip, known, limits }, isGuess, check)
  }

  /** Records a successful sign-in from an address. */
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

  /** Returns whether a login signed in from an address within the last day. */
  isFamiliar({ login, ip }: Guess & { readonly ip: string }): boolean {
    const since = this.#familiar.get(placeName(login, networkOf(ip)))
    return since !== undefined && this.#clock.now().getTime() - since < day * 1000
  }
}

function placeName(login: string, network: string): string {
  return `${login} ${network}`
}
