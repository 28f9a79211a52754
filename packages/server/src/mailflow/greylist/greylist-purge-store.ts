import { sql } from 'kysely'
import { after, day } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { GreylistSettings } from './greylist-facts.ts'

/** Seconds after a user wrote to an address for the last time until it is forgotten. */
const correspondentMemory = 2 * 365 * day

/**
 * Deletes what has expired, and contacts and releases of recipients that no longer exist. Times in the future, which a
 * clock that was turned back has left, are set to now, otherwise their rows would stay until it has caught up.
 */
export async function purgeGreylist(
  db: Db,
  now: Date,
  { retryWindow, memory }: Pick<GreylistSettings, 'retryWindow' | 'memory'>,
): Promise<void> {
  await setToNow(db, now)
  const [pending, learned] = [after(now, -retryWindow), after(now, -memory)]
  await sql`delete from greylist_contacts
    where last_seen < case when passed_at is null then ${pending}::timestamptz else ${learned}::timestamptz end`.execute(
    db,
  )
  await sql`delete from greylist_servers where last_seen < ${learned}`.execute(db)
  await sql`delete from greylist_code_senders where last_seen < ${learned}`.execute(db)
  await sql`delete from greylist_releases where released_at < ${pending}`.execute(db)
  await sql`delete from mail_correspondents where last_seen < ${after(now, -correspondentMemory)}`.execute(db)
  for (const table of ['greylist_contacts', 'greylist_releases']) await deleteOrphans(db, table)
}

async function setToNow(db: Db, now: Date): Promise<void> {
  const at = sql`${now}::timestamptz`
  await sql`update greylist_contacts set first_seen = least(first_seen, ${at}), last_seen = ${at},
    passed_at = case when passed_at is not null then least(passed_at, ${at}) end
    where last_seen > ${at}`.execute(db)
  await sql`update greylist_releases set released_at = ${at} where released_at > ${at}`.execute(db)
  for (const table of ['greylist_servers', 'greylist_code_senders', 'mail_correspondents']) {
    await sql`update ${sql.table(table)} set since = least(since, ${at}), last_seen = ${at}
      where last_seen > ${at}`.execute(db)
  }
}

async function deleteOrphans(db: Db, table: string): Promise<void> {
  await sql`delete from ${sql.table(table)} t where case when recipient_kind = 'user'
    then not exists (select from users where id = t.recipient_id)
    else not exists (select from directory_objects where id = t.recipient_id) end`.execute(db)
}
