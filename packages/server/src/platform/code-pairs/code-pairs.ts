import { timingSafeEqual } from 'node:crypto'
import type { RawBuilder, SqlBool } from 'kysely'
import type { Clock } from '../clock.ts'
import type { Db } from '../db/database.ts'
import { newUuid } from '../ids.ts'
import { type Secrets, sha256 } from '../secrets.ts'
import { consumePair, countTry, findUsedPair, giveTryBack, type PairTable } from './code-pair-store.ts'

/** A long code for links and a short one to type; together they prove that an e-mail was received. */
export interface CodePair {
  readonly code: string
  readonly shortCode: string
}

/**
 * A kind of code pair. Its table has the columns `id`, `code_hash`, `attempts`, `used_at` and `expires_at`.
 */
export interface CodeKind {
  readonly purpose: string
  readonly table: PairTable
  readonly shortLength: number
  /** Number of wrong short codes after which a code is void, because short codes are easy to guess. */
  readonly tries: number
}

/**
 * Creates and verifies pairs of codes. They are derived from the row's id and the master secret, so the
 * database has only a hash and a mail job only the id.
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

  /** Creates a pair for a new row, with the hash to store. */
  make(): CodePair & { readonly id: string; readonly hash: Buffer } {
    const id = newUuid()
    const pair = this.spell(id)
    return { id, hash: this.hash(pair.code), ...pair }
  }

  /** Derives the codes of a row. */
  spell(id: string): CodePair {
    const { purpose, shortLength } = this.#kind
    return {
      code: this.#secrets.longCode(purpose, id),
      shortCode: this.#secrets.shortCode(purpose, id, shortLength),
    }
  }

  /** Returns the stored hash of a long code. */
  hash(code: string): Buffer {
    return sha256(code)
  }

  /** Returns whether a short code matches a row, ignoring case, in constant time. */
  isShortCode(id: string, given: string): boolean {
    return timingSafeEqual(sha256(this.spell(id).shortCode), sha256(given.toUpperCase()))
  }

  /**
   * Returns the id of a pair's row among those selected by `which`; undefined if it is wrong, used, expired or
   * had too many attempts. An attempt is counted before the comparison, so that concurrent guesses are all
   * counted; a correct one is uncounted.
   */
  async check(db: Db, pair: CodePair, which: RawBuilder<SqlBool>): Promise<string | undefined> {
    const { table, tries } = this.#kind
    const id = await countTry(db, table, { hash: this.hash(pair.code), tries, now: this.#clock.now(), which })
    if (id === undefined || !this.isShortCode(id, pair.shortCode)) return undefined
    await giveTryBack(db, table, id)
    return id
  }

  /** Returns whether a correct pair was used, in a row selected by `which`. */
  async isUsed(db: Db, pair: CodePair, which: RawBuilder<SqlBool>): Promise<boolean> {
    const id = await findUsedPair(db, this.#kind.table, this.hash(pair.code), which)
    return id !== undefined && this.isShortCode(id, pair.shortCode)
  }

  /** Consumes a code in the transaction that acts on it. Returns false if it was consumed concurrently. */
  consume(trx: Db, id: string): Promise<boolean> {
    return consumePair(trx, this.#kind.table, id, this.#clock.now())
  }
}
