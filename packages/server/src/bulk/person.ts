import { hasBit, userStatus } from '@gatehouse/contract/status'
import type { Db } from '../platform/db/database.ts'
import type { Person } from '../platform/http/principal.ts'

/** The person in whose name a batch works, as he is now; undefined when he could not make a call himself. */
export async function readPerson(db: Db, userId: number): Promise<Person | undefined> {
  const row = await db
    .selectFrom('users')
    .select(['id', 'tenant_id', 'role', 'status'])
    .where('id', '=', userId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (row === undefined || hasBit(row.status, userStatus.suspended)) return undefined
  return { userId: row.id, tenantId: row.tenant_id, role: row.role }
}
