import { sql } from 'kysely'
import type { Db } from '../platform/db/database.ts'
import { endTicketsOf } from './downloads/ticket-store.ts'
import { removeLinksOf } from './links/link-store.ts'

/**
 * Closes a user's files to everyone without a login: uploads in progress, download URLs and all links end.
 * Shares by address stay, since their recipients sign in.
 */
export async function closeFiles(trx: Db, userId: number): Promise<{ readonly links: number }> {
  await trx.deleteFrom('fsUploads').where('userId', '=', userId).execute()
  await endTicketsOf(trx, userId)
  return { links: await removeLinksOf(trx, userId) }
}

/** Removes all files of purged users. Their contents become garbage. */
export async function forgetFiles(trx: Db, userIds: readonly number[]): Promise<void> {
  const those = sql`any(${userIds}::bigint[])`
  await sql`delete from fs_uploads where user_id = ${those} or owner_id = ${those}`.execute(trx)
  await sql`delete from fs_items where owner_id = ${those}`.execute(trx)
  await sql`delete from fs_usage where user_id = ${those}`.execute(trx)
  await sql`update fs_items set created_by = null where created_by = ${those}`.execute(trx)
  await sql`update fs_versions set created_by = null where created_by = ${those}`.execute(trx)
  await sql`delete from fs_shares where address in
    (select address from addresses where kind in ('user', 'alias') and object_id = ${those})`.execute(trx)
}
