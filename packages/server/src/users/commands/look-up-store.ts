import type { Db } from '../../platform/db/database.ts'

/** What a command needs to know of its user. */
export interface FoundUser {
  readonly id: number
  readonly email: string
  readonly tenantId: number
  readonly deletedAt: Date | null
}

/** Returns the user with an address, including deleted ones. */
export function userOfAddress(db: Db, email: string): Promise<FoundUser | undefined> {
  return db
    .selectFrom('users')
    .select(['id', 'email', 'tenantId', 'deletedAt'])
    .where('email', '=', email)
    .executeTakeFirst()
}
