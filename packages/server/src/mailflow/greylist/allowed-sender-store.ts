import type { Db } from '../../platform/db/database.ts'

/** Returns a user's allowed senders, in alphabetical order. */
export async function readAllowedSenders(db: Db, userId: number): Promise<string[]> {
  const rows = await db
    .selectFrom('mailAllowedSenders')
    .select('entry')
    .where('userId', '=', userId)
    .orderBy('entry')
    .execute()
  return rows.map(({ entry }) => entry)
}

/** Returns false if the entry exists. */
export async function insertAllowedSender(
  db: Db,
  userId: number,
  entry: string,
  now: Date,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('mailAllowedSenders')
    .values({ userId, entry, createdAt: now })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

/** Returns false if there is no such entry. */
export async function deleteAllowedSender(db: Db, userId: number, entry: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('mailAllowedSenders')
    .where('userId', '=', userId)
    .where('entry', '=', entry)
    .executeTakeFirstOrThrow()
  return numDeletedRows === 1n
}
