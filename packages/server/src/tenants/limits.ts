import type { Db } from '../platform/db/database.ts'
import { message, ValidationError } from '../platform/http/errors.ts'
import { holdTenantLimits, tenantUsage } from './tenant-store.ts'

const texts = {
  users: 'tenants.limit-users',
  storage: 'tenants.limit-storage',
  spend: 'tenants.limit-spend',
} as const

/**
 * Rejects a change that would exceed what the service allows the customers of a wallet's tenant. Call it in
 * the transaction of the change, after writing it, for additions only; orders of a tenant with limits are
 * serialized. Throws ValidationError at the field that requested the change.
 */
export async function requireWithinLimits(trx: Db, walletId: string, field: string): Promise<void> {
  const rows = await holdTenantLimits(trx, walletId)
  const [first] = rows
  if (first === undefined) return
  const usage = await tenantUsage(trx, first.tenantId)
  const broken = rows.find(({ kind, value }) => usage[kind] > value)
  if (broken !== undefined) throw new ValidationError({ [field]: message(texts[broken.kind]) })
}
