import type { Db } from '../platform/db/database.ts'
import type { Principal } from '../platform/http/callers/principal.ts'
import { NotFound } from '../platform/http/errors.ts'
import { seesTenant } from './policy.ts'
import { readTenant, type TenantRow } from './tenant-store.ts'

/** Returns the tenant of a path if the caller may see it. Throws NotFound. */
export async function requireTenant(db: Db, principal: Principal, idText: string): Promise<TenantRow> {
  const id = /^(0|[1-9]\d{0,8})$/.test(idText) ? Number(idText) : undefined
  const tenant = id === undefined || !seesTenant(principal, id) ? undefined : await readTenant(db, id)
  if (tenant === undefined) throw new NotFound()
  return tenant
}
