import type { Db } from '../platform/db/database.ts'
import { type Message, message } from '../platform/http/errors.ts'
import { isUuid } from '../platform/ids.ts'
import { type PackageUnit, packageUnits } from './entitlements.ts'
import { handlers, isHandlerName } from './handlers.ts'
import { type CataloguePackage, readPackageLines, readPackages } from './sku-store.ts'

/**
 * Returns the error of a package chosen for a new user or domain, or undefined. Every SKU in it must be of
 * that kind and on sale: otherwise the object would lack something that its price includes.
 */
export async function packageError(
  db: Db,
  tenantId: number,
  packageId: string | null | undefined,
  type: 'user' | 'domain',
): Promise<Message | undefined> {
  if (packageId == null || !isUuid(packageId)) return message('subscriptions.package-required')
  const [found] = await readPackages(db, tenantId, packageId)
  if (found === undefined) return message('subscriptions.package-required')
  if (!isOfKind(found, type)) return message('subscriptions.package-invalid')
  if (!found.lines.every((line) => line.active)) return message('subscriptions.package-inactive')
  return undefined
}

function isOfKind({ lines }: CataloguePackage, type: 'user' | 'domain'): boolean {
  return lines.every(({ handler }) => isHandlerName(handler) && handlers[handler].type === type)
}

/**
 * Returns the packages on sale for a kind, with the units a new object would get from each. `counted`: units
 * that count against the free ones.
 */
export async function packagesOfKind(
  db: Db,
  tenantId: number,
  type: 'user' | 'domain',
  counted: ReadonlyMap<string, number>,
): Promise<{ id: string; units: PackageUnit[] }[]> {
  const offered = (await readPackages(db, tenantId)).filter(
    (item) => isOfKind(item, type) && item.lines.every(({ active }) => active),
  )
  return Promise.all(
    offered.map(async ({ id }) => ({ id, units: packageUnits(await readPackageLines(db, id), counted) })),
  )
}
