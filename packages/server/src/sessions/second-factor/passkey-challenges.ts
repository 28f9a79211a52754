import { after, type Clock, minute } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { TooManyRequests } from '../../platform/http/errors.ts'
import { isUuid, newUuid, randomToken } from '../../platform/ids.ts'
import type { ChallengePurpose } from './passkey-store.ts'
import {
  insertChallenge,
  keepNewestChallenges,
  openChallengesFrom,
  purgeChallenges,
  takeChallenge,
} from './passkey-store.ts'

/** Seconds in which a challenge is to be answered. */
export const challengeLife = 5 * minute
/** Open challenges of one user for one purpose; older ones give way. */
const maxOfUser = 10
/** Open challenges that one network address may hold without saying for whom. */
const maxOfAddress = 200

/** What a challenge is good for; who answers another one is refused. */
export interface ChallengeUse {
  readonly purpose: ChallengePurpose
  /** Absent: whoever the passkey says. */
  readonly userId?: number | undefined
  readonly sessionId?: string | undefined
}

export interface OpenChallenge {
  readonly id: string
  /** The bytes to sign, base64url. */
  readonly challenge: string
}

/** Challenges of passkeys (WebAuthn §13.4.3): random, kept here, answered once. */
export class PasskeyChallenges {
  readonly #db: Db
  readonly #clock: Clock

  constructor(db: Db, clock: Clock) {
    this.#db = db
    this.#clock = clock
  }

  /** Throws TooManyRequests when an address asks for ever more of them without saying for whom. */
  async open(use: ChallengeUse, ip: string): Promise<OpenChallenge> {
    const { userId, sessionId, purpose } = use
    if (userId === undefined) await this.#checkAddress(ip)
    else await keepNewestChallenges(this.#db, userId, purpose, maxOfUser - 1)
    const id = newUuid()
    const challenge = randomToken()
    await insertChallenge(this.#db, {
      id,
      challenge,
      purpose,
      userId: userId ?? null,
      sessionId: sessionId ?? null,
      ip,
      expiresAt: after(this.#clock.now(), challengeLife),
    })
    return { id, challenge }
  }

  /** Uses a challenge up, by one statement; undefined when there is none for this use, or it is too old. */
  async take(id: string, use: ChallengeUse): Promise<string | undefined> {
    return isUuid(id) ? takeChallenge(this.#db, id, use, this.#clock.now()) : undefined
  }

  /** Removes what nobody answered, and code generators that nobody confirmed. */
  async purge(): Promise<void> {
    await purgeChallenges(this.#db, this.#clock.now())
  }

  async #checkAddress(ip: string): Promise<void> {
    const now = this.#clock.now()
    const { open, first } = await openChallengesFrom(this.#db, ip, now)
    if (open < maxOfAddress) return
    throw new TooManyRequests(Math.max(1, Math.ceil((first.getTime() - now.getTime()) / 1000)))
  }
}
