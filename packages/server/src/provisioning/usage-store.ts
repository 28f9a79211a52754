import { userStatus } from '@gatehouse/contract/status'
import { sql } from 'kysely'
import type { Db } from '../platform/db/database.ts'
import type { StorageUse } from './backend.ts'

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

/** Records how much users store and may store. */
export async function recordUsage(
  db: Db,
  used: ReadonlyMap<number, StorageUse>,
  measuredAt: Date,
): Promise<void> {
  if (used.size === 0) return
  await db
    .insertInto('mailboxUsage')
    .values([...used].map(([userId, { used, limit }]) => ({ userId, used, quota: limit, measuredAt })))
    .onConflict((conflict) =>
      conflict.column('userId').doUpdateSet((given) => ({
        used: given.ref('excluded.used'),
        quota: given.ref('excluded.quota'),
        measuredAt: given.ref('excluded.measuredAt'),
      })),
    )
    .execute()
}

/** Records a user's new quota in KiB, so that it is shown before the next measurement. */
export async function recordQuota(db: Db, userId: number, quota: number | null): Promise<void> {
  await db.updateTable('mailboxUsage').set({ quota }).where('userId', '=', userId).execute()
}

/** What a user's mailbox holds. */
export interface MeasuredStorage {
  /** Bytes; null if it wasn't measured yet. */
  readonly used: number | null
  /** Bytes; null if unlimited, or not measured yet. */
  readonly quota: number | null
  readonly measuredAt: Date | null
}

/** Returns what the mailboxes of users hold; users without a mailbox are missing. */
export async function readMailStorage(
  db: Db,
  ids: readonly number[],
): Promise<ReadonlyMap<number, MeasuredStorage>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('users as u')
    .leftJoin('mailboxUsage as m', 'm.userId', 'u.id')
    .select(['u.id', 'm.used', 'm.quota', 'm.measuredAt'])
    .where('u.id', 'in', [...ids])
    .where('u.deletedAt', 'is', null)
    .where(sql<boolean>`u.status & ${sql.lit(userStatus.imapReady)} <> 0`)
    .execute()
  const bytes = (kib: number | null) => kib && kib * 1024
  return new Map(
    rows.map(({ id, used, quota, measuredAt }) => [
      id,
      { used: bytes(used), quota: bytes(quota), measuredAt },
    ]),
  )
}
