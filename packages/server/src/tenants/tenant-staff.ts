import type { Db } from '../platform/db/database.ts'
import { Forbidden, message } from '../platform/http/errors.ts'
import { holdTenantOfReseller, readResellerStanding } from './tenant-staff-store.ts'

/**
 * Rejects removing a tenant's last reseller or the owner of its wallet. Serializes concurrent removals. Throws
 * Forbidden, whose message says what to do first.
 */
export async function requireDispensable(trx: Db, userId: number): Promise<void> {
  await holdTenantOfReseller(trx, userId)
  const standing = await readResellerStanding(trx, userId)
  if (standing?.role !== 'reseller') return
  if (standing.colleagues === 0) throw new Forbidden(message('tenants.last-reseller'))
  if (standing.ownsWallet) throw new Forbidden(message('tenants.owns-wallet'))
}
