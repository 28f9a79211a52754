import { hasBit, userStatus } from '@gatehouse/contract/status'
import type { Db } from '../platform/db/database.ts'
import type { Person } from '../platform/http/callers/principal.ts'
import { readCreator } from './batch-store.ts'

/**
 * The person in whose name a batch works, with the rights of an ordinary user: batches belong to the users' host.
 * Undefined when they could not make a call themselves.
 */
export async function readPerson(db: Db, userId: number): Promise<Person | undefined> {
  const row = await readCreator(db, userId)
  if (row === undefined || hasBit(row.status, userStatus.suspended)) return undefined
  return { userId: row.id, tenantId: row.tenantId, role: null }
}
