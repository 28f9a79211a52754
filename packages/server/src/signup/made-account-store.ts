import type { Db } from '../platform/db/database.ts'

/** An account in the state its sign-up left it. */
export interface MadeAccount {
  readonly userId: number
  readonly walletId: string
  readonly tenantId: number
  readonly currency: string
  readonly planId: string | null
  /** ISO 3166-1. */
  readonly country: string
  /** The wallet's discount; `code` is null if it has none. */
  readonly discount: { readonly percent: number; readonly code: string | null } | undefined
}

/** Returns the account that owns a wallet; undefined if there is none or it was deleted. */
export async function readMadeAccount(db: Db, walletId: string): Promise<MadeAccount | undefined> {
  const row = await db
    .selectFrom('wallets as w')
    .innerJoin('users as u', 'u.id', 'w.userId')
    .leftJoin('discounts as d', 'd.id', 'w.discountId')
    .leftJoin('userSettings as p', (join) => join.onRef('p.userId', '=', 'u.id').on('p.key', '=', 'plan_id'))
    .leftJoin('userSettings as c', (join) => join.onRef('c.userId', '=', 'u.id').on('c.key', '=', 'country'))
    .select([
      'u.id',
      'u.tenantId',
      'w.currency',
      'd.discount',
      'd.code',
      'p.value as plan',
      'c.value as country',
    ])
    .where('w.id', '=', walletId)
    .where('u.deletedAt', 'is', null)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const { id, tenantId, currency, discount, code, plan, country } = row
  return {
    ...{ userId: id, walletId, tenantId, currency },
    ...{ planId: plan, country: country ?? '' },
    discount: discount === null ? undefined : { percent: discount, code },
  }
}

export async function setWalletDiscount(db: Db, walletId: string, discountId: string): Promise<void> {
  await db.updateTable('wallets').set({ discountId }).where('id', '=', walletId).execute()
}
