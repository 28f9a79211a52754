import type { Db } from '../platform/db/database.ts'
import { isAccountOpen } from '../users/account-lock-store.ts'
import { heldUntilKey } from '../users/addresses/recovery-address-store.ts'
import { userSetting } from '../users/setting-store.ts'

/** A user who can be sent a password link. */
export interface PasswordRecipient {
  readonly id: number
  readonly email: string
  readonly tenantId: number
  readonly language: string | null
  readonly externalEmail: string | null
  readonly heldUntil: string | null
  readonly firstName: string | null
  readonly lastName: string | null
  readonly limitGeo: string | null
}

export async function readPasswordRecipient(db: Db, userId: number): Promise<PasswordRecipient | undefined> {
  return db
    .selectFrom('users as u')
    .select(['u.id', 'u.email', 'u.tenantId', 'u.language'])
    .select([
      userSetting('external_email').as('externalEmail'),
      userSetting(heldUntilKey).as('heldUntil'),
      userSetting('first_name').as('firstName'),
      userSetting('last_name').as('lastName'),
      userSetting('limit_geo').as('limitGeo'),
    ])
    .where('u.id', '=', userId)
    .where('u.deletedAt', 'is', null)
    .where(isAccountOpen)
    .where((where) => where.or([where('u.role', 'is', null), where('u.role', '!=', 'service')]))
    .executeTakeFirst()
}

/** The same by primary address, or by an alias of a single user. */
export async function findPasswordRecipient(db: Db, email: string): Promise<PasswordRecipient | undefined> {
  const owner = await db
    .selectFrom('addresses')
    .select('objectId')
    .where('address', '=', email)
    .where('kind', 'in', ['user', 'alias'])
    .executeTakeFirst()
  return owner && readPasswordRecipient(db, owner.objectId)
}
