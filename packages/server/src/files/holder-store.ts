import { hasBit, userStatus } from '@gatehouse/contract/status'
import type { Db } from '../platform/db/database.ts'

/** Who began an upload or received a download URL. */
export interface Holder {
  readonly tenantId: number
  readonly isSuspended: boolean
  /** Whether the session in which it began has ended. */
  readonly isSessionOver: boolean
}

/** Returns the user of an upload or URL with the state of the session; undefined if the user is deleted. */
export async function readHolder(
  db: Db,
  { userId, sessionId }: { readonly userId: number | null; readonly sessionId: string | null },
  now: Date,
): Promise<Holder | undefined> {
  const row = await db
    .selectFrom('users as u')
    .leftJoin('sessions as s', (join) => join.on('s.id', '=', sessionId))
    .select(['u.tenantId', 'u.status', 's.id as session', 's.revokedAt', 's.endsAt'])
    .where('u.id', '=', userId)
    .where('u.deletedAt', 'is', null)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const isOver = row.session === null || row.revokedAt !== null || (row.endsAt !== null && row.endsAt <= now)
  return {
    tenantId: row.tenantId,
    isSuspended: hasBit(row.status, userStatus.suspended),
    isSessionOver: sessionId !== null && isOver,
  }
}
