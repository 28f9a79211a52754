import { domainStatus, domainType, hasBit } from '@gatehouse/contract/status'
import type { Db } from '../../platform/db/database.ts'

/** Returns whether a domain is public or confirmed by its owner. */
export async function isHosted(db: Db, namespace: string): Promise<boolean> {
  const row = await db
    .selectFrom('domains')
    .select(['status', 'type'])
    .where('namespace', '=', namespace)
    .where('deletedAt', 'is', null)
    .executeTakeFirst()
  if (row === undefined || hasBit(row.status, domainStatus.suspended)) return false
  return hasBit(row.type, domainType.public) || hasBit(row.status, domainStatus.confirmed)
}
