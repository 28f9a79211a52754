import type { Language } from '@gatehouse/contract/language'
import type { Sku } from '@gatehouse/contract/subscriptions'
import type { Db } from '../platform/db/database.ts'
import { type Entitled, readUnits } from './entitlement-store.ts'
import { handlers, skuTypeOf } from './handlers.ts'
import { presentSku } from './present.ts'
import { type CatalogueSku, readSkus } from './sku-store.ts'

/** What an object has or may have: reference api-objects §13.3. */
export async function skusOfObject(
  db: Db,
  request: {
    readonly object: Entitled
    readonly tenantId: number
    readonly isController: boolean
    /** The reader is staff, who may give what is not on sale yet. */
    readonly isStaff?: boolean
    readonly language: Language
  },
): Promise<Sku[]> {
  const { object } = request
  const mayGive = ({ active, handler }: CatalogueSku) =>
    request.isStaff === true && !active && handlers[handler].staffGivesInactive === true
  const held = new Set((await readUnits(db, object.type, [object.id])).map((unit) => unit.skuId))
  return (await readSkus(db, request.tenantId))
    .filter((sku) => handlers[sku.handler].type === skuTypeOf(object.type))
    .filter((sku) => sku.active || held.has(sku.id) || mayGive(sku))
    .filter((sku) => request.isController || handlers[sku.handler].controllerOnly !== true)
    .map((sku) => ({ ...presentSku(sku, request.language), ...(mayGive(sku) && { canGive: true as const }) }))
}
