import { hasBit, userStatus } from '@gatehouse/contract/status'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { isAccountOpen } from '../../users/account-lock-store.ts'
import { userSetting } from '../../users/setting-store.ts'

/** What applications may know about a user. */
export interface Person {
  readonly id: number
  readonly email: string
  readonly isActive: boolean
  readonly firstName: string
  readonly lastName: string
  readonly language: string | null
  readonly updatedAt: Date
}

/** Returns a user for whom applications may act: active, not suspended, not a service account. */
export async function readPerson(db: Db, id: string): Promise<Person | undefined> {
  if (!/^[1-9]\d{0,9}$/.test(id)) return undefined
  const row = await db
    .selectFrom('users as u')
    .select(['u.id', 'u.email', 'u.status', 'u.role', 'u.language', 'u.updatedAt'])
    .select([userSetting('first_name').as('firstName'), userSetting('last_name').as('lastName')])
    .where('u.id', '=', Number(id))
    .where('u.deletedAt', 'is', null)
    .where(isAccountOpen)
    .executeTakeFirst()
  if (row === undefined || row.role === 'service' || hasBit(row.status, userStatus.suspended))
    return undefined
  return {
    id: row.id,
    email: row.email,
    isActive: hasBit(row.status, userStatus.active),
    firstName: row.firstName ?? '',
    lastName: row.lastName ?? '',
    language: row.language,
    updatedAt: row.updatedAt,
  }
}

/** Returns when the session began, i.e. when the user signed in. */
export async function sessionBegin(db: Db, clock: Clock, sessionId: string): Promise<Date> {
  const row = await db
    .selectFrom('sessions')
    .select('createdAt')
    .where('id', '=', sessionId)
    .executeTakeFirst()
  return row?.createdAt ?? clock.now()
}
