import type { Db } from '../../platform/db/database.ts'
import { isUuid } from '../../platform/ids.ts'

/** The wallet with this ID, or the first one of the user with this address. */
export function walletOf(
  db: Db,
  whose: { readonly id: string } | { readonly email: string },
): Promise<{ id: string; email: string; tenantId: number } | undefined> {
  const wallets = db
    .selectFrom('wallets as w')
    .innerJoin('users as o', 'o.id', 'w.userId')
    .select(['w.id', 'o.email', 'o.tenantId'])
    .orderBy('w.createdAt')
    .orderBy('w.id')
  const found =
    'id' in whose ? wallets.where('w.id', '=', whose.id) : wallets.where('o.email', '=', whose.email)
  return found.executeTakeFirst()
}

/** Wallets that aren't empty, or only those with debts; balances in cents, smallest first. */
export function balances(
  db: Db,
  isDebtOnly: boolean,
): Promise<{ id: string; balance: number; currency: string; email: string }[]> {
  return db
    .selectFrom('wallets as w')
    .innerJoin('users as o', 'o.id', 'w.userId')
    .select(['w.id', 'w.balance', 'w.currency', 'o.email'])
    .where('w.balance', isDebtOnly ? '<' : '<>', 0)
    .orderBy('w.balance')
    .execute()
}

/** Payments of a wallet, newest first. */
export function paymentsOf(db: Db, walletId: string) {
  return db
    .selectFrom('payments')
    .selectAll()
    .where('walletId', '=', walletId)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

/** Discounts of a tenant with the number of wallets that have each. */
export function discountsOf(db: Db, tenantId: number) {
  return db
    .selectFrom('discounts as d')
    .leftJoin('wallets as w', 'w.discountId', 'd.id')
    .select((eb) => [
      'd.id',
      'd.code',
      'd.discount',
      'd.active',
      'd.usageCount',
      'd.usageLimit',
      'd.expiresAt',
      eb.fn.count<number>('w.id').as('wallets'),
    ])
    .where('d.tenantId', '=', tenantId)
    .groupBy('d.id')
    .orderBy('d.discount')
    .orderBy('d.id')
    .execute()
}

/** The tenant's discount with this ID or code. */
export async function discountNumber(db: Db, tenantId: number, name: string): Promise<string | undefined> {
  const discounts = db.selectFrom('discounts').select('id').where('tenantId', '=', tenantId)
  const found = isUuid(name)
    ? discounts.where('id', '=', name)
    : discounts.where('code', '=', name.toUpperCase())
  return (await found.executeTakeFirst())?.id
}
