import type { Language } from '@gatehouse/contract/language'
import type { Sku } from '@gatehouse/contract/subscriptions'
import type { Db } from '../platform/db/database.ts'
import { type Entitled, readUnits } from './entitlement-store.ts'
import { handlers, skuTypeOf } from './handlers.ts'
import { presentSku } from './present.ts'
import { readSkus } from './sku-store.ts'

/** What an object has or may have: reference api-objects §13.3. */
export async function skusOfObject(
  db: Db,
  request: {
    readonly object: Entitled
    readonly tenantId: number
    readonly isController: boolean
    readonly language: Language
  },
): Promise<Sku[]> {
  const { object } = request
  const held = new Set((await readUnits(db, object.type, [object.id])).map((unit) => unit.skuId))
  return (await readSkus(db, request.tenantId))
    .filter((sku) => handlers[sku.handler].type === skuTypeOf(object.type))
    .filter((sku) => sku.active || held.has(sku.id))
    .filter((sku) => request.isController || handlers[sku.handler].controllerOnly !== true)
    .map((sku) => presentSku(sku, request.language))
}
