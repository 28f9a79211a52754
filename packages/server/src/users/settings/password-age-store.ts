import { userStatus } from '@gatehouse/contract/status'
import { type RawBuilder, sql } from 'kysely'
import { wireDate } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { userSetting } from '../setting-store.ts'
import { readMonths } from './stored-value.ts'

/** What the age of a user's password depends on. */
export interface PasswordAge {
  readonly tenantId: number
  readonly email: string
  readonly name: string
  readonly language: string | null
  readonly changedAt: Date
  /** When the last reminder was sent. */
  readonly warnedAt: Date | undefined
  /** Months that passwords of the account may be used; null: for ever. */
  readonly months: number | null
}

/** Rows that one statement reads. */
const batch = 500

/** Who has no mailbox cannot be reminded there, and who is suspended cannot change anything. */
const isReminded = sql<boolean>`u.deleted_at is null and (u.role is null or u.role <> 'service')
  and u.status & ${userStatus.imapReady}::int <> 0 and u.status & ${userStatus.suspended}::int = 0`

/** When a password was set, in the form of the wire, whose order as text is that of time. */
const changedAt: RawBuilder<string> = sql`coalesce(${userSetting('password_update')},
  to_char(u.created_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS')) collate "C"`

/** Owners of accounts that set an age of passwords. */
export async function* accountsWithPasswordAge(
  db: Db,
): AsyncGenerator<{ ownerId: number; maxPasswordAge: string }> {
  let last = 0
  for (;;) {
    const rows = await db
      .selectFrom('user_settings as s')
      .innerJoin('users as u', 'u.id', 's.user_id')
      .select(['s.user_id', 's.value'])
      .where('s.key', '=', 'max_password_age')
      .where('u.deleted_at', 'is', null)
      .where('s.user_id', '>', last)
      .orderBy('s.user_id')
      .limit(batch)
      .execute()
    for (const row of rows) yield { ownerId: row.user_id, maxPasswordAge: row.value }
    const end = rows.at(-1)
    if (end === undefined) return
    last = end.user_id
  }
}

/** Users of an owner's accounts whose password was set in a span of time. */
export async function* usersWithPasswordOf(
  db: Db,
  ownerId: number,
  span: { readonly from: Date; readonly to: Date },
): AsyncGenerator<number> {
  let last = 0
  for (;;) {
    const rows = await db
      .selectFrom('users as u')
      .innerJoin('wallets as w', 'w.id', 'u.wallet_id')
      .select('u.id')
      .where('w.user_id', '=', ownerId)
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

/** The age of a user's password; undefined for who is not reminded of it. */
export async function readPasswordAge(db: Db, userId: number): Promise<PasswordAge | undefined> {
  const row = await db
    .selectFrom('users as u')
    .leftJoin('wallets as w', 'w.id', 'u.wallet_id')
    .leftJoin('user_settings as age', (join) =>
      join.onRef('age.user_id', '=', 'w.user_id').on('age.key', '=', 'max_password_age'),
    )
    .select(['u.tenant_id', 'u.email', 'u.language', 'age.value as months', changedAt.as('changed_at')])
    .select([
      userSetting('first_name').as('first_name'),
      userSetting('last_name').as('last_name'),
      userSetting('password_expiration_warning').as('warned_at'),
    ])
    .where('u.id', '=', userId)
    .where(isReminded)
    .executeTakeFirst()
  const changed = readMoment(row?.changed_at)
  if (row === undefined || changed === undefined) return undefined
  return {
    tenantId: row.tenant_id,
    email: row.email,
    name: `${row.first_name ?? ''} ${row.last_name ?? ''}`.trim(),
    language: row.language,
    changedAt: changed,
    warnedAt: readMoment(row.warned_at),
    months: readMonths(row.months ?? undefined),
  }
}

/** A moment in the form of the wire; undefined for what is none. */
function readMoment(text: string | null | undefined): Date | undefined {
  if (text == null) return undefined
  const moment = new Date(`${text.replace(' ', 'T')}Z`)
  return Number.isNaN(moment.getTime()) ? undefined : moment
}
