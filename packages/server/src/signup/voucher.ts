import type { Db } from '../platform/db/database.ts'

/** A discount that its code gives to a new wallet. */
export interface Voucher {
  readonly id: string
  readonly code: string
  /** Percent. */
  readonly discount: number
}

/** The tenant's active discount of that code, whatever its case. */
export async function findVoucher(db: Db, tenantId: number, code: string): Promise<Voucher | undefined> {
  const row = await db
    .selectFrom('discounts')
    .select(['id', 'code', 'discount'])
    .where('tenant_id', '=', tenantId)
    .where('code', '=', code.toUpperCase())
    .where('active', '=', true)
    .executeTakeFirst()
  return row?.code == null ? undefined : { id: row.id, code: row.code, discount: row.discount }
}
