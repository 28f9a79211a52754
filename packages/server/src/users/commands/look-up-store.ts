import type { Db } from '../../platform/db/database.ts'

/** What a command has to know of the user that it is about. */
export interface FoundUser {
  readonly id: number
  readonly email: string
  readonly tenantId: number
  readonly deletedAt: Date | null
}

/** The user of an address, deleted or not. */
export function userOfAddress(db: Db, email: string): Promise<FoundUser | undefined> {
  return db
    .selectFrom('users')
    .select(['id', 'email', 'tenantId', 'deletedAt'])
    .where('email', '=', email)
    .executeTakeFirst()
}
