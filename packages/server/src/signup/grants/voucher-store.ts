import type { ExpressionBuilder } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { Schema } from '../../platform/db/schema.ts'

/** A code that gives a new wallet a discount. */
export interface Voucher {
  readonly id: string
  readonly code: string
  /** Percent. */
  readonly discount: number
}

/** Returns the tenant's voucher with that code, case-insensitively, if it can be claimed. */
export async function findVoucher(
  db: Db,
  tenantId: number,
  code: string,
  now: Date,
): Promise<Voucher | undefined> {
  const row = await db
    .selectFrom('discounts')
    .select(['id', 'code', 'discount'])
    .where('tenantId', '=', tenantId)
    .where('code', '=', code.toUpperCase())
    .where((eb) => claimable(eb, now))
    .executeTakeFirst()
  return row?.code == null ? undefined : { id: row.id, code: row.code, discount: row.discount }
}

/** Counts a use of a voucher; returns false if it can no longer be claimed. */
export async function spendVoucher(trx: Db, id: string, now: Date): Promise<boolean> {
  const row = await trx
    .updateTable('discounts')
    .set((eb) => ({ usageCount: eb('usageCount', '+', 1) }))
    .where('id', '=', id)
    .where((eb) => claimable(eb, now))
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

function claimable(eb: ExpressionBuilder<Schema, 'discounts'>, now: Date) {
  return eb.and([
    eb('active', '=', true),
    eb.or([eb('expiresAt', 'is', null), eb('expiresAt', '>', now)]),
    eb.or([eb('usageLimit', 'is', null), eb('usageCount', '<', eb.ref('usageLimit'))]),
  ])
}
