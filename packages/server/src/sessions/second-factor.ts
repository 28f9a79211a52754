import { Secret, TOTP } from 'otpauth'
import type { Clock } from '../platform/clock.ts'
import type { Db } from '../platform/db/database.ts'
import { ValidationError } from '../platform/http/errors.ts'
import type { Secrets } from '../platform/secrets.ts'

/** An account with a second factor was signed in to without one (422 at `secondfactor`). */
export class SecondFactorRequired extends ValidationError {
  constructor() {
    super({ secondfactor: { key: 'validation.2fareq' } })
  }
}

/** The code is wrong, too old or was used before (422 at `secondfactor`). */
export class SecondFactorInvalid extends ValidationError {
  constructor() {
    super({ secondfactor: { key: 'validation.2fainvalid' } })
  }
}

/** Purpose of the key that seals secrets of factors in the database. */
export const factorPurpose = 'second-factor'

/** Steps before and after the present one that are accepted (RFC 6238 §5.2). */
const window = 1

/** Checks time-based one-time codes (RFC 6238). */
export class SecondFactors {
  readonly #db: Db
  readonly #clock: Clock
  readonly #secrets: Secrets

  constructor(db: Db, clock: Clock, secrets: Secrets) {
    this.#db = db
    this.#clock = clock
    this.#secrets = secrets
  }

  /**
   * Passes users without a factor. Otherwise the code must belong to a step that is close to now and newer
   * than the last one used; taking it is one conditional update, so that no code works twice.
   */
  async require(userId: number, code: string | null | undefined): Promise<void> {
    const factors = await this.#db
      .selectFrom('second_factors')
      .selectAll()
      .where('user_id', '=', userId)
      .where('active', '=', true)
      .execute()
    if (factors.length === 0) return
    const token = code?.replaceAll(/\s/g, '')
    if (token === undefined || token === '') throw new SecondFactorRequired()
    if (!/^\d{6,8}$/.test(token)) throw new SecondFactorInvalid()
    const now = this.#clock.now()
    for (const factor of factors) {
      const totp = new TOTP({
        secret: Secret.fromBase32(this.#secrets.decrypt(factorPurpose, factor.secret)),
        algorithm: factor.algorithm,
        digits: factor.digits,
        period: factor.period,
      })
      const delta = totp.validate({ token, timestamp: now.getTime(), window })
      if (delta === null) continue
      const step = Math.floor(now.getTime() / 1000 / factor.period) + delta
      if (await this.#take(factor.id, step)) return
    }
    throw new SecondFactorInvalid()
  }

  async #take(id: string, step: number): Promise<boolean> {
    const taken = await this.#db
      .updateTable('second_factors')
      .set({ last_step: step })
      .where('id', '=', id)
      .where((where) => where.or([where('last_step', 'is', null), where('last_step', '<', step)]))
      .returning('id')
      .executeTakeFirst()
    return taken !== undefined
  }
}
