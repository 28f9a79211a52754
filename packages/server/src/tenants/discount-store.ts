import type { Language } from '@gatehouse/contract/language'
import type { Db } from '../platform/db/database.ts'
import { localised } from '../platform/i18n/localised.ts'

/** Returns a tenant's discounts, smallest first, with the number of wallets for each. */
export async function readDiscounts(db: Db, tenantId: number, language: Language) {
  const rows = await db
    .selectFrom('discounts as d')
    .leftJoin('wallets as w', 'w.discountId', 'd.id')
    .select((eb) => [
      'd.id',
      'd.discount',
      'd.code',
      'd.description',
      'd.active',
      eb.fn.count<number>('w.id').as('wallets'),
    ])
    .where('d.tenantId', '=', tenantId)
    .groupBy('d.id')
    .orderBy('d.discount')
    .orderBy('d.id')
    .execute()
  return rows.map((row) => {
    const description = localised(row.description, language)
    const code = row.code === null ? '' : ` [${row.code}]`
    const label = `${row.discount}% - ${description}${code}`
    return { ...row, description, label, wallets: Number(row.wallets) }
  })
}
