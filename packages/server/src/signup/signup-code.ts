import { sql } from 'kysely'
import { sameCode } from '../passwords/reset-code.ts'
import { after, type Clock, day, hour } from '../platform/clock.ts'
import type { Db } from '../platform/db/database.ts'
import { ValidationError } from '../platform/http/errors.ts'
import { newUuid } from '../platform/ids.ts'
import { type Secrets, sha256 } from '../platform/secrets.ts'

/** The code is wrong, expired, used or guessed at too often; the answer does not say which. */
export class SignupCodeInvalid extends ValidationError {
  constructor() {
    super({ short_code: { key: 'validation.signupcodeinvalid' } })
  }
}

const purpose = 'signup'
const shortLength = 5
/** Wrong short codes before a code is worth nothing: five characters are few. */
const tries = 5

export interface Applicant {
  readonly tenantId: number
  readonly planId: string
  /** The address that the code shall prove; null: a token was shown instead. */
  readonly email: string | null
  readonly token: string | null
  readonly firstName: string | null
  readonly lastName: string | null
  readonly voucher: string | null
  readonly referral: string | null
  readonly language: string
  readonly ip: string
  readonly userAgent: string
}

export interface SignupCode extends Omit<Applicant, 'ip' | 'userAgent'> {
  readonly id: string
}

/** Codes that prove an e-mail address at sign-up, or carry a token from the first step to the last. The database keeps hashes; the codes follow from the row's id. */
export class SignupCodes {
  readonly #db: Db
  readonly #clock: Clock
  readonly #secrets: Secrets
  readonly #life: number

  /** `life` in hours. */
  constructor(db: Db, clock: Clock, secrets: Secrets, life: number) {
    this.#db = db
    this.#clock = clock
    this.#secrets = secrets
    this.#life = life * hour
  }

  async make(db: Db, applicant: Applicant): Promise<{ id: string; code: string; shortCode: string }> {
    const id = newUuid()
    const now = this.#clock.now()
    const codes = this.spell(id)
    await db
      .insertInto('signup_codes')
      .values({
        id,
        code_hash: sha256(codes.code),
        tenant_id: applicant.tenantId,
        plan_id: applicant.planId,
        email: applicant.email,
        token: applicant.token,
        first_name: applicant.firstName,
        last_name: applicant.lastName,
        voucher: applicant.voucher,
        referral: applicant.referral,
        language: applicant.language,
        ip: applicant.ip,
        verify_ip: null,
        submit_ip: null,
        user_agent: applicant.userAgent.slice(0, 512),
        user_id: null,
        created_at: now,
        expires_at: after(now, this.#life),
        used_at: null,
      })
      .execute()
    return { id, ...codes }
  }

  /** The codes of a row, made again. */
  spell(id: string): { code: string; shortCode: string } {
    return {
      code: this.#secrets.longCode(purpose, id),
      shortCode: this.#secrets.shortCode(purpose, id, shortLength),
    }
  }

  /** Open codes that were asked for with this address or from this network address. */
  async countOpen(column: 'email' | 'ip', value: string): Promise<number> {
    const row = await this.#db
      .selectFrom('signup_codes')
      .select((eb) => eb.fn.countAll<number>().as('open'))
      .where(column, '=', value)
      .where('used_at', 'is', null)
      .where('expires_at', '>', this.#clock.now())
      .executeTakeFirstOrThrow()
    return row.open
  }

  /** Checks a pair of codes; wrong ones count against the row. Throws SignupCodeInvalid. */
  async verify(tenantId: number, code: string, shortCode: string, ip: string): Promise<SignupCode> {
    const row = await this.#db
      .updateTable('signup_codes')
      .set((eb) => ({ attempts: eb('attempts', '+', 1) }))
      .where('code_hash', '=', sha256(code))
      .where('tenant_id', '=', tenantId)
      .where('used_at', 'is', null)
      .where('expires_at', '>', this.#clock.now())
      .where('attempts', '<', tries)
      .returningAll()
      .executeTakeFirst()
    if (row === undefined) throw new SignupCodeInvalid()
    if (!sameCode(this.spell(row.id).shortCode, shortCode)) throw new SignupCodeInvalid()
    await this.#db
      .updateTable('signup_codes')
      .set({ attempts: sql<number>`attempts - 1`, verify_ip: ip })
      .where('id', '=', row.id)
      .execute()
    return {
      id: row.id,
      tenantId: row.tenant_id,
      planId: row.plan_id,
      email: row.email,
      token: row.token,
      firstName: row.first_name,
      lastName: row.last_name,
      voucher: row.voucher,
      referral: row.referral,
      language: row.language,
    }
  }

  /** Uses a verified code up, inside the transaction that creates the account. Throws when another was faster. */
  async consume(db: Db, id: string, ip: string): Promise<void> {
    const row = await db
      .updateTable('signup_codes')
      .set({ used_at: this.#clock.now(), submit_ip: ip })
      .where('id', '=', id)
      .where('used_at', 'is', null)
      .returning('id')
      .executeTakeFirst()
    if (row === undefined) throw new SignupCodeInvalid()
  }

  async belongsTo(db: Db, id: string, userId: number): Promise<void> {
    await db.updateTable('signup_codes').set({ user_id: userId }).where('id', '=', id).execute()
  }

  /** Removes codes that nobody used half a year after their end. */
  async purge(): Promise<void> {
    await this.#db
      .deleteFrom('signup_codes')
      .where('used_at', 'is', null)
      .where('expires_at', '<', after(this.#clock.now(), -183 * day))
      .execute()
  }
}
