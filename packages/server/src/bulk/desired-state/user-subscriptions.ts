import type { Db } from '../../platform/db/database.ts'
import type { Unit } from '../../subscriptions/entitlement-store.ts'
import { type CatalogueSku, readPackageLines, readPackages } from '../../subscriptions/sku-store.ts'
import type { Values } from './account-state.ts'
import { textIn } from './desk.ts'

/** Finds packages by their titles. */
export async function packageIds(db: Db, tenantId: number): Promise<ReadonlyMap<string, string>> {
  return new Map((await readPackages(db, tenantId)).map(({ id, title }) => [title.toLowerCase(), id]))
}

/**
 * Returns the units that a user with changed package or storage gets, by SKU id; undefined if neither changes.
 * A new package keeps storage that the user has beyond it.
 */
export async function wantedUnits(
  db: Db,
  change: Values,
  held: readonly Unit[],
  catalogue: { readonly ids: ReadonlyMap<string, string>; readonly skus: readonly CatalogueSku[] },
): Promise<Readonly<Record<string, number>> | undefined> {
  const title = textIn(change, 'package')
  const { quota } = change
  if (title === undefined && typeof quota !== 'number') return undefined
  const now: Record<string, number> = {}
  for (const { skuId } of held) now[skuId] = (now[skuId] ?? 0) + 1
  const storage = catalogue.skus.find((sku) => sku.handler === 'Storage' && sku.active)
  const id = title === undefined ? undefined : catalogue.ids.get(title.toLowerCase())
  const lines = id === undefined ? [] : await readPackageLines(db, id)
  const wanted = title === undefined ? now : Object.fromEntries(lines.map((line) => [line.skuId, line.qty]))
  if (storage === undefined) return wanted
  const size = typeof quota === 'number' ? quota : Math.max(now[storage.id] ?? 0, wanted[storage.id] ?? 0)
  return { ...wanted, [storage.id]: size }
}
