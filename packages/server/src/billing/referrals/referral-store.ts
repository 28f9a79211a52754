import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { Localised } from '../../platform/db/schema.ts'
import { newUuid } from '../../platform/ids.ts'
import { systemTenant } from '../../platform/tenant.ts'

/** A programme with the code of one of its members. */
export interface MemberProgram {
  readonly id: string
  readonly name: Localised
  readonly description: Localised
  readonly code: string
  /** Accounts that signed up with that code. */
  readonly referred: number
}

/** A code that somebody signs up with. */
export interface ReferralOffer {
  readonly code: string
  /** Whose code it is. */
  readonly userId: number
  /** For the newcomer; null: the programme gives none, or it is over. */
  readonly discount: { readonly id: string; readonly percent: number } | null
}

/** A referral with what its award depends on. */
export interface Referral {
  readonly id: string
  readonly createdAt: Date
  /** Who signed up. */
  readonly newcomerId: number
  readonly referrerId: number
  readonly referrerLanguage: string | null
  /** The first wallet of who referred; null: that person is deleted. */
  readonly walletId: string | null
  /** Cents. */
  readonly awardAmount: number
  /** Cents. */
  readonly threshold: number
  readonly programId: string
  readonly programName: Localised
  /** Null: it waits for its award. */
  readonly redeemedAt: Date | null
  /** How often its award was taken back. */
  readonly takebacks: number
}

/** Active programmes of a tenant in which somebody has no code yet. */
export async function programsWithoutCode(db: Db, tenantId: number, userId: number): Promise<string[]> {
  const rows = await db
    .selectFrom('referral_programs as p')
    .select('p.id')
    .where('p.tenant_id', '=', tenantId)
    .where('p.active', '=', true)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('referral_codes as c')
            .select('c.code')
            .whereRef('c.program_id', '=', 'p.id')
            .where('c.user_id', '=', userId),
        ),
      ),
    )
    .execute()
  return rows.map((row) => row.id)
}

/** Gives somebody a code in a programme. False when the code is taken; a member who has one already keeps it. */
export async function insertCode(
  db: Db,
  made: { code: string; programId: string; userId: number; now: Date },
): Promise<boolean> {
  const { code, programId, userId } = made
  await db
    .insertInto('referral_codes')
    .values({ code, program_id: programId, user_id: userId, created_at: made.now })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const own = await db
    .selectFrom('referral_codes')
    .select('code')
    .where('program_id', '=', programId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return own !== undefined
}

/** Active programmes of a tenant that somebody has a code of, oldest first. */
export async function readMemberPrograms(db: Db, tenantId: number, userId: number): Promise<MemberProgram[]> {
  return db
    .selectFrom('referral_programs as p')
    .innerJoin('referral_codes as c', 'c.program_id', 'p.id')
    .leftJoin('referrals as r', 'r.code', 'c.code')
    .select((eb) => ['p.id', 'p.name', 'p.description', 'c.code', eb.fn.count<number>('r.id').as('referred')])
    .where('p.tenant_id', '=', tenantId)
    .where('p.active', '=', true)
    .where('c.user_id', '=', userId)
    .groupBy(['p.id', 'c.code'])
    .orderBy('p.created_at')
    .orderBy('p.id')
    .execute()
}

/** The code of an active programme of the tenant, whatever its case, unless its owner is deleted. */
export async function findReferralOffer(
  db: Db,
  tenantId: number,
  code: string,
  now: Date,
): Promise<ReferralOffer | undefined> {
  const row = await db
    .selectFrom('referral_codes as c')
    .innerJoin('referral_programs as p', 'p.id', 'c.program_id')
    .innerJoin('users as u', 'u.id', 'c.user_id')
    .leftJoin('discounts as d', (join) =>
      join
        .onRef('d.id', '=', 'p.discount_id')
        .on('d.active', '=', true)
        .on((eb) => eb.or([eb('d.expires_at', 'is', null), eb('d.expires_at', '>', now)])),
    )
    .select(['c.code', 'c.user_id', 'd.id as discount_id', 'd.discount'])
    .where('c.code', '=', code.toUpperCase())
    .where('p.tenant_id', '=', tenantId)
    .where('p.active', '=', true)
    .where('u.deleted_at', 'is', null)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const discount =
    row.discount_id === null || row.discount === null ? null : { id: row.discount_id, percent: row.discount }
  return { code: row.code, userId: row.user_id, discount }
}

/**
 * Whether an address outside belongs to the account of a user: one of its own addresses, or one that its people left
 * for the case of need. What stands after a "+" does not make it another one.
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

/** Notes with whose code somebody has signed up. */
export async function insertReferral(db: Db, code: string, userId: number, now: Date): Promise<void> {
  await db
    .insertInto('referrals')
    .values({ id: newUuid(), code, user_id: userId, created_at: now, redeemed_at: null })
    .execute()
}

/** The referral by which the owner of a wallet came. */
export async function findReferral(db: Db, walletId: string): Promise<Referral | undefined> {
  const row = await db
    .selectFrom('wallets as w')
    .innerJoin('referrals as r', 'r.user_id', 'w.user_id')
    .innerJoin('referral_codes as c', 'c.code', 'r.code')
    .innerJoin('referral_programs as p', 'p.id', 'c.program_id')
    .innerJoin('users as u', 'u.id', 'c.user_id')
    .select((eb) => [
      'r.id',
      'r.created_at',
      'r.user_id',
      'r.redeemed_at',
      'r.takebacks',
      'u.id as referrer_id',
      'u.language',
      'p.award_amount',
      'p.payments_threshold',
      'p.name',
      'p.id as program_id',
      eb
        .selectFrom('wallets as own')
        .select('own.id')
        .whereRef('own.user_id', '=', 'u.id')
        .where('u.deleted_at', 'is', null)
        .orderBy('own.created_at')
        .orderBy('own.id')
        .limit(1)
        .as('wallet_id'),
    ])
    .where('w.id', '=', walletId)
    .executeTakeFirst()
  return (
    row && {
      id: row.id,
      createdAt: row.created_at,
      newcomerId: row.user_id,
      referrerId: row.referrer_id,
      referrerLanguage: row.language,
      walletId: row.wallet_id,
      awardAmount: row.award_amount,
      threshold: row.payments_threshold,
      programId: row.program_id,
      programName: row.name,
      redeemedAt: row.redeemed_at,
      takebacks: row.takebacks,
    }
  )
}

/** The wallet that pays for the awards of a programme: that of its tenant. Undefined: the service pays itself. */
export async function walletOfProgram(db: Db, programId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('referral_programs as p')
    .innerJoin('tenants as t', 't.id', 'p.tenant_id')
    .select('t.wallet_id')
    .where('p.id', '=', programId)
    .where('t.id', '<>', systemTenant)
    .executeTakeFirst()
  return row?.wallet_id ?? undefined
}

/** Cents that came in by paid payments into all wallets of a user, with what went back taken off. */
export async function paidSum(db: Db, userId: number): Promise<number> {
  const row = await db
    .selectFrom('payments as p')
    .innerJoin('wallets as w', 'w.id', 'p.wallet_id')
    .select((eb) => eb.fn.coalesce(eb.fn.sum<string>('p.credit_amount'), sql<string>`0`).as('sum'))
    .where('w.user_id', '=', userId)
    .where('p.status', '=', 'paid')
    .executeTakeFirstOrThrow()
  return Number(row.sum)
}

/** Notes that the award of a referral was taken back; `reopen`: it may be earned anew. */
export async function noteTakeback(db: Db, id: string, reopen: boolean): Promise<void> {
  await db
    .updateTable('referrals')
    .set((eb) => ({ takebacks: eb('takebacks', '+', 1), ...(reopen && { redeemed_at: null }) }))
    .where('id', '=', id)
    .execute()
}

/** What was booked under a name of the ledger; undefined: nothing. */
export async function bookedAward(
  db: Db,
  key: string,
): Promise<{ readonly walletId: string; readonly amount: number } | undefined> {
  const row = await db
    .selectFrom('ledger_entries')
    .select(['wallet_id', 'amount'])
    .where('key', '=', key)
    .executeTakeFirst()
  return row && { walletId: row.wallet_id, amount: row.amount }
}

/** Ends a referral. False when it has ended before. */
export async function closeReferral(db: Db, id: string, at: Date): Promise<boolean> {
  const row = await db
    .updateTable('referrals')
    .set({ redeemed_at: at })
    .where('id', '=', id)
    .where('redeemed_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export async function externalAddressOf(db: Db, userId: number): Promise<string | undefined> {
  const row = await db
    .selectFrom('user_settings')
    .select('value')
    .where('user_id', '=', userId)
    .where('key', '=', 'external_email')
    .executeTakeFirst()
  return row?.value
}
