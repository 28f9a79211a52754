import type { Db } from '../platform/db/database.ts'
import { type Message, message } from '../platform/http/errors.ts'
import { isUuid } from '../platform/ids.ts'
import { handlers, isHandlerName } from './handlers.ts'
import { readPackages } from './sku-store.ts'

/**
 * What is wrong with the package that a client chose for a new user or domain; undefined: nothing. Every SKU
 * in it must be of that kind and on sale: otherwise the object would lack what its price says.
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
  const isKind = (name: string) => isHandlerName(name) && handlers[name].type === type
  if (!found.lines.every((line) => isKind(line.handler))) return message('subscriptions.package-invalid')
  if (!found.lines.every((line) => line.active)) return message('subscriptions.package-inactive')
  return undefined
}
