import { cutNickname } from '@gatehouse/contract/meetings/meet-rules'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'

/** Returns a user's name or else their address, truncated to the length allowed in a meeting. */
export async function readOwnName(db: Db, userId: number): Promise<string> {
  const { rows } = await sql<{ name: string }>`select coalesce(nullif(trim(concat_ws(' ',
      (select value from user_settings where user_id = u.id and key = 'first_name'),
      (select value from user_settings where user_id = u.id and key = 'last_name'))), ''), u.email) as name
    from users u where u.id = ${userId}`.execute(db)
  return cutNickname(rows[0]?.name ?? '')
}
