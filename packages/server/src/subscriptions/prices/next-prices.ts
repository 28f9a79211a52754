import type { Sku } from '@gatehouse/contract/billing/subscriptions'
import type { Language } from '@gatehouse/contract/language'
import type { Db } from '../../platform/db/database.ts'
import { countWalletUnits } from '../entitlement-store.ts'
import { handlers } from '../handlers.ts'
import { presentSku } from '../present.ts'
import { announcedPrices } from '../price-changes/store.ts'
import { readSkus } from '../sku-store.ts'
import { nextCost } from './pricing.ts'

/** Returns a tenant's SKUs on sale, each with the price of the account's next object. */
export async function skusWithNextPrices(
  db: Db,
  { tenantId, walletId, language }: { tenantId: number; walletId: string; language: Language },
): Promise<Sku[]> {
  const held = await countWalletUnits(db, walletId)
  const announced = await announcedPrices(db, tenantId)
  return (await readSkus(db, tenantId))
    .filter((sku) => sku.active)
    .map((sku) => {
      // free units count per user, so a new user has none; for everything else, per account
      const units = handlers[sku.handler].type === 'user' ? 0 : (held.get(sku.id) ?? 0)
      const coming = announced.get(sku.id)
      return { ...presentSku(sku, language), nextCost: nextCost(sku, units), ...(coming && { coming }) }
    })
}
