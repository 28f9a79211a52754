import type { Insertable } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { Schema } from '../../platform/db/schema.ts'

/** Whether a tenant offers a discount. */
export async function isActiveDiscount(db: Db, tenantId: number, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('discounts')
    .select('active')
    .where('id', '=', id)
    .where('tenantId', '=', tenantId)
    .executeTakeFirst()
  return row?.active === true
}

/** Inserts a discount. Fails with a violation of `discounts_code` if the code is taken. */
export async function insertDiscount(db: Db, discount: Insertable<Schema['discounts']>): Promise<void> {
  await db.insertInto('discounts').values(discount).execute()
}

/** Activates or deactivates a tenant's discount; returns its percentage, or undefined if it doesn't exist. */
export async function setDiscountActive(
  db: Db,
  tenantId: number,
  id: string,
  active: boolean,
): Promise<number | undefined> {
  const row = await db
    .updateTable('discounts')
    .set({ active })
    .where('id', '=', id)
    .where('tenantId', '=', tenantId)
    .returning('discount')
    .executeTakeFirst()
  return row?.discount
}

/** Returns the tenant's active discounts, smallest first; reference api-billing-admin §18. */
export async function offeredDiscounts(db: Db, tenantId: number) {
  return db
    .selectFrom('discounts')
    .select(['id', 'discount', 'code', 'description'])
    .where('tenantId', '=', tenantId)
    .where('active', '=', true)
    .orderBy('discount')
    .orderBy('code')
    .orderBy('id')
    .execute()
}
