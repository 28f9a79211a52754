import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { Localised } from '../../platform/db/schema.ts'
import { newUuid } from '../../platform/ids.ts'
import { systemTenant } from '../../platform/tenant.ts'

/** A programme with a member's code. */
export interface MemberProgram {
  readonly id: string
  readonly name: Localised
  readonly description: Localised
  readonly code: string
  /** Number of accounts that signed up with this code. */
  readonly referred: number
}

/** A code used for a sign-up. */
export interface ReferralOffer {
  readonly code: string
  /** The code's owner. */
  readonly userId: number
  /** Discount for the referred customer; null if the programme has none or has ended. */
  readonly discount: { readonly id: string; readonly percent: number } | null
}

/** A referral with the data relevant to its award. */
export interface Referral {
  readonly id: string
  readonly createdAt: Date
  /** The referred customer. */
  readonly newcomerId: number
  readonly referrerId: number
  readonly referrerLanguage: string | null
  /** The referrer's first wallet; null if the referrer is deleted. */
  readonly walletId: string | null
  /** Cents. */
  readonly awardAmount: number
  /** Cents. */
  readonly threshold: number
  readonly programId: string
  readonly programName: Localised
  /** Null until it is awarded. */
  readonly redeemedAt: Date | null
  /** How often its award was taken back. */
  readonly takebacks: number
}

/** Active programmes of a tenant in which a user has no code yet. */
export async function programsWithoutCode(db: Db, tenantId: number, userId: number): Promise<string[]> {
  const rows = await db
    .selectFrom('referralPrograms as p')
    .select('p.id')
    .where('p.tenantId', '=', tenantId)
    .where('p.active', '=', true)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('referralCodes as c')
            .select('c.code')
            .whereRef('c.programId', '=', 'p.id')
            .where('c.userId', '=', userId),
        ),
      ),
    )
    .execute()
  return rows.map((row) => row.id)
}

/**
 * Assigns a code to a user in a programme. Returns false if the code is taken; an existing member keeps their
 * code.
 */
export async function insertCode(
  db: Db,
  made: { code: string; programId: string; userId: number; now: Date },
): Promise<boolean> {
  const { code, programId, userId } = made
  await db
    .insertInto('referralCodes')
    .values({ code, programId, userId, createdAt: made.now })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const own = await db
    .selectFrom('referralCodes')
    .select('code')
    .where('programId', '=', programId)
    .where('userId', '=', userId)
    .executeTakeFirst()
  return own !== undefined
}

/** Active programmes of a tenant in which a user has a code, oldest first. */
export async function readMemberPrograms(db: Db, tenantId: number, userId: number): Promise<MemberProgram[]> {
  return db
    .selectFrom('referralPrograms as p')
    .innerJoin('referralCodes as c', 'c.programId', 'p.id')
    .leftJoin('referrals as r', 'r.code', 'c.code')
    .select((eb) => ['p.id', 'p.name', 'p.description', 'c.code', eb.fn.count<number>('r.id').as('referred')])
    .where('p.tenantId', '=', tenantId)
    .where('p.active', '=', true)
    .where('c.userId', '=', userId)
    .groupBy(['p.id', 'c.code'])
    .orderBy('p.createdAt')
    .orderBy('p.id')
    .execute()
}

/** The code of an active programme of the tenant, case-insensitive, unless its owner is deleted. */
export async function findReferralOffer(
  db: Db,
  tenantId: number,
  code: string,
  now: Date,
): Promise<ReferralOffer | undefined> {
  const row = await db
    .selectFrom('referralCodes as c')
    .innerJoin('referralPrograms as p', 'p.id', 'c.programId')
    .innerJoin('users as u', 'u.id', 'c.userId')
    .leftJoin('discounts as d', (join) =>
      join
        .onRef('d.id', '=', 'p.discountId')
        .on('d.active', '=', true)
        .on((eb) => eb.or([eb('d.expiresAt', 'is', null), eb('d.expiresAt', '>', now)])),
    )
    .select(['c.code', 'c.userId', 'd.id as discountId', 'd.discount'])
    .where('c.code', '=', code.toUpperCase())
    .where('p.tenantId', '=', tenantId)
    .where('p.active', '=', true)
    .where('u.deletedAt', 'is', null)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const discount =
    row.discountId === null || row.discount === null ? null : { id: row.discountId, percent: row.discount }
  return { code: row.code, userId: row.userId, discount }
}

/**
 * Whether an external address belongs to a user's account: one of its own addresses, or its users' recovery
 * addresses. Ignores subaddresses after "+".
 */
export async function isAddressOfAccount(db: Db, userId: number, email: string): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    with members as (
      select m.id from users r join users m on m.wallet_id = r.wallet_id or m.id = r.id
        where r.id = ${userId}::bigint),
    known as (
      select a.address as email from addresses a join members on a.object_id = members.id
        where a.kind in ('user', 'alias')
      union all
      select lower(s.value) from user_settings s join members on s.user_id = members.id
        where s.key = 'external_email')
    select exists (select from known
      where regexp_replace(email, '\\+[^@]*@', '@')
        = regexp_replace(lower(${email}::text), '\\+[^@]*@', '@')) as found`.execute(db)
  return rows[0]?.found ?? false
}

/** Stores the code with which a user signed up. */
export async function insertReferral(db: Db, code: string, userId: number, now: Date): Promise<void> {
  await db
    .insertInto('referrals')
    .values({ id: newUuid(), code, userId, createdAt: now, redeemedAt: null })
    .execute()
}

/** The referral of a wallet's owner. */
export async function findReferral(db: Db, walletId: string): Promise<Referral | undefined> {
  const row = await db
    .selectFrom('wallets as w')
    .innerJoin('referrals as r', 'r.userId', 'w.userId')
    .innerJoin('referralCodes as c', 'c.code', 'r.code')
    .innerJoin('referralPrograms as p', 'p.id', 'c.programId')
    .innerJoin('users as u', 'u.id', 'c.userId')
    .select((eb) => [
      'r.id',
      'r.createdAt',
      'r.userId',
      'r.redeemedAt',
      'r.takebacks',
      'u.id as referrerId',
      'u.language',
      'p.awardAmount',
      'p.paymentsThreshold',
      'p.name',
      'p.id as programId',
      eb
        .selectFrom('wallets as own')
        .select('own.id')
        .whereRef('own.userId', '=', 'u.id')
        .where('u.deletedAt', 'is', null)
        .orderBy('own.createdAt')
        .orderBy('own.id')
        .limit(1)
        .as('walletId'),
    ])
    .where('w.id', '=', walletId)
    .executeTakeFirst()
  return (
    row && {
      id: row.id,
      createdAt: row.createdAt,
      newcomerId: row.userId,
      referrerId: row.referrerId,
      referrerLanguage: row.language,
      walletId: row.walletId,
      awardAmount: row.awardAmount,
      threshold: row.paymentsThreshold,
      programId: row.programId,
      programName: row.name,
      redeemedAt: row.redeemedAt,
      takebacks: row.takebacks,
    }
  )
}

/** The wallet that pays for a programme's awards: its tenant's. Undefined if the service pays. */
export async function walletOfProgram(db: Db, programId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('referralPrograms as p')
    .innerJoin('tenants as t', 't.id', 'p.tenantId')
    .select('t.walletId')
    .where('p.id', '=', programId)
    .where('t.id', '<>', systemTenant)
    .executeTakeFirst()
  return row?.walletId ?? undefined
}

/** Total of paid payments into all of a user's wallets in cents, less reversals. */
export async function paidSum(db: Db, userId: number): Promise<number> {
  const row = await db
    .selectFrom('payments as p')
    .innerJoin('wallets as w', 'w.id', 'p.walletId')
    .select((eb) => eb.fn.coalesce(eb.fn.sum<string>('p.creditAmount'), sql<string>`0`).as('sum'))
    .where('w.userId', '=', userId)
    .where('p.status', '=', 'paid')
    .executeTakeFirstOrThrow()
  return Number(row.sum)
}

/** Records that a referral's award was taken back; `reopen`: it can be earned again. */
export async function noteTakeback(db: Db, id: string, reopen: boolean): Promise<void> {
  await db
    .updateTable('referrals')
    .set((eb) => ({ takebacks: eb('takebacks', '+', 1), ...(reopen && { redeemedAt: null }) }))
    .where('id', '=', id)
    .execute()
}

/** Amount booked under a ledger key; undefined if none. */
export async function bookedAward(
  db: Db,
  key: string,
): Promise<{ readonly walletId: string; readonly amount: number } | undefined> {
  const row = await db
    .selectFrom('ledgerEntries')
    .select(['walletId', 'amount'])
    .where('key', '=', key)
    .executeTakeFirst()
  return row && { walletId: row.walletId, amount: row.amount }
}

/** Closes a referral. Returns false if it was already closed. */
export async function closeReferral(db: Db, id: string, at: Date): Promise<boolean> {
  const row = await db
    .updateTable('referrals')
    .set({ redeemedAt: at })
    .where('id', '=', id)
    .where('redeemedAt', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export async function externalAddressOf(db: Db, userId: number): Promise<string | undefined> {
  const row = await db
    .selectFrom('userSettings')
    .select('value')
    .where('userId', '=', userId)
    .where('key', '=', 'external_email')
    .executeTakeFirst()
  return row?.value
}
