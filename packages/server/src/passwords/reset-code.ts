import { sql } from 'kysely'
import { after, type Clock, hour } from '../platform/clock.ts'
import { CodePairs } from '../platform/code-pairs.ts'
import type { Db } from '../platform/db/database.ts'
import { ValidationError } from '../platform/http/errors.ts'
import type { Secrets } from '../platform/secrets.ts'
import { isAccountOpen } from '../users/account-lock.ts'

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
    await this.#db.updateTable('verification_codes').set({ user_id: userId }).where('id', '=', id).execute()
  }

  /** Checks a pair of codes; wrong ones count against the row. Throws ResetCodeInvalid. */
  async verify(code: string, shortCode: string): Promise<{ id: string; userId: number }> {
    const id = await this.#pairs.check(this.#db, { code, shortCode }, sql`active`)
    if (id === undefined) throw new ResetCodeInvalid()
    const user = await this.#db
      .selectFrom('verification_codes as c')
      .innerJoin('users as u', 'u.id', 'c.user_id')
      .select('u.id')
      .where('c.id', '=', id)
      .where('u.deleted_at', 'is', null)
      .where(isAccountOpen)
      .executeTakeFirst()
    if (user === undefined) throw new ResetCodeInvalid()
    return { id, userId: user.id }
  }

  /** Whose password the code may set, if anybody's; it proves nothing without the short code. */
  async ownerOf(code: string): Promise<number | undefined> {
    const row = await this.#db
      .selectFrom('verification_codes')
      .select('user_id')
      .where('code_hash', '=', this.#pairs.hash(code))
      .executeTakeFirst()
    return row?.user_id ?? undefined
  }

  /** Uses a verified code up, inside the transaction that sets the password. Throws when another was faster. */
  async consume(db: Db, id: string): Promise<void> {
    if (!(await this.#pairs.consume(db, id))) throw new ResetCodeInvalid()
  }

  /** The row of a link, named by `<code>` or `<short>-<code>`. */
  async findLink(
    text: string,
  ): Promise<{ id: string; creatorId: number | null; userId: number | null } | undefined> {
    const row = await this.#db
      .selectFrom('verification_codes')
      .select(['id', 'creator_id', 'user_id'])
      .where('code_hash', '=', this.#pairs.hash(text.slice(text.lastIndexOf('-') + 1)))
      .where('used_at', 'is', null)
      .executeTakeFirst()
    return row && { id: row.id, creatorId: row.creator_id, userId: row.user_id }
  }

  /** The link that this user made and gave to nobody yet; undefined for any other text. */
  async findUngiven(text: string, creatorId: number): Promise<string | undefined> {
    const row = await this.#db
      .selectFrom('verification_codes')
      .select('id')
      .where('code_hash', '=', this.#pairs.hash(text.slice(text.lastIndexOf('-') + 1)))
      .where('creator_id', '=', creatorId)
      .where('active', '=', false)
      .where('used_at', 'is', null)
      .where('expires_at', '>', this.#clock.now())
      .executeTakeFirst()
    if (row === undefined) return undefined
    const given = text.includes('-') ? text.slice(0, text.lastIndexOf('-')) : undefined
    return given === undefined || this.#pairs.isShortCode(row.id, given) ? row.id : undefined
  }

  /** Gives a link to a user; it works from now on, and earlier ones for that user no more. */
  async give(db: Db, id: string, userId: number): Promise<void> {
    await db
      .updateTable('verification_codes')
      .set({ used_at: this.#clock.now() })
      .where('user_id', '=', userId)
      .where('creator_id', 'is not', null)
      .where('used_at', 'is', null)
      .execute()
    const given = await db
      .updateTable('verification_codes')
      .set({ user_id: userId, active: true })
      .where('id', '=', id)
      .where('active', '=', false)
      .where('used_at', 'is', null)
      .returning('id')
      .executeTakeFirst()
    if (given === undefined) throw new ResetCodeInvalid()
  }

  /** `<short>-<code>` of the live link that one user gave to another. */
  async liveLink(userId: number, creatorId: number): Promise<string | undefined> {
    const row = await this.#db
      .selectFrom('verification_codes')
      .select('id')
      .where('user_id', '=', userId)
      .where('creator_id', '=', creatorId)
      .where('active', '=', true)
      .where('used_at', 'is', null)
      .where('expires_at', '>', this.#clock.now())
      .orderBy('created_at', 'desc')
      .executeTakeFirst()
    if (row === undefined) return undefined
    const { shortCode, code } = this.spell(row.id)
    return `${shortCode}-${code}`
  }

  /** Makes worthless what would set the password of a user, and what the user made for others; how many there were. */
  async voidAll(db: Db, userId: number): Promise<number> {
    const now = this.#clock.now()
    const rows = await db
      .updateTable('verification_codes')
      .set({ used_at: now })
      .where((where) => where.or([where('user_id', '=', userId), where('creator_id', '=', userId)]))
      .where('used_at', 'is', null)
      .where('expires_at', '>', now)
      .returning('id')
      .execute()
    return rows.length
  }

  async withdraw(id: string): Promise<void> {
    await this.#db.deleteFrom('verification_codes').where('id', '=', id).execute()
  }

  /** Removes codes a week after their end. */
  async purge(): Promise<void> {
    await this.#db
      .deleteFrom('verification_codes')
      .where('expires_at', '<', after(this.#clock.now(), -7 * 24 * hour))
      .execute()
  }

  async #make(
    db: Db,
    options: { active: boolean; creatorId: number | null; userId?: number; life: number },
  ): Promise<ResetCode> {
    const now = this.#clock.now()
    const expiresAt = after(now, options.life)
    const { id, hash, code, shortCode } = this.#pairs.make()
    await db
      .insertInto('verification_codes')
      .values({
        id,
        code_hash: hash,
        mode: 'password-reset',
        user_id: options.userId ?? null,
        creator_id: options.creatorId,
        active: options.active,
        created_at: now,
        expires_at: expiresAt,
        used_at: null,
      })
      .execute()
    return { id, code, shortCode, expiresAt }
  }
}
