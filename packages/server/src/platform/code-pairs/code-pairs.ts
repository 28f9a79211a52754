import { timingSafeEqual } from 'node:crypto'
import type { RawBuilder, SqlBool } from 'kysely'
import type { Clock } from '../clock.ts'
import type { Db } from '../db/database.ts'
import { newUuid } from '../ids.ts'
import { type Secrets, sha256 } from '../secrets.ts'
import { consumePair, countTry, findUsedPair, giveTryBack, type PairTable } from './code-pair-store.ts'

/** A long code for links and a short one to type; together they prove that somebody got a mail. */
export interface CodePair {
  readonly code: string
  readonly shortCode: string
}

/** A kind of such codes. Its rows have the columns `id`, `code_hash`, `attempts`, `used_at` and `expires_at`. */
export interface CodeKind {
  readonly purpose: string
  readonly table: PairTable
  readonly shortLength: number
  /** Wrong short codes before a code is worth nothing: few characters are soon guessed. */
  readonly tries: number
}

/**
 * Makes and checks pairs of codes. They follow from the id of their row and the master secret, so the database keeps a
 * hash and a mail job nothing but the id.
 */
export class CodePairs {
  readonly #clock: Clock
  readonly #secrets: Secrets
  readonly #kind: CodeKind

  constructor(clock: Clock, secrets: Secrets, kind: CodeKind) {
    this.#clock = clock
    this.#secrets = secrets
    this.#kind = kind
  }

  /** A pair for a row that is yet to be written, with what that row keeps of it. */
  make(): CodePair & { readonly id: string; readonly hash: Buffer } {
    const id = newUuid()
    const pair = this.spell(id)
    return { id, hash: this.hash(pair.code), ...pair }
  }

  /** The codes of a row, made again. */
  spell(id: string): CodePair {
    const { purpose, shortLength } = this.#kind
    return {
      code: this.#secrets.longCode(purpose, id),
      shortCode: this.#secrets.shortCode(purpose, id, shortLength),
    }
  }

  /** What a row keeps of its long code. */
  hash(code: string): Buffer {
    return sha256(code)
  }

  /** Whether a short code is that of a row, whatever its case; takes as long for every answer. */
  isShortCode(id: string, given: string): boolean {
    return timingSafeEqual(sha256(this.spell(id).shortCode), sha256(given.toUpperCase()))
  }

  /**
   * The id of the row that a pair belongs to, among those that `which` names; undefined: it is wrong, used, over, or was
   * guessed at too often. A try is counted before it is compared, so that guesses at once are counted each; a right one
   * is given back.
   */
  async check(db: Db, pair: CodePair, which: RawBuilder<SqlBool>): Promise<string | undefined> {
    const { table, tries } = this.#kind
    const id = await countTry(db, table, { hash: this.hash(pair.code), tries, now: this.#clock.now(), which })
    if (id === undefined || !this.isShortCode(id, pair.shortCode)) return undefined
    await giveTryBack(db, table, id)
    return id
  }

  /** Whether a right pair was used up, in a row that `which` names. */
  async isUsed(db: Db, pair: CodePair, which: RawBuilder<SqlBool>): Promise<boolean> {
    const id = await findUsedPair(db, this.#kind.table, this.hash(pair.code), which)
    return id !== undefined && this.isShortCode(id, pair.shortCode)
  }

  /** Uses a code up, inside the transaction of what it is good for. False: another was faster. */
  consume(trx: Db, id: string): Promise<boolean> {
    return consumePair(trx, this.#kind.table, id, this.#clock.now())
  }
}
