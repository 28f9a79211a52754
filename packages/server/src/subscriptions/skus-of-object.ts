import type { Sku } from '@gatehouse/contract/billing/subscriptions'
import type { Language } from '@gatehouse/contract/language'
import type { Db } from '../platform/db/database.ts'
import {
  countWalletUnits,
  type Entitled,
  readBilledAccount,
  readUnits,
  type Unit,
} from './entitlement-store.ts'
import { handlers, skuTypeOf } from './handlers.ts'
import { presentSku } from './present.ts'
import { dayOf } from './price-changes/rules.ts'
import { announcedPrices } from './price-changes/store.ts'
import { firstPeriodAt } from './prices/period-cost.ts'
import { billedAmounts, offeredUnits } from './prices/pricing.ts'
import { type CatalogueSku, readSkus } from './sku-store.ts'

/**
 * Returns what an object has or may have, with its actual or potential price: reference api-objects §13.3.
 */
export async function skusOfObject(
  db: Db,
  request: {
    readonly object: Entitled
    readonly tenantId: number
    readonly isController: boolean
    /** The reader is staff, who may give SKUs not on sale yet. */
    readonly isStaff?: boolean
    readonly language: Language
  },
): Promise<Sku[]> {
  const { object } = request
  const mayGive = ({ active, handler }: CatalogueSku) =>
    request.isStaff === true && !active && handlers[handler].staffGivesInactive === true
  const units = await readUnits(db, object.type, [object.id])
  const held = new Set(units.map((unit) => unit.skuId))
  const announced = await announcedPrices(db, request.tenantId)
  const account = await readBilledAccount(db, object)
  const counted =
    account === undefined || object.type === 'user'
      ? new Map<string, number>()
      : await countWalletUnits(db, account.walletId)
  return (await readSkus(db, request.tenantId))
    .filter((sku) => handlers[sku.handler].type === skuTypeOf(object.type))
    .filter((sku) => sku.active || held.has(sku.id) || mayGive(sku))
    .filter((sku) => request.isController || handlers[sku.handler].controllerOnly !== true)
    .map((sku) => {
      const own = units.filter((unit) => unit.skuId === sku.id)
      const priced = own.length > 0 ? own : offeredUnits(sku, counted.get(sku.id) ?? 0)
      const changing = own.find((unit) => unit.coming !== undefined)
      const coming = changing === undefined ? announced.get(sku.id) : comingOf(changing)
      return {
        ...presentSku(sku, request.language),
        billed: billedAmounts(priced, account?.discount ?? 0),
        ...(coming && { coming }),
        ...(mayGive(sku) && { canGive: true as const }),
      }
    })
}

/** Returns a unit's next price, and the start of its first period at that price. */
function comingOf({ coming = [], billedUntil, countedFrom, createdAt, months }: Unit): Sku['coming'] {
  const [next] = coming
  if (next === undefined) return undefined
  const begins = firstPeriodAt(next.since, billedUntil, countedFrom ?? createdAt, months)
  return { cost: next.cost, date: dayOf(begins) }
}
