import { type SqlBool, sql } from 'kysely'
import type { Db } from '../platform/db/database.ts'

export interface Applicant {
  readonly tenantId: number
  readonly planId: string
  /** The address to prove; null if a token was used instead. */
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

/** Filters the codes of a tenant. */
export function ofTenant(tenantId: number) {
  return sql<SqlBool>`tenant_id = ${tenantId}`
}

/** Filters the codes of a tenant whose account still exists. */
export function hasAccount(tenantId: number) {
  return sql<SqlBool>`tenant_id = ${tenantId}
    and exists (select from users u where u.id = signup_codes.user_id and u.deleted_at is null)`
}

export async function insertSignupCode(
  db: Db,
  applicant: Applicant,
  code: { readonly id: string; readonly hash: Buffer; readonly now: Date; readonly expiresAt: Date },
): Promise<void> {
  await db
    .insertInto('signupCodes')
    .values({
      id: code.id,
      codeHash: code.hash,
      tenantId: applicant.tenantId,
      planId: applicant.planId,
      email: applicant.email,
      token: applicant.token,
      firstName: applicant.firstName,
      lastName: applicant.lastName,
      voucher: applicant.voucher,
      referral: applicant.referral,
      language: applicant.language,
      ip: applicant.ip,
      verifyIp: null,
      submitIp: null,
      userAgent: applicant.userAgent.slice(0, 512),
      userId: null,
      createdAt: code.now,
      expiresAt: code.expiresAt,
      usedAt: null,
    })
    .execute()
}

/** Counts open codes requested for this address or from this network address. */
export async function countOpenSignups(
  db: Db,
  column: 'email' | 'ip',
  value: string,
  now: Date,
): Promise<number> {
  const row = await db
    .selectFrom('signupCodes')
    .select((eb) => eb.fn.countAll<number>().as('open'))
    .where(column, '=', value)
    .where('usedAt', 'is', null)
    .where('expiresAt', '>', now)
    .executeTakeFirstOrThrow()
  return row.open
}

/** Records from where a code was verified and returns it. Throws NoResultError if it doesn't exist. */
export async function noteVerified(db: Db, id: string, ip: string): Promise<SignupCode> {
  const row = await db
    .updateTable('signupCodes')
    .set({ verifyIp: ip })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  return {
    id: row.id,
    tenantId: row.tenantId,
    planId: row.planId,
    email: row.email,
    token: row.token,
    firstName: row.firstName,
    lastName: row.lastName,
    voucher: row.voucher,
    referral: row.referral,
    language: row.language,
  }
}

export async function noteSubmitted(db: Db, id: string, ip: string): Promise<void> {
  await db.updateTable('signupCodes').set({ submitIp: ip }).where('id', '=', id).execute()
}

/** Records which account a code created. */
export async function assignSignup(db: Db, id: string, userId: number): Promise<void> {
  await db.updateTable('signupCodes').set({ userId }).where('id', '=', id).execute()
}

/** Returns the recipient of a sign-up code. */
export async function readSignupRecipient(db: Db, id: string) {
  return db
    .selectFrom('signupCodes')
    .select(['email', 'firstName', 'lastName', 'language', 'tenantId'])
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Deletes unused codes that expired before a moment. */
export async function purgeSignups(db: Db, expiredBefore: Date): Promise<void> {
  await db
    .deleteFrom('signupCodes')
    .where('usedAt', 'is', null)
    .where('expiresAt', '<', expiredBefore)
    .execute()
}
