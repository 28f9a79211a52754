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

/** The code is wrong, expired, used, withdrawn or guessed at too often; the answer does not say which. */
export class ResetCodeInvalid extends ValidationError {
  constructor() {
    super({ short_code: { key: 'validation.verificationcodeinvalid' } })
  }
}

const kind = { purpose: 'password-reset', table: 'verification_codes', shortLength: 8, tries: 10 } as const
/** Life of a link that a controller makes for a user, in seconds. */
const linkLife = 24 * hour

export interface ResetCode {
  readonly id: string
  readonly code: string
  readonly shortCode: string
  readonly expiresAt: Date
}

/** Codes that allow to set a password. The database keeps hashes; the codes follow from the row's id. */
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

  /** A code that a person asked for; `assign` says later whose it is, if anybody's. */
  request(db: Db): Promise<ResetCode> {
    return this.#make(db, { active: true, creatorId: null, life: this.#life })
  }

  /** A code for a user, to be mailed to them and shown to nobody else; gives its number. */
  async makeFor(db: Db, userId: number): Promise<string> {
    const { id } = await this.#make(db, { active: true, creatorId: null, userId, life: this.#life })
    return id
  }

  /** A link that a user makes for another one; it works once it is given to that user. `life` in seconds. */
  makeLink(db: Db, creatorId: number, life = linkLife): Promise<ResetCode> {
    return this.#make(db, { active: false, creatorId, life })
  }

  /** The codes of a row, made again. */
  spell(id: string): { code: string; shortCode: string } {
    return this.#pairs.spell(id)
  }

  /** Says whose password a requested code may set. */
  async assign(id: string, userId: number): Promise<void> {
    await assignResetCode(this.#db, id, userId)
  }

  /** Checks a pair of codes; wrong ones count against the row. Throws ResetCodeInvalid. */
  async verify(code: string, shortCode: string): Promise<{ id: string; userId: number }> {
    const id = await this.#pairs.check(this.#db, { code, shortCode }, isActiveCode)
    if (id === undefined) throw new ResetCodeInvalid()
    const userId = await openUserOfCode(this.#db, id)
    if (userId === undefined) throw new ResetCodeInvalid()
    return { id, userId }
  }

  /** Whose password the code may set, if anybody's; it proves nothing without the short code. */
  ownerOf(code: string): Promise<number | undefined> {
    return ownerOfCode(this.#db, this.#pairs.hash(code))
  }

  /** Uses a verified code up, inside the transaction that sets the password. Throws when another was faster. */
  async consume(db: Db, id: string): Promise<void> {
    if (!(await this.#pairs.consume(db, id))) throw new ResetCodeInvalid()
  }

  /** The row of a link, named by `<code>` or `<short>-<code>`. */
  findLink(
    text: string,
  ): Promise<{ id: string; creatorId: number | null; userId: number | null } | undefined> {
    return findUnusedCode(this.#db, this.#hashIn(text))
  }

  /** The link that this user made and gave to nobody yet; undefined for any other text. */
  async findUngiven(text: string, creatorId: number): Promise<string | undefined> {
    const id = await findUngivenCode(this.#db, this.#hashIn(text), creatorId, this.#clock.now())
    if (id === undefined) return undefined
    const given = text.includes('-') ? text.slice(0, text.lastIndexOf('-')) : undefined
    return given === undefined || this.#pairs.isShortCode(id, given) ? id : undefined
  }

  /** Gives a link to a user; it works from now on, and earlier ones for that user no more. */
  async give(db: Db, id: string, userId: number): Promise<void> {
    if (!(await giveResetCode(db, id, userId, this.#clock.now()))) throw new ResetCodeInvalid()
  }

  /** `<short>-<code>` of the live link that one user gave to another. */
  async liveLink(userId: number, creatorId: number): Promise<string | undefined> {
    const id = await liveCodeOf(this.#db, userId, creatorId, this.#clock.now())
    if (id === undefined) return undefined
    const { shortCode, code } = this.spell(id)
    return `${shortCode}-${code}`
  }

  /** Makes worthless what would set the password of a user, and what the user made for others; how many there were. */
  voidAll(db: Db, userId: number): Promise<number> {
    return voidLiveCodes(db, userId, this.#clock.now())
  }

  async withdraw(id: string): Promise<void> {
    await deleteResetCode(this.#db, id)
  }

  /** Removes codes a week after their end. */
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

  /** The hash of the long code in `<code>` or `<short>-<code>`. */
  #hashIn(text: string): Buffer {
    return this.#pairs.hash(text.slice(text.lastIndexOf('-') + 1))
  }
}
