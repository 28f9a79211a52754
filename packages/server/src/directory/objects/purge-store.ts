import { domainType, groupStatus } from '@gatehouse/contract/status'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { DirectoryKind } from './object.ts'

/** Locks objects that were deleted before `before` and that the back end has removed. */
export async function holdRemovable(trx: Db, before: Date, limit: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select id from directory_objects
    where deleted_at <= ${before}::timestamptz and status & ${groupStatus.deleted}::int <> 0
    order by id limit ${limit} for update`.execute(trx)
  return rows.map((row) => row.id)
}

/** Deletes objects and their addresses. Addresses in public domains are kept without an object. */
export async function deleteObjects(
  trx: Db,
  wanted: readonly number[],
): Promise<{ id: number; kind: DirectoryKind }[]> {
  const { rows } = await sql<{ id: number; kind: DirectoryKind }>`delete from directory_objects
    where id = any(${wanted}::bigint[]) returning id, kind`.execute(trx)
  const ids = rows.map((row) => row.id)
  const owned = sql`a.kind in ('group', 'resource', 'shared-folder', 'folder-alias')
    and a.object_id = any(${ids}::bigint[])`
  const isPublic = sql`exists (select from domains d where d.namespace = split_part(a.address, '@', 2)
    and d.type & ${domainType.public}::int <> 0)`
  await sql`delete from addresses a where ${owned} and not ${isPublic}`.execute(trx)
  // no object has the id 0
  await sql`update addresses a set object_id = 0 where ${owned}`.execute(trx)
  return rows
}

/** Clears withdrawn members, and what users deleted before `before` left in lists, folders and resources. */
export async function clearRemains(db: Db, before: Date): Promise<void> {
  await sql`delete from group_members where withdrawn_at <= ${before}::timestamptz`.execute(db)
  await sql`delete from folder_acl r using users u
    where u.id = r.user_id and u.deleted_at <= ${before}::timestamptz`.execute(db)
  await sql`update directory_objects o set invitation_policy = 'accept', invitation_owner_id = null from users u
    where u.id = o.invitation_owner_id and u.deleted_at <= ${before}::timestamptz`.execute(db)
}
