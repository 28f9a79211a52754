import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { isAccountOpen } from '../../users/account-lock-store.ts'
import { standingColumns } from '../standing-store.ts'

/** Identifies a user by address or id. */
export type UserName = { readonly email: string } | { readonly id: number }

const columnOf = (name: UserName) =>
  'id' in name ? (['u.id', name.id] as const) : (['u.email', name.email] as const)

/** Returns what a sign-in needs to be decided; undefined if the user is deleted or the account is closed. */
export async function findSignInUser(db: Db, name: UserName) {
  const [column, value] = columnOf(name)
  return db
    .selectFrom('users as u')
    .leftJoin('userSettings as s', (join) =>
      join.onRef('s.userId', '=', 'u.id').on('s.key', '=', 'limit_geo'),
    )
    .select(['u.id', 'u.tenantId', 'u.role', 'u.passwordHash', 's.value as limitGeo'])
    .select(standingColumns)
    .where(column, '=', value)
    .where('u.deletedAt', 'is', null)
    .where(isAccountOpen)
    .executeTakeFirst()
}

/** Returns the stored list of countries that a user limits sign-in to. */
export async function geoLockOf(db: Db, userId: number): Promise<string | undefined> {
  const row = await db
    .selectFrom('userSettings')
    .select('value')
    .where('userId', '=', userId)
    .where('key', '=', 'limit_geo')
    .executeTakeFirst()
  return row?.value
}

/** Whether a user has signed in from a device since a moment. */
export async function knowsDevice(db: Db, name: UserName, device: Buffer, since: Date): Promise<boolean> {
  const [column, value] = columnOf(name)
  const found = await db
    .selectFrom('signInDevices as d')
    .innerJoin('users as u', 'u.id', 'd.userId')
    .select('d.userId')
    .where('d.device', '=', device)
    .where('d.seenAt', '>=', since)
    .where(column, '=', value)
    .where('u.deletedAt', 'is', null)
    .executeTakeFirst()
  return found !== undefined
}

/**
 * Records that a device was seen now, unless that was recorded after `notedSince`. Returns true if the user
 * has had devices but not this one since `knownSince`; of concurrent statements only one returns true.
 */
export async function noteDevice(
  db: Db,
  userId: number,
  device: Buffer,
  { now, knownSince, notedSince }: Readonly<Record<'now' | 'knownSince' | 'notedSince', Date>>,
): Promise<boolean> {
  const { rows } = await sql<{ isNew: boolean }>`with seen as (
      select bool_or(device = ${device}::bytea and seen_at >= ${knownSince}::timestamptz) as is_known
      from sign_in_devices where user_id = ${userId}
    ), noted as (
      insert into sign_in_devices (user_id, device, seen_at)
      values (${userId}, ${device}::bytea, ${now}::timestamptz)
      on conflict (user_id, device) do update set seen_at = excluded.seen_at
        where sign_in_devices.seen_at <= ${notedSince}::timestamptz
      returning user_id
    )
    select seen.is_known is false as "isNew" from seen, noted`.execute(db)
  return rows[0]?.isNew === true
}

/** Resets the last use of a user's devices, so that they count as not seen for ages. */
export async function forgetWhenSeen(db: Db, userId: number): Promise<void> {
  await db
    .updateTable('signInDevices')
    .set({ seenAt: new Date(0) })
    .where('userId', '=', userId)
    .execute()
}

/** Deletes devices not seen since a moment, except each user's last. */
export async function purgeDevices(db: Db, since: Date): Promise<void> {
  await sql`delete from sign_in_devices d where d.seen_at < ${since}::timestamptz
    and exists (select from sign_in_devices l where l.user_id = d.user_id
      and (l.seen_at, l.device) > (d.seen_at, d.device))`.execute(db)
}
