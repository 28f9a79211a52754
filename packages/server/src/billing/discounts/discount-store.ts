import type { Db } from '../../platform/db/database.ts'

/** A wallet with its owner and discount. */
export function discountedWallet(db: Db, walletId: string) {
  return db
    .selectFrom('wallets as w')
    .innerJoin('users as o', 'o.id', 'w.userId')
    .leftJoin('discounts as d', 'd.id', 'w.discountId')
    .select(['o.id as ownerId', 'o.tenantId', 'w.discountId', 'd.discount'])
    .where('w.id', '=', walletId)
    .executeTakeFirst()
}

export function readDiscount(db: Db, id: string) {
  return db.selectFrom('discounts').select(['tenantId', 'discount']).where('id', '=', id).executeTakeFirst()
}

export async function writeDiscount(trx: Db, walletId: string, discountId: string | null): Promise<void> {
  await trx.updateTable('wallets').set({ discountId }).where('id', '=', walletId).execute()
}
