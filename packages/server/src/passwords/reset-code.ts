import { after, type Clock, hour } from '../platform/clock.ts'
import { CodePairs } from '../platform/code-pairs/code-pairs.ts'
import type { Db } from '../platform/db/database.ts'
import { ValidationError } from '../platform/http/errors.ts'
import type { Secrets } from '../platform/secrets.ts'
import {
  assignResetCode,
  deleteResetCode,
  findUngivenCode,
  findUnusedCode,
  giveResetCode,
  insertResetCode,
  isActiveCode,
  liveCodeOf,
  openUserOfCode,
  ownerOfCode,
  purgeResetCodes,
  voidLiveCodes,
} from './reset-code-store.ts'

/**
 * The code is wrong, expired, used, withdrawn or had too many attempts; the response doesn't reveal which.
 */
export class ResetCodeInvalid extends ValidationError {
  constructor() {
    super({ short_code: { key: 'validation.verificationcodeinvalid' } })
  }
}

const kind = { purpose: 'password-reset', table: 'verification_codes', shortLength: 8, tries: 10 } as const
/** Lifetime in seconds of a link that a controller creates for a user. */
const linkLife = 24 * hour

export interface ResetCode {
  readonly id: string
  readonly code: string
  readonly shortCode: string
  readonly expiresAt: Date
}

/** Codes for setting a password. The database has hashes; the codes are derived from the row's id. */
export class ResetCodes {
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

  /** Creates a code requested by a visitor; `assign` determines later whose it is, if anyone's. */
  request(db: Db): Promise<ResetCode> {
    return this.#make(db, { active: true, creatorId: null, life: this.#life })
  }

  /** Creates a code to be mailed to a user and shown to nobody else; returns its id. */
  async makeFor(db: Db, userId: number): Promise<string> {
    const { id } = await this.#make(db, { active: true, creatorId: null, userId, life: this.#life })
    return id
  }

  /** Creates a link for another user, which works once it is assigned to them. `life` in seconds. */
  makeLink(db: Db, creatorId: number, life = linkLife): Promise<ResetCode> {
    return this.#make(db, { active: false, creatorId, life })
  }

  /** Derives the codes of a row. */
  spell(id: string): { code: string; shortCode: string } {
    return this.#pairs.spell(id)
  }

  /** Assigns a requested code to the user whose password it may set. */
  async assign(id: string, userId: number): Promise<void> {
    await assignResetCode(this.#db, id, userId)
  }

  /** Verifies a pair of codes; wrong attempts are counted. Throws ResetCodeInvalid. */
  async verify(code: string, shortCode: string): Promise<{ id: string; userId: number }> {
    const id = await this.#pairs.check(this.#db, { code, shortCode }, isActiveCode)
    if (id === undefined) throw new ResetCodeInvalid()
    const userId = await openUserOfCode(this.#db, id)
    if (userId === undefined) throw new ResetCodeInvalid()
    return { id, userId }
  }

  /** Returns whose password the code may set, if anyone's; without the short code it proves nothing. */
  ownerOf(code: string): Promise<number | undefined> {
    return ownerOfCode(this.#db, this.#pairs.hash(code))
  }

  /**
   * Consumes a verified code in the transaction that sets the password. Throws if it was consumed concurrently.
   */
  async consume(db: Db, id: string): Promise<void> {
    if (!(await this.#pairs.consume(db, id))) throw new ResetCodeInvalid()
  }

  /** Returns the row of a link, given as `<code>` or `<short>-<code>`. */
  findLink(
    text: string,
  ): Promise<{ id: string; creatorId: number | null; userId: number | null } | undefined> {
    return findUnusedCode(this.#db, this.#hashIn(text))
  }

  /** Returns this user's unassigned link; undefined for any other text. */
  async findUngiven(text: string, creatorId: number): Promise<string | undefined> {
    const id = await findUngivenCode(this.#db, this.#hashIn(text), creatorId, this.#clock.now())
    if (id === undefined) return undefined
    const given = text.includes('-') ? text.slice(0, text.lastIndexOf('-')) : undefined
    return given === undefined || this.#pairs.isShortCode(id, given) ? id : undefined
  }

  /** Assigns a link to a user, which activates it and voids the user's earlier ones. */
  async give(db: Db, id: string, userId: number): Promise<void> {
    if (!(await giveResetCode(db, id, userId, this.#clock.now()))) throw new ResetCodeInvalid()
  }

  /** Returns `<short>-<code>` of the valid link that one user created for another. */
  async liveLink(userId: number, creatorId: number): Promise<string | undefined> {
    const id = await liveCodeOf(this.#db, userId, creatorId, this.#clock.now())
    if (id === undefined) return undefined
    const { shortCode, code } = this.spell(id)
    return `${shortCode}-${code}`
  }

  /**
   * Voids codes that could set a user's password and those the user created for others; returns their number.
   */
  voidAll(db: Db, userId: number): Promise<number> {
    return voidLiveCodes(db, userId, this.#clock.now())
  }

  async withdraw(id: string): Promise<void> {
    await deleteResetCode(this.#db, id)
  }

  /** Removes codes a week after they expire. */
  async purge(): Promise<void> {
    await purgeResetCodes(this.#db, after(this.#clock.now(), -7 * 24 * hour))
  }

  async #make(
    db: Db,
    options: { active: boolean; creatorId: number | null; userId?: number; life: number },
  ): Promise<ResetCode> {
    const createdAt = this.#clock.now()
    const { life, ...whose } = options
    const expiresAt = after(createdAt, life)
    const { id, hash, code, shortCode } = this.#pairs.make()
    await insertResetCode(db, { id, hash, ...whose, createdAt, expiresAt })
    return { id, code, shortCode, expiresAt }
  }

  /** Returns the hash of the long code in `<code>` or `<short>-<code>`. */
  #hashIn(text: string): Buffer {
    return this.#pairs.hash(text.slice(text.lastIndexOf('-') + 1))
  }
}
