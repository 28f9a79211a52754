import type { ExpressionBuilder } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { Schema } from '../../platform/db/schema.ts'

/** A discount that its code gives to a new wallet. */
export interface Voucher {
  readonly id: string
  readonly code: string
  /** Percent. */
  readonly discount: number
}

/** The tenant's discount of that code, whatever its case, as long as it can be claimed. */
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

/** Counts a use of a voucher; false when it cannot be claimed any more. */
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
