import type { Db } from '../../platform/db/database.ts'
import type { Catalogue } from '../catalogue/catalogue-file.ts'
import { readSkus } from '../sku-store.ts'
import { type ScheduleParts, scheduleIn } from './schedule.ts'

/**
 * Schedules a change for every SKU whose price in a catalogue differs from the current one: for existing
 * subscriptions from a date on, for new ones immediately. Call it before loading the catalogue, while they
 * still differ. Throws like `scheduleIn`, for all or none.
 */
export async function scheduleCatalogue(
  trx: Db,
  parts: ScheduleParts,
  {
    tenantId,
    catalogue,
    date,
  }: { readonly tenantId: number; readonly catalogue: Catalogue; readonly date: string },
): Promise<{ readonly title: string; readonly from: number; readonly to: number }[]> {
  const current = await readSkus(trx, tenantId)
  const changes: { title: string; from: number; to: number }[] = []
  for (const { title, cost, fee } of catalogue.skus) {
    const sku = current.find((one) => one.title === title)
    // SKUs that were free have only free units, and new SKUs have no subscriptions
    if (sku === undefined || sku.cost === 0 || (sku.cost === cost && sku.fee === fee)) continue
    const wish = { tenantId, skuId: sku.id, cost, fee, newSubscriptions: 'at-once' as const }
    await scheduleIn(trx, parts, { ...wish, date, individual: [], reason: {} }, {})
    changes.push({ title, from: sku.cost, to: cost })
  }
  return changes
}
