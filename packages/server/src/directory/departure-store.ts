import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../platform/db/database.ts'
import type { Departure } from './objects/object.ts'

/** An address that is a member of the list with this id. */
export interface MemberRow {
  id: number
  address: string
}

/** Marks addresses as withdrawn from the lists of their account. Returns the memberships affected. */
export async function withdrawMembers(trx: Db, who: Departure, now: Date): Promise<MemberRow[]> {
  const { rows } = await sql<MemberRow>`update group_members m set withdrawn_at = ${now}
    from directory_objects g where ${memberOf(who)} and m.withdrawn_at is null
    returning m.group_id as id, m.address`.execute(trx)
  return rows
}

/** Restores withdrawn memberships. */
export async function returnMembers(trx: Db, who: Departure): Promise<MemberRow[]> {
  const { rows } = await sql<MemberRow>`update group_members m set withdrawn_at = null
    from directory_objects g where ${memberOf(who)} and m.withdrawn_at is not null
    returning m.group_id as id, m.address`.execute(trx)
  return rows
}

/** Deletes the memberships of addresses in the lists of their account. */
export async function deleteMembers(trx: Db, who: Departure): Promise<MemberRow[]> {
  const { rows } = await sql<MemberRow>`delete from group_members m
    using directory_objects g where ${memberOf(who)} returning m.group_id as id, m.address`.execute(trx)
  return rows
}

function memberOf(who: Departure): RawBuilder<unknown> {
  return sql`m.address = any(${who.addresses}::text[]) and g.id = m.group_id and g.wallet_id = ${who.walletId}`
}

/** Deletes the memberships of some addresses in some lists. */
export async function deleteMemberships(
  trx: Db,
  lists: readonly number[],
  addresses: readonly string[],
): Promise<void> {
  await trx
    .deleteFrom('groupMembers')
    .where('address', 'in', addresses)
    .where('groupId', 'in', lists)
    .execute()
}

/**
 * Returns the objects that refer to a user: folders the user has rights in and resources the user manages.
 */
export async function objectsTrusting(
  trx: Db,
  userId: number,
): Promise<{ readonly folders: number[]; readonly resources: number[] }> {
  const folders = await trx
    .selectFrom('folderAcl as r')
    .innerJoin('directoryObjects as o', 'o.id', 'r.folderId')
    .select('r.folderId as id')
    .where('r.userId', '=', userId)
    .where('o.deletedAt', 'is', null)
    .execute()
  const resources = await trx
    .selectFrom('directoryObjects')
    .select('id')
    .where('invitationOwnerId', '=', userId)
    .where('deletedAt', 'is', null)
    .execute()
  return { folders: folders.map((row) => row.id), resources: resources.map((row) => row.id) }
}
