import { type RawBuilder, sql } from 'kysely'

/** One setting as a column of a query in which the users table is called `u`. */
export function userSetting(key: string): RawBuilder<string | null> {
  return sql<string | null>`(select value from user_settings where user_id = u.id and key = ${key})`
}
