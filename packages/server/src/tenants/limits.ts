import { sql } from 'kysely'
import type { Db } from '../platform/db/database.ts'
import { message, ValidationError } from '../platform/http/errors.ts'
import { tenantUsage } from './tenant-store.ts'

const texts = {
  users: 'tenants.limit-users',
  storage: 'tenants.limit-storage',
  spend: 'tenants.limit-spend',
} as const

/**
 * Refuses a change after which the customers of a wallet's tenant would have more than the service lets them. Call it in
 * the transaction of the change, once it is written, for additions only; orders of one tenant with limits wait for each
 * other. Throws ValidationError at the field that asked for the change.
 */
export async function requireWithinLimits(trx: Db, walletId: string, field: string): Promise<void> {
  const { rows } = await sql<{ tenant_id: number; kind: keyof typeof texts; value: number }>`
    select l.tenant_id, l.kind, l.value from tenant_limits l
    where l.kind in ('users', 'storage', 'spend')
      and l.tenant_id = (select o.tenant_id from wallets w join users o on o.id = w.user_id where w.id = ${walletId})
    order by l.kind for update`.execute(trx)
  const [first] = rows
  if (first === undefined) return
  const usage = await tenantUsage(trx, first.tenant_id)
  const broken = rows.find(({ kind, value }) => usage[kind] > value)
  if (broken !== undefined) throw new ValidationError({ [field]: message(texts[broken.kind]) })
}
