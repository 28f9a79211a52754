import { sql } from 'kysely'
import type { Db } from '../platform/db/database.ts'

/** True when somebody who works here belongs to the account of an owner, or to an account within it. */
export async function employsStaff(db: Db, ownerId: number): Promise<boolean> {
  const { rows } = await sql<{ employs: boolean }>`with recursive people (id) as (
      select ${ownerId}::bigint
      union select u.id from people p join wallets w on w.user_id = p.id join users u on u.wallet_id = w.id)
    select exists (select from people join users using (id)
      where role in ('admin', 'reseller') and deleted_at is null) as employs`.execute(db)
  return rows[0]?.employs === true
}
