import type { Subscriptions } from '@gatehouse/contract/billing/subscriptions'
import type { Db } from '../platform/db/database.ts'
import { type ObjectType, readUnits } from './entitlement-store.ts'

/**
 * Returns the subscriptions of objects of one kind in the API format (`skus`), by object; a single statement.
 */
export async function subscriptionsOf(
  db: Db,
  type: ObjectType,
  ids: readonly number[],
): Promise<ReadonlyMap<number, Subscriptions>> {
  const found = new Map<number, Subscriptions>(ids.map((id) => [id, {}]))
  for (const unit of await readUnits(db, type, ids)) {
    const skus = found.get(unit.objectId)
    if (skus === undefined) continue
    const { costs } = skus[unit.skuId] ?? { costs: [] }
    skus[unit.skuId] = { count: costs.length + 1, costs: [...costs, unit.cost] }
  }
  return found
}
