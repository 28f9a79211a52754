import type { Db } from '../../platform/db/database.ts'
import { packagesOfKind } from '../../subscriptions/packages.ts'
import { monthlyCharge } from '../../subscriptions/prices/pricing.ts'
import { readPackages } from '../../subscriptions/sku-store.ts'
import { invalid } from '../errors.ts'

/**
 * Returns the package of a new user: the one that the directory names by title or id, otherwise the cheapest on
 * sale. Throws ScimError if there is no such package.
 */
export async function packageOf(db: Db, tenantId: number, name: string | null): Promise<string> {
  const offered = await packagesOfKind(db, tenantId, 'user', new Map())
  if (name !== null) {
    const known = (await readPackages(db, tenantId)).find(({ id, title }) => id === name || title === name)
    if (known === undefined || !offered.some(({ id }) => id === known.id)) {
      throw invalid('invalidValue', 'scim.no-package', { name: name.slice(0, 100) })
    }
    return known.id
  }
  const priced = offered.map(({ id, units }) => ({
    id,
    price: monthlyCharge(
      units.map(({ cost }) => cost),
      0,
    ),
  }))
  const [cheapest] = priced.sort((left, right) => left.price - right.price || (left.id < right.id ? -1 : 1))
  if (cheapest === undefined) throw invalid('invalidValue', 'subscriptions.package-required')
  return cheapest.id
}
