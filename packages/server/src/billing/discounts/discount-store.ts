import type { Db } from '../../platform/db/database.ts'

/** A wallet with its owner and discount. */
export function discountedWallet(db: Db, walletId: string) {
  return db
    .selectFrom('wallets as w')
    .innerJoin('users as o', 'o.id', 'w.user_id')
    .leftJoin('discounts as d', 'd.id', 'w.discount_id')
    .select(['o.id as owner_id', 'o.tenant_id', 'w.discount_id', 'd.discount'])
    .where('w.id', '=', walletId)
    .executeTakeFirst()
}

export function readDiscount(db: Db, id: string) {
  return db.selectFrom('discounts').select(['tenant_id', 'discount']).where('id', '=', id).executeTakeFirst()
}

export async function writeDiscount(trx: Db, walletId: string, discountId: string | null): Promise<void> {
  await trx.updateTable('wallets').set({ discount_id: discountId }).where('id', '=', walletId).execute()
}
