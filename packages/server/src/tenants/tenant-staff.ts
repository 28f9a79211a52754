import type { Db } from '../platform/db/database.ts'
import { Forbidden, message } from '../platform/http/errors.ts'
import { holdTenantOfReseller, readResellerStanding } from './tenant-staff-store.ts'

/**
 * Refuses to let go of the reseller without whom a tenant has nobody left, or whose wallet is the tenant's. Who leaves
 * at the same time waits here. Throws Forbidden, which says what to do first.
 */
export async function requireDispensable(trx: Db, userId: number): Promise<void> {
  await holdTenantOfReseller(trx, userId)
  const standing = await readResellerStanding(trx, userId)
  if (standing?.role !== 'reseller') return
  if (standing.colleagues === 0) throw new Forbidden(message('tenants.last-reseller'))
  if (standing.ownsWallet) throw new Forbidden(message('tenants.owns-wallet'))
}
