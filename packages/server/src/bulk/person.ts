import { hasBit, userStatus } from '@gatehouse/contract/status'
import type { Db } from '../platform/db/database.ts'
import type { Person } from '../platform/http/callers/principal.ts'
import { readCreator } from './batch-store.ts'

/**
 * The user on whose behalf a batch runs, with an ordinary user's permissions, because batches belong to the
 * user host. Undefined if the user could no longer make the call.
 */
export async function readPerson(db: Db, userId: number): Promise<Person | undefined> {
  const row = await readCreator(db, userId)
  if (row === undefined || hasBit(row.status, userStatus.suspended)) return undefined
  return { userId: row.id, tenantId: row.tenantId, role: null }
}
