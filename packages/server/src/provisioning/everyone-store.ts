import { sql } from 'kysely'
import type { Db } from '../platform/db/database.ts'
import type { ObjectRef } from '../platform/provision/object-ref.ts'

/** Returns the addresses of an account's users. */
export async function everyoneIn(db: Db, walletId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('users')
    .select('email')
    .where('walletId', '=', walletId)
    .where('deletedAt', 'is', null)
    .where('role', 'is distinct from', 'service')
    .orderBy('email')
    .execute()
  return rows.map(({ email }) => email)
}

/** Returns the objects of a user's account that everyone in it may see: resources, and folders shared with anyone. */
export async function sharedWithEveryone(db: Db, userId: number): Promise<ObjectRef[]> {
  const { rows } = await sql<ObjectRef>`select o.kind, o.id::float8 as id from directory_objects o
      join users u on u.wallet_id = o.wallet_id
    where u.id = ${userId} and o.deleted_at is null and (o.kind = 'resource' or o.kind = 'shared-folder'
      and exists (select from folder_acl r where r.folder_id = o.id and r.user_id = 0))
    order by o.id`.execute(db)
  return rows
}
