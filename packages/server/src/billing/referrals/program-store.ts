import type { Db } from '../../platform/db/database.ts'
import type { Localised } from '../../platform/db/schema.ts'

/** A referral programme as those see it who run it; amounts in cents. */
export interface Program {
  readonly id: string
  readonly name: Localised
  readonly description: Localised
  readonly award: number
  readonly threshold: number
  /** For the newcomer; null: none. */
  readonly discountId: string | null
  readonly active: boolean
  readonly revision: number
}

export interface ListedProgram extends Program {
  /** Percent for the newcomer; null: none. */
  readonly discount: number | null
  /** Accounts that came by it, and how many of them were awarded. */
  readonly accounts: number
  readonly awarded: number
}

/** Programmes of a tenant, oldest first. */
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
      // a referral that was closed without an award bears the moment of its making
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

/** Writes a programme, a new one or one that is there. */
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

/** Whether a tenant has a discount of that id. */
export async function hasDiscount(db: Db, tenantId: number, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('discounts')
    .select('id')
    .where('id', '=', id)
    .where('tenantId', '=', tenantId)
    .executeTakeFirst()
  return row !== undefined
}
