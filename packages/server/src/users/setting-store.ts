import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../platform/db/database.ts'

/** Selects a setting as a column in a query with table alias `u` for users. */
export function userSetting(key: string): RawBuilder<string | null> {
  return sql<string | null>`(select value from user_settings where user_id = u.id and key = ${key})`
}

/** Writes settings; null and undefined delete the key. */
export async function writeSettings(
  db: Db,
  userId: number,
  settings: Readonly<Record<string, string | null | undefined>>,
): Promise<void> {
  const entries = Object.entries(settings)
  const removed = entries.filter(([, value]) => value == null).map(([key]) => key)
  const kept = entries.flatMap(([key, value]) => (value == null ? [] : [{ userId, key, value }]))
  if (removed.length > 0) {
    await db.deleteFrom('userSettings').where('userId', '=', userId).where('key', 'in', removed).execute()
  }
  if (kept.length > 0) {
    await db
      .insertInto('userSettings')
      .values(kept)
      .onConflict((conflict) =>
        conflict.columns(['userId', 'key']).doUpdateSet({ value: (row) => row.ref('excluded.value') }),
      )
      .execute()
  }
}
