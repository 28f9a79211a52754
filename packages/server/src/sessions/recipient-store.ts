import type { Db } from '../platform/db/database.ts'
import { isAccountOpen } from '../users/account-lock-store.ts'
import { heldUntilKey } from '../users/addresses/recovery-address-store.ts'
import { userSetting } from '../users/setting-store.ts'

/** A user who can be sent a link for a new password. */
export interface PasswordRecipient {
  readonly id: number
  readonly email: string
  readonly tenant_id: number
  readonly language: string | null
  readonly external_email: string | null
  readonly held_until: string | null
  readonly first_name: string | null
  readonly last_name: string | null
  readonly limit_geo: string | null
}

export async function readPasswordRecipient(db: Db, userId: number): Promise<PasswordRecipient | undefined> {
  return db
    .selectFrom('users as u')
    .select(['u.id', 'u.email', 'u.tenant_id', 'u.language'])
    .select([
      userSetting('external_email').as('external_email'),
      userSetting(heldUntilKey).as('held_until'),
      userSetting('first_name').as('first_name'),
      userSetting('last_name').as('last_name'),
      userSetting('limit_geo').as('limit_geo'),
    ])
    .where('u.id', '=', userId)
    .where('u.deleted_at', 'is', null)
    .where(isAccountOpen)
    .where((where) => where.or([where('u.role', 'is', null), where('u.role', '!=', 'service')]))
    .executeTakeFirst()
}

/** The same by primary address, or by an alias, which belongs to one user only. */
export async function findPasswordRecipient(db: Db, email: string): Promise<PasswordRecipient | undefined> {
  const owner = await db
    .selectFrom('addresses')
    .select('object_id')
    .where('address', '=', email)
    .where('kind', 'in', ['user', 'alias'])
    .executeTakeFirst()
  return owner && readPasswordRecipient(db, owner.object_id)
}
