import { sql } from 'kysely'
import type { Db } from '../platform/db/database.ts'
import { walletsUnder } from '../users/member-store.ts'

/** Mailboxes of an account: their number and the first of them. */
interface NamedMailboxes {
  readonly count: number
  readonly name: string | null
  readonly id: number | null
}

/** What the mailboxes of an account hold together. */
export interface AccountStorage {
  /** Bytes; null if none was measured. */
  readonly used: number | null
  /** Bytes; null if none was measured, or if one is unlimited. */
  readonly quota: number | null
  /** Other users' mailboxes that are full. */
  readonly full: NamedMailboxes
  /** Other users' mailboxes of which at least 90 % are used. */
  readonly low: NamedMailboxes
}

/** Adds up the mailboxes in the accounts that a user owns or controls, and finds those that are nearly full. */
export async function accountStorage(db: Db, readerId: number): Promise<AccountStorage> {
  const named = (condition: string) => sql`(select json_build_object('count', count(*), 'name', min(email),
      'id', (array_agg(id order by email))[1]) from nearly where ${sql.raw(condition)})`
  const { rows } = await sql<AccountStorage>`with mine as materialized (
      select u.id, u.email from users u where u.wallet_id = any(${walletsUnder(readerId)}) and u.deleted_at is null
    ), nearly as (
      select mine.id, mine.email, m.used >= m.quota as is_full from mine join mailbox_usage m on m.user_id = mine.id
      where m.used * 10 >= m.quota * 9 and m.quota > 0 and mine.id <> ${readerId}
    ), total as (
      select sum(m.used) * 1024 as used, sum(m.quota) * 1024 as quota, bool_or(m.quota is null) as is_unlimited
      from mine join mailbox_usage m on m.user_id = mine.id
    )
    select used::float8 as used, case when not is_unlimited then quota::float8 end as quota,
      ${named('is_full')} as full, ${named('not is_full')} as low
    from total`.execute(db)
  const [row] = rows
  if (row === undefined) throw new RangeError('query returned no row')
  return row
}
