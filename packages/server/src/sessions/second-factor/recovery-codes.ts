import { createHmac } from 'node:crypto'
import { recoveryCodeCount } from '@gatehouse/contract/sessions/factors'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { randomShortCode, type Secrets } from '../../platform/secrets.ts'

/** Characters of a code: fifty bits, of which the database knows a keyed hash only. */
const length = 10
const form = /^[2-9A-HJ-NP-Z]{10}$/

/** Codes that stand in for a lost factor, each once. */
export class RecoveryCodes {
  readonly #clock: Clock
  readonly #key: Buffer

  constructor(clock: Clock, secrets: Secrets) {
    this.#clock = clock
    this.#key = secrets.derive('recovery-code')
  }

  /** Makes new codes, in the form in which people write them down; the old ones are void. */
  async renew(trx: Db, userId: number): Promise<string[]> {
    const codes = new Set<string>()
    while (codes.size < recoveryCodeCount) codes.add(randomShortCode(length))
    await trx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
    const created_at = this.#clock.now()
    await trx
      .insertInto('recovery_codes')
      .values([...codes].map((code) => ({ user_id: userId, hash: this.#hash(userId, code), created_at })))
      .execute()
    return [...codes].map((code) => `${code.slice(0, length / 2)}-${code.slice(length / 2)}`)
  }

  /** How many are left, and since when there are any. */
  async count(db: Db, userId: number): Promise<{ left: number; createdAt: Date | null }> {
    const { rows, since } = await db
      .selectFrom('recovery_codes')
      .select((eb) => [
        eb.fn.countAll<number>().filterWhere('used_at', 'is', null).as('rows'),
        eb.fn.max('created_at').as('since'),
      ])
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow()
    return { left: Number(rows), createdAt: since }
  }

  /** Uses a code up by one conditional update; false when it is none of the user's, or was used. */
  async take(db: Db, userId: number, text: string): Promise<boolean> {
    const code = text.replaceAll(/[\s-]/g, '').toUpperCase()
    if (!form.test(code)) return false
    const taken = await db
      .updateTable('recovery_codes')
      .set({ used_at: this.#clock.now() })
      .where('user_id', '=', userId)
      .where('hash', '=', this.#hash(userId, code))
      .where('used_at', 'is', null)
      .returning('user_id')
      .executeTakeFirst()
    return taken !== undefined
  }

  #hash(userId: number, code: string): Buffer {
    return createHmac('sha256', this.#key).update(`${userId}:${code}`).digest()
  }
}
