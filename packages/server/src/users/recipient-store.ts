import type { Db } from '../platform/db/database.ts'
import { userSetting } from './setting-store.ts'

/** A user as mails to them and about them need; undefined for one who is deleted. */
export function readRecipient(db: Db, userId: number) {
  return db
    .selectFrom('users as u')
    .select(['u.email', 'u.tenant_id', 'u.language'])
    .select([
      userSetting('external_email').as('external_email'),
      userSetting('first_name').as('first_name'),
      userSetting('last_name').as('last_name'),
    ])
    .where('u.id', '=', userId)
    .where('u.deleted_at', 'is', null)
    .executeTakeFirst()
}
