import { type SqlBool, sql } from 'kysely'
import { after, type Clock, day, hour } from '../platform/clock.ts'
import { CodePairs } from '../platform/code-pairs.ts'
import type { Db } from '../platform/db/database.ts'
import { ValidationError } from '../platform/http/errors.ts'
import type { Secrets } from '../platform/secrets.ts'

/** The code is wrong, expired or guessed at too often; the answer does not say which. */
export class SignupCodeInvalid extends ValidationError {
  constructor() {
    super({ short_code: { key: 'validation.signupcodeinvalid' } })
  }
}

/** The code has made an account, which only somebody with the right pair is told. */
export class SignupCodeUsed extends ValidationError {
  constructor() {
    super({ short_code: { key: 'validation.signupcodeused' } }, { reason: 'used' })
  }
}

const kind = { purpose: 'signup', table: 'signup_codes', shortLength: 5, tries: 5 } as const

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
    await db
      .insertInto('signup_codes')
      .values({
        id,
        code_hash: hash,
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
    return { id, code, shortCode }
  }

  /** The codes of a row, made again. */
  spell(id: string): { code: string; shortCode: string } {
    return this.#pairs.spell(id)
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

  /** Checks a pair of codes; wrong ones count against the row. Throws SignupCodeUsed or SignupCodeInvalid. */
  async verify(tenantId: number, code: string, shortCode: string, ip: string): Promise<SignupCode> {
    const pair = { code, shortCode }
    const id = await this.#pairs.check(this.#db, pair, sql`tenant_id = ${tenantId}`)
    if (id === undefined) {
      const isUsed = await this.#pairs.isUsed(this.#db, pair, hasAccount(tenantId))
      throw isUsed ? new SignupCodeUsed() : new SignupCodeInvalid()
    }
    const row = await this.#db
      .updateTable('signup_codes')
      .set({ verify_ip: ip })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
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
    if (!(await this.#pairs.consume(db, id))) throw new SignupCodeUsed()
    await db.updateTable('signup_codes').set({ submit_ip: ip }).where('id', '=', id).execute()
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

/** Codes of a tenant whose account is still there. */
function hasAccount(tenantId: number) {
  return sql<SqlBool>`tenant_id = ${tenantId}
    and exists (select from users u where u.id = signup_codes.user_id and u.deleted_at is null)`
}
