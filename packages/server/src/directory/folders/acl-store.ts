import type { FolderRight } from '@gatehouse/contract/directory/folders'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'

/** Identifier for everyone in a rule; stored as user 0. */
export const anyone = 'anyone'

/** A user's right in a folder. */
export interface AclRule {
  /** `anyone` or a user's address. */
  readonly identifier: string
  readonly right: FolderRight
}

/**
 * Returns the rules of a folder: the rule for anyone first, then by address. Rules of deleted users are
 * omitted.
 */
export async function readAcl(db: Db, folderId: number): Promise<AclRule[]> {
  const { rows } =
    await sql<AclRule>`select case r.user_id when 0 then ${anyone} else u.email end as identifier,
      r."right" from folder_acl r left join users u on u.id = r.user_id
    where r.folder_id = ${folderId} and (r.user_id = 0 or (u.id is not null and u.deleted_at is null))
    order by r.user_id <> 0, u.email`.execute(db)
  return rows
}

export type StoredRule = { readonly userId: number; readonly right: FolderRight }

/** Replaces the rules of a folder. Rules of deleted users are kept for when the users are restored. */
export async function replaceRules(trx: Db, folderId: number, rules: readonly StoredRule[]): Promise<void> {
  await sql`delete from folder_acl r where r.folder_id = ${folderId}
    and not exists (select from users u where u.id = r.user_id and u.deleted_at is not null)`.execute(trx)
  if (rules.length === 0) return
  await trx
    .insertInto('folderAcl')
    .values(rules.map(({ userId, right }) => ({ folderId, userId, right })))
    .execute()
}
