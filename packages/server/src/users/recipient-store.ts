import type { Db } from '../platform/db/database.ts'
import { userSetting } from './setting-store.ts'

/** Returns a user's data for e-mails to them and about them; undefined if deleted. */
export function readRecipient(db: Db, userId: number) {
  return db
    .selectFrom('users as u')
    .select(['u.email', 'u.tenantId', 'u.language'])
    .select([
      userSetting('external_email').as('externalEmail'),
      userSetting('first_name').as('firstName'),
      userSetting('last_name').as('lastName'),
    ])
    .where('u.id', '=', userId)
    .where('u.deletedAt', 'is', null)
    .executeTakeFirst()
}
