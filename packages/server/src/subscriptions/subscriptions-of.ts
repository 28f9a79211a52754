import type { Subscriptions } from '@gatehouse/contract/billing/subscriptions'
import type { Db } from '../platform/db/database.ts'
import { type ObjectType, readUnits } from './entitlement-store.ts'

/** What objects of one kind have, as the wire shows it (`skus`), by object; one statement for any number of them. */
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
