import type { TenantLimits } from '@gatehouse/contract/staff/tenants'
import { type Actor, audit } from '../platform/audit.ts'
import type { Clock } from '../platform/clock.ts'
import type { Db } from '../platform/db/database.ts'
import { ValidationError } from '../platform/http/errors.ts'
import { systemTenant } from '../platform/tenant.ts'
import { differences } from '../users/user-snapshot.ts'
import {
  type OfferLimitChanges,
  offerLimitKeys,
  readOfferLimits,
  writeOfferLimits,
} from './offer-limit-store.ts'
import { readLimits, writeLimits } from './tenant-store.ts'

type Changes = OfferLimitChanges & { readonly [Kind in keyof TenantLimits]?: number | null | undefined }

/**
 * Changes and audits a tenant's limits; null: no limit, or the default for an offer limit. Throws
 * ValidationError for offer limits of the service itself, which sets them and has none.
 */
export async function changeLimits(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  tenantId: number,
  changes: Changes,
  actor: Actor,
): Promise<void> {
  const [key] = offerLimitKeys.filter((one) => changes[one] != null)
  if (tenantId === systemTenant && key !== undefined)
    throw ValidationError.at(key, 'tenants.limit-of-service')
  const { users, storage, spend, ...offer } = changes
  await db.transaction().execute(async (trx) => {
    const read = async () => ({
      ...(await readLimits(trx, tenantId)),
      ...(await readOfferLimits(trx, tenantId)),
    })
    const before = await read()
    await writeLimits(trx, tenantId, { users, storage, spend })
    await writeOfferLimits(trx, tenantId, offer)
    const data = differences(before, await read())
    if (data === undefined) return
    const entry = { tenantId, objectType: 'tenant', objectId: tenantId, event: 'tenant.limited', actor }
    await audit(trx, clock, { ...entry, data })
  })
}
