import type { Db } from '../../platform/db/database.ts'
import type { Localised } from '../../platform/db/schema.ts'

/** A referral programme as shown to its managers; amounts in cents. */
export interface Program {
  readonly id: string
  readonly name: Localised
  readonly description: Localised
  readonly award: number
  readonly threshold: number
  /** Discount for the referred customer; null for none. */
  readonly discountId: string | null
  readonly active: boolean
  readonly revision: number
}

export interface ListedProgram extends Program {
  /** Percent for the referred customer; null for none. */
  readonly discount: number | null
  /** Number of accounts that signed up through it, and of those that were awarded. */
  readonly accounts: number
  readonly awarded: number
}

/** A tenant's programmes, oldest first. */
export async function listPrograms(db: Db, tenantId: number): Promise<ListedProgram[]> {
  const rows = await db
    .selectFrom('referralPrograms as p')
    .leftJoin('discounts as d', 'd.id', 'p.discountId')
    .leftJoin('referralCodes as c', 'c.programId', 'p.id')
    .leftJoin('referrals as r', 'r.code', 'c.code')
    .selectAll('p')
    .select((eb) => [
      'd.discount',
      eb.fn.count<number>('r.id').as('accounts'),
      // a referral closed without an award has its creation time here
      eb.fn
        .count<number>('r.id')
        .filterWhere('r.redeemedAt', 'is not', null)
        .filterWhere((where) => where('r.redeemedAt', '<>', where.ref('r.createdAt')))
        .as('awarded'),
    ])
    .where('p.tenantId', '=', tenantId)
    .groupBy(['p.id', 'd.discount'])
    .orderBy('p.createdAt')
    .orderBy('p.id')
    .execute()
  return rows.map((row) => ({
    ...{ id: row.id, name: row.name, description: row.description, award: row.awardAmount },
    ...{ threshold: row.paymentsThreshold, discountId: row.discountId, active: row.active },
    ...{ revision: row.revision, discount: row.discount },
    ...{ accounts: Number(row.accounts), awarded: Number(row.awarded) },
  }))
}

/** Inserts or updates a programme. */
export async function writeProgram(db: Db, tenantId: number, program: Program, now: Date): Promise<void> {
  const values = {
    ...{ active: program.active, awardAmount: program.award, paymentsThreshold: program.threshold },
    ...{ discountId: program.discountId, updatedAt: now },
    name: JSON.stringify(program.name),
    description: JSON.stringify(program.description),
  }
  await db
    .insertInto('referralPrograms')
    .values({ id: program.id, tenantId, createdAt: now, ...values })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(values))
    .execute()
}

/** Whether a tenant has a discount with this ID. */
export async function hasDiscount(db: Db, tenantId: number, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('discounts')
    .select('id')
    .where('id', '=', id)
    .where('tenantId', '=', tenantId)
    .executeTakeFirst()
  return row !== undefined
}
