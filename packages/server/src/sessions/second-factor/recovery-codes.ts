import { createHmac } from 'node:crypto'
import { recoveryCodeCount } from '@gatehouse/contract/sessions/factors'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { randomShortCode, type Secrets } from '../../platform/secrets.ts'
import { deleteRecoveryCodes, insertRecoveryCodes, spendRecoveryCode } from './factor-store.ts'

/** Characters of a code: fifty bits, stored only as a keyed hash. */
const length = 10
const form = /^[2-9A-HJ-NP-Z]{10}$/

/** Single-use codes that replace a lost factor. */
export class RecoveryCodes {
  readonly #clock: Clock
  readonly #key: Buffer

  constructor(clock: Clock, secrets: Secrets) {
    this.#clock = clock
    this.#key = secrets.derive('recovery-code')
  }

  /** Creates new codes in their printed form and invalidates the old ones. */
  async renew(trx: Db, userId: number): Promise<string[]> {
    const codes = new Set<string>()
    while (codes.size < recoveryCodeCount) codes.add(randomShortCode(length))
    const hashes = [...codes].map((code) => this.#hash(userId, code))
    await deleteRecoveryCodes(trx, userId)
    await insertRecoveryCodes(trx, userId, hashes, this.#clock.now())
    return [...codes].map((code) => `${code.slice(0, length / 2)}-${code.slice(length / 2)}`)
  }

  /** Consumes a code in one conditional update; returns false if it isn't the user's or was used. */
  async take(db: Db, userId: number, text: string): Promise<boolean> {
    const code = text.replaceAll(/[\s-]/g, '').toUpperCase()
    if (!form.test(code)) return false
    return spendRecoveryCode(db, userId, this.#hash(userId, code), this.#clock.now())
  }

  #hash(userId: number, code: string): Buffer {
    return createHmac('sha256', this.#key).update(`${userId}:${code}`).digest()
  }
}
