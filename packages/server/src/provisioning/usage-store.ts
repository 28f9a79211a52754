import { userStatus } from '@gatehouse/contract/status'
import { sql } from 'kysely'
import type { Db } from '../platform/db/database.ts'

/** A user whose mailbox exists. */
export interface MeasuredUser {
  readonly id: number
  readonly email: string
}

/** Returns the next users with a mailbox after an id, in the order of ids. */
export function usersWithMailbox(db: Db, after: number, limit: number): Promise<MeasuredUser[]> {
  return db
    .selectFrom('users')
    .select(['id', 'email'])
    .where('id', '>', after)
    .where('deletedAt', 'is', null)
    .where(sql<boolean>`status & ${sql.lit(userStatus.imapReady)} <> 0`)
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** Records how much users store, in KiB. */
export async function recordUsage(
  db: Db,
  used: ReadonlyMap<number, number>,
  measuredAt: Date,
): Promise<void> {
  if (used.size === 0) return
  await db
    .insertInto('mailboxUsage')
    .values([...used].map(([userId, kib]) => ({ userId, used: kib, measuredAt })))
    .onConflict((conflict) =>
      conflict.column('userId').doUpdateSet((given) => ({
        used: given.ref('excluded.used'),
        measuredAt: given.ref('excluded.measuredAt'),
      })),
    )
    .execute()
}

/** Returns how much users store, in KiB; those who weren't measured are missing. */
export async function readUsage(db: Db, ids: readonly number[]): Promise<ReadonlyMap<number, number>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('mailboxUsage')
    .select(['userId', 'used'])
    .where('userId', 'in', [...ids])
    .execute()
  return new Map(rows.map(({ userId, used }) => [userId, used]))
}
