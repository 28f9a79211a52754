import { domainType, userStatus } from '@gatehouse/contract/status'
import { sql } from 'kysely'
import type { Db } from '../platform/db/database.ts'

/**
 * Locks some users who were deleted before the given time and whom the back ends have removed. As long as a
 * mailbox exists, its address must not be reused.
 */
export async function holdForgettable(db: Db, before: Date, limit: number): Promise<number[]> {
  const rows = await db
    .selectFrom('users')
    .select('id')
    .where('deletedAt', '<=', before)
    .where('forgottenAt', 'is', null)
    .where(sql<boolean>`status & ${userStatus.deleted}::int <> 0`)
    .orderBy('deletedAt')
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute()
  return rows.map((row) => row.id)
}

/** Frees the addresses of users, except those in public domains. */
export async function freeAddresses(db: Db, ids: readonly number[]): Promise<void> {
  await sql`delete from addresses a
    where a.kind in ('user', 'alias') and a.object_id = any(${ids}::bigint[])
      and not exists (select from domains d where d.namespace = split_part(a.address, '@', 2)
        and d.type & ${domainType.public}::int <> 0)`.execute(db)
}

/** Removes users' personal data; ID, wallet and subscriptions stay for the books. */
export async function removePerson(db: Db, ids: readonly number[], now: Date): Promise<void> {
  const those = sql`any(${ids}::bigint[])`
  await sql`delete from user_settings where user_id = ${those}`.execute(db)
  await sql`delete from password_history where user_id = ${those}`.execute(db)
  for (const table of [
    'second_factors',
    'passkeys',
    'passkey_challenges',
    'recovery_codes',
    'app_passwords',
    'sign_in_devices',
    'companions',
    'auth_attempts',
    'oauth_consents',
    'oauth_records',
    'user_sending',
    'send_attempts',
    'sending_days',
    'sending_places',
    'sent_recipients',
    'rate_exemptions',
    'held_messages',
    'calendar_cancellations',
    'mailbox_usage',
    'mail_correspondents',
    'mail_allowed_senders',
    'mail_filters',
    'mail_imports',
    'scim_users',
  ]) {
    await sql`delete from ${sql.table(table)} where user_id = ${those}`.execute(db)
  }
  for (const table of ['greylist_contacts', 'greylist_releases']) {
    await sql`delete from ${sql.table(table)}
      where recipient_kind = 'user' and recipient_id = ${those}`.execute(db)
  }
  await sql`update fs_contents c set kept_until = null from data_exports e
    where e.user_id = ${those} and c.id = e.content_id`.execute(db)
  await sql`delete from data_exports where user_id = ${those}`.execute(db)
  await sql`delete from booking_requests where manager_id = ${those}`.execute(db)
  await sql`delete from sessions where user_id = ${those}`.execute(db)
  await sql`delete from batches where user_id = ${those}`.execute(db)
  await sql`delete from mail_decisions where object_kind = 'user' and object_id = ${those}`.execute(db)
  await sql`delete from mail_log where user_id = ${those}`.execute(db)
  await sql`delete from verification_codes where user_id = ${those} or creator_id = ${those}`.execute(db)
  await sql`delete from signup_codes where user_id = ${those}`.execute(db)
  await sql`delete from signup_invitations where user_id = ${those}`.execute(db)
  await sql`delete from delegations where delegator_id = ${those} or delegatee_id = ${those}`.execute(db)
  await sql`delete from wallet_controllers where user_id = ${those}`.execute(db)
  await sql`delete from account_offers where user_id = ${those} or invited_by = ${those}
    or heir_id = ${those}`.execute(db)
  await sql`delete from room_permissions p using rooms r, users u where u.id = ${those} and p.user_id = u.id
    and r.id = p.room_id and r.wallet_id = u.wallet_id`.execute(db)
  await sql`delete from oauth_records where actor_id = ${those}`.execute(db)
  // a name that can't be a mail address
  await sql`update users set email = id || '#', password_hash = null, language = null,
    forgotten_at = ${now}::timestamptz where id = ${those}`.execute(db)
}

/**
 * Removes users' addresses from records of other accounts; their IDs stay. Call it before the addresses are
 * purged.
 */
export async function removeFromWork(db: Db, ids: readonly number[]): Promise<void> {
  const those = sql`any(${ids}::bigint[])`
  await sql`update price_changes set creator_email = null where created_by = ${those}`.execute(db)
  await sql`update price_changes c set canceller_email = null from users u
    where u.id = ${those} and c.canceller_email = u.email`.execute(db)
  await sql`update one_off_requests set requester_email = requested_by::text
    where requested_by = ${those}`.execute(db)
  await sql`update one_off_requests set decider_email = decided_by::text where decided_by = ${those}`.execute(
    db,
  )
}

/**
 * Reduces the audit log of users to event, time and actor. Sign-ins, which concern only the person, are
 * deleted. Actions of the users keep their ID without the address; ledger hashes don't cover it, so the chain
 * stays valid.
 */
export async function removeFacts(db: Db, ids: readonly number[]): Promise<void> {
  await sql`update event_log set actor_email = null, ip = null where actor_id = any(${ids}::bigint[])`.execute(
    db,
  )
  await sql`update event_log set staff_email = null
    where staff_id = any(${ids}::bigint[]) and staff_email is not null`.execute(db)
  await sql`update ledger_entries set actor_email = null
    where actor_id = any(${ids}::bigint[]) and actor_email is not null`.execute(db)
  await sql`delete from event_log where object_type = 'user' and object_id = any(${ids}::bigint[])
    and (starts_with(event, 'sign-in.') or starts_with(event, 'access.'))`.execute(db)
  await sql`update event_log set data = null, ip = null
    where object_type = 'user' and object_id = any(${ids}::bigint[])`.execute(db)
}
