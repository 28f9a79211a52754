import { userStatus } from '@gatehouse/contract/status'
import { type RawBuilder, sql } from 'kysely'
import { wireDate } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { userSetting } from '../setting-store.ts'
import { fullName } from '../user.ts'
import { readMonths } from './stored-value.ts'

/** What a user's password age depends on. */
export interface PasswordAge {
  readonly tenantId: number
  readonly email: string
  readonly name: string
  readonly language: string | null
  readonly changedAt: Date
  /** When the last reminder was sent. */
  readonly warnedAt: Date | undefined
  /** Maximum password age in the account, in months; null: unlimited. */
  readonly months: number | null
}

/** Batch size of one statement. */
const batch = 500

/** Users without a mailbox can't be reminded there, and suspended users can't change their password. */
const isReminded = sql<boolean>`u.deleted_at is null and (u.role is null or u.role <> 'service')
  and u.status & ${userStatus.imapReady}::int <> 0 and u.status & ${userStatus.suspended}::int = 0`

/** When a password was set, in the API format, which sorts chronologically. */
const changedAt: RawBuilder<string> = sql`coalesce(${userSetting('password_update')},
  to_char(u.created_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS')) collate "C"`

/** Yields owners of accounts with a maximum password age. */
export async function* accountsWithPasswordAge(
  db: Db,
): AsyncGenerator<{ ownerId: number; maxPasswordAge: string }> {
  let last = 0
  for (;;) {
    const rows = await db
      .selectFrom('userSettings as s')
      .innerJoin('users as u', 'u.id', 's.userId')
      .select(['s.userId', 's.value'])
      .where('s.key', '=', 'max_password_age')
      .where('u.deletedAt', 'is', null)
      .where('s.userId', '>', last)
      .orderBy('s.userId')
      .limit(batch)
      .execute()
    for (const row of rows) yield { ownerId: row.userId, maxPasswordAge: row.value }
    const end = rows.at(-1)
    if (end === undefined) return
    last = end.userId
  }
}

/** Yields users of an owner's accounts whose password was set within a time span. */
export async function* usersWithPasswordOf(
  db: Db,
  ownerId: number,
  span: { readonly from: Date; readonly to: Date },
): AsyncGenerator<number> {
  let last = 0
  for (;;) {
    const rows = await db
      .selectFrom('users as u')
      .innerJoin('wallets as w', 'w.id', 'u.walletId')
      .select('u.id')
      .where('w.userId', '=', ownerId)
      .where('u.id', '>', last)
      .where(isReminded)
      .where(sql<boolean>`${changedAt} between ${wireDate(span.from)} and ${wireDate(span.to)}`)
      .orderBy('u.id')
      .limit(batch)
      .execute()
    for (const row of rows) yield row.id
    const end = rows.at(-1)
    if (end === undefined) return
    last = end.id
  }
}

/** Returns a user's password age; undefined for users who aren't reminded. */
export async function readPasswordAge(db: Db, userId: number): Promise<PasswordAge | undefined> {
  const row = await db
    .selectFrom('users as u')
    .leftJoin('wallets as w', 'w.id', 'u.walletId')
    .leftJoin('userSettings as age', (join) =>
      join.onRef('age.userId', '=', 'w.userId').on('age.key', '=', 'max_password_age'),
    )
    .select(['u.tenantId', 'u.email', 'u.language', 'age.value as months', changedAt.as('changedAt')])
    .select([
      userSetting('first_name').as('firstName'),
      userSetting('last_name').as('lastName'),
      userSetting('password_expiration_warning').as('warnedAt'),
    ])
    .where('u.id', '=', userId)
    .where(isReminded)
    .executeTakeFirst()
  const changed = readMoment(row?.changedAt)
  if (row === undefined || changed === undefined) return undefined
  return {
    tenantId: row.tenantId,
    email: row.email,
    name: fullName(row),
    language: row.language,
    changedAt: changed,
    warnedAt: readMoment(row.warnedAt),
    months: readMonths(row.months ?? undefined),
  }
}

/** Parses a time in the API format; undefined if invalid. */
function readMoment(text: string | null | undefined): Date | undefined {
  if (text == null) return undefined
  const moment = new Date(`${text.replace(' ', 'T')}Z`)
  return Number.isNaN(moment.getTime()) ? undefined : moment
}
