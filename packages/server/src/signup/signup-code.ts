import { after, type Clock, day, hour } from '../platform/clock.ts'
import { CodePairs } from '../platform/code-pairs/code-pairs.ts'
import type { Db } from '../platform/db/database.ts'
import { ValidationError } from '../platform/http/errors.ts'
import type { Secrets } from '../platform/secrets.ts'
import {
  type Applicant,
  assignSignup,
  countOpenSignups,
  hasAccount,
  insertSignupCode,
  noteSubmitted,
  noteVerified,
  ofTenant,
  purgeSignups,
  type SignupCode,
} from './signup-code-store.ts'

/** The code is wrong, expired or was guessed too often; the response doesn't say which. */
export class SignupCodeInvalid extends ValidationError {
  constructor() {
    super({ short_code: { key: 'validation.signupcodeinvalid' } })
  }
}

/** The code has already created an account; reported only for the right pair of codes. */
export class SignupCodeUsed extends ValidationError {
  constructor() {
    super({ short_code: { key: 'validation.signupcodeused' } }, { reason: 'used' })
  }
}

const kind = { purpose: 'signup', table: 'signup_codes', shortLength: 5, tries: 5 } as const

/**
 * Codes that prove an e-mail address at sign-up, or carry a token from the first step to the last. The
 * database stores hashes; the codes are derived from the row's id.
 */
export class SignupCodes {
  readonly #db: Db
  readonly #clock: Clock
  readonly #pairs: CodePairs
  readonly #life: number

  /** `life` in hours. */
  constructor(db: Db, clock: Clock, secrets: Secrets, life: number) {
    this.#db = db
    this.#clock = clock
    this.#pairs = new CodePairs(clock, secrets, kind)
    this.#life = life * hour
  }

  async make(db: Db, applicant: Applicant): Promise<{ id: string; code: string; shortCode: string }> {
    const now = this.#clock.now()
    const { id, hash, code, shortCode } = this.#pairs.make()
    await insertSignupCode(db, applicant, { id, hash, now, expiresAt: after(now, this.#life) })
    return { id, code, shortCode }
  }

  /** Derives the codes of a row. */
  spell(id: string): { code: string; shortCode: string } {
    return this.#pairs.spell(id)
  }

  /** Counts open codes requested for this address or from this network address. */
  countOpen(column: 'email' | 'ip', value: string): Promise<number> {
    return countOpenSignups(this.#db, column, value, this.#clock.now())
  }

  /** Verifies a pair of codes; wrong ones count against the row. Throws SignupCodeUsed or SignupCodeInvalid. */
  async verify(tenantId: number, code: string, shortCode: string, ip: string): Promise<SignupCode> {
    const pair = { code, shortCode }
    const id = await this.#pairs.check(this.#db, pair, ofTenant(tenantId))
    if (id === undefined) {
      const isUsed = await this.#pairs.isUsed(this.#db, pair, hasAccount(tenantId))
      throw isUsed ? new SignupCodeUsed() : new SignupCodeInvalid()
    }
    return noteVerified(this.#db, id, ip)
  }

  /**
   * Consumes a verified code, inside the transaction that creates the account. Throws if it was consumed
   * meanwhile.
   */
  async consume(db: Db, id: string, ip: string): Promise<void> {
    if (!(await this.#pairs.consume(db, id))) throw new SignupCodeUsed()
    await noteSubmitted(db, id, ip)
  }

  belongsTo(db: Db, id: string, userId: number): Promise<void> {
    return assignSignup(db, id, userId)
  }

  /** Deletes unused codes half a year after they expired. */
  async purge(): Promise<void> {
    await purgeSignups(this.#db, after(this.#clock.now(), -183 * day))
  }
}
