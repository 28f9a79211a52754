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

/** Seconds before a challenge expires. */
export const challengeLife = 5 * minute
/** Open challenges per user and purpose; the oldest are dropped. */
const maxOfUser = 10
/** Open challenges without a user per network address. */
const maxOfAddress = 200

/** What a challenge may be used for; a response for anything else is rejected. */
export interface ChallengeUse {
  readonly purpose: ChallengePurpose
  /** If absent, the passkey identifies the user. */
  readonly userId?: number | undefined
  readonly sessionId?: string | undefined
}

export interface OpenChallenge {
  readonly id: string
  /** The bytes to sign, base64url. */
  readonly challenge: string
}

/** Passkey challenges (WebAuthn §13.4.3): random, stored on the server, single-use. */
export class PasskeyChallenges {
  readonly #db: Db
  readonly #clock: Clock

  constructor(db: Db, clock: Clock) {
    this.#db = db
    this.#clock = clock
  }

  /** Throws TooManyRequests if an address requests too many without naming a user. */
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

  /** Consumes a challenge in one statement; undefined if there is none for this use or it has expired. */
  async take(id: string, use: ChallengeUse): Promise<string | undefined> {
    return isUuid(id) ? takeChallenge(this.#db, id, use, this.#clock.now()) : undefined
  }

  /** Deletes expired challenges and unconfirmed authenticator apps. */
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
