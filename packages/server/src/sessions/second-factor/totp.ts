import { maxFactors, totpPendingLife } from '@gatehouse/contract/sessions/factors'
import { Secret, TOTP } from 'otpauth'
import { after, type Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { ValidationError } from '../../platform/http/errors.ts'
import { isUuid, newUuid } from '../../platform/ids.ts'
import type { Secrets } from '../../platform/secrets.ts'
import {
  activateGenerator,
  activeGenerators,
  deleteGenerators,
  type Generator,
  generatorsOf,
  holdPendingGenerator,
  insertGenerator,
  spendStep,
} from './factor-store.ts'

/** Purpose of the key that encrypts factor secrets in the database. */
export const factorPurpose = 'second-factor'

/** Steps before and after the current one that are accepted (RFC 6238 §5.2). */
const window = 1
/** Bytes of a secret (as recommended by RFC 4226 §4). */
const secretSize = 20
/** Pending authenticators per user; the oldest are dropped. */
const maxPending = 4

/** An authenticator app that is not confirmed yet. */
export interface PendingTotp {
  readonly id: string
  /** Base32. */
  readonly secret: string
  /** `otpauth://totp/…` */
  readonly uri: string
  readonly expiresAt: Date
}

/** Time-based one-time passwords (RFC 6238): sets up authenticator apps and verifies their codes. */
export class TotpFactors {
  readonly #clock: Clock
  readonly #secrets: Secrets
  readonly #issuer: string

  constructor(clock: Clock, secrets: Secrets, issuer: string) {
    this.#clock = clock
    this.#secrets = secrets
    this.#issuer = issuer
  }

  /**
   * Creates an authenticator app that becomes active once `confirm` verifies one of its codes, within ten
   * minutes. Lock the user first. Throws ValidationError at `label` if the user has too many.
   */
  async begin(trx: Db, user: { id: number; email: string }, label: string): Promise<PendingTotp> {
    await this.#makeRoom(trx, user.id)
    const secret = new Secret({ size: secretSize })
    const totp = new TOTP({ issuer: this.#issuer, label: user.email, secret })
    const now = this.#clock.now()
    const expiresAt = after(now, totpPendingLife)
    const id = newUuid()
    await insertGenerator(trx, {
      id,
      userId: user.id,
      label,
      secret: this.#secrets.encrypt(factorPurpose, secret.base32),
      digits: totp.digits,
      period: totp.period,
      createdAt: now,
      expiresAt,
    })
    return { id, secret: secret.base32, uri: totp.toString(), expiresAt }
  }

  /**
   * Activates an authenticator app with one of its codes. Returns its label, undefined if none is pending, or
   * false if the code is wrong.
   */
  async confirm(trx: Db, userId: number, id: string, code: string): Promise<string | false | undefined> {
    if (!isUuid(id)) return undefined
    const pending = await holdPendingGenerator(trx, userId, id, this.#clock.now())
    if (pending === undefined) return undefined
    const step = this.#stepOf(pending, code)
    if (step === undefined) return false
    await activateGenerator(trx, id, step)
    return pending.label
  }

  /**
   * Accepts a code of any authenticator app of a user: its time step must be close to now and newer than the
   * last one used. One conditional update, so that no code works twice.
   */
  async take(db: Db, userId: number, code: string): Promise<boolean> {
    for (const generator of await activeGenerators(db, userId)) {
      const step = this.#stepOf(generator, code)
      if (step !== undefined && (await spendStep(db, generator.id, step, this.#clock.now()))) return true
    }
    return false
  }

  /** Returns the time step of a code; undefined if it matches none close to now. */
  #stepOf(generator: Generator, code: string): number | undefined {
    const token = code.replaceAll(/\s/g, '')
    if (!/^\d{6,8}$/.test(token)) return undefined
    const timestamp = this.#clock.now().getTime()
    const totp = new TOTP({
      secret: Secret.fromBase32(this.#secrets.decrypt(factorPurpose, generator.secret)),
      algorithm: generator.algorithm,
      digits: generator.digits,
      period: generator.period,
    })
    const delta = totp.validate({ token, timestamp, window })
    return delta === null ? undefined : Math.floor(timestamp / 1000 / generator.period) + delta
  }

  async #makeRoom(trx: Db, userId: number): Promise<void> {
    const waiting = await generatorsOf(trx, userId)
    const active = waiting.filter((row) => row.active)
    if (active.length >= maxFactors)
      throw ValidationError.at('label', 'factors.too-many', { max: maxFactors })
    const old = waiting.filter((row) => !row.active).slice(maxPending - 1)
    if (old.length === 0) return
    await deleteGenerators(
      trx,
      old.map(({ id }) => id),
    )
  }
}
