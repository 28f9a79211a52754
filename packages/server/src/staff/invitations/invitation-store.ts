import { canonicalAddress } from '@gatehouse/contract/canonical-address'
import type { Invitation, invitationRoutes } from '@gatehouse/contract/invitations'
import { type RawBuilder, sql } from 'kysely'
import type { z } from 'zod'
import { after, type Clock, wireDate } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { foldedPattern } from '../../platform/db/like-pattern.ts'
import { newUuid } from '../../platform/ids.ts'
import { invitationLife, invitationStatus } from '../../signup/grants/invitation-store.ts'
import type { Invitee } from './read-addresses.ts'

type Query = z.output<(typeof invitationRoutes)['GET /api/v4/invitations']['query']>

/** An invitation as stored. */
export interface InvitationRow {
  readonly id: string
  readonly email: string
  readonly firstName: string | null
  readonly lastName: string | null
  readonly status: number
  readonly error: string | null
  readonly createdAt: Date
  readonly expiresAt: Date
}

export const invitationPageSize = 10

/** Returns a page of a tenant's invitations, newest first; reference api-billing-admin §19. */
export async function listInvitations(db: Db, tenantId: number, query: Query, now: Date) {
  const size = query.size ?? invitationPageSize
  const page = query.page ?? 1
  const { rows } =
    await sql<InvitationRow>`select id, email, first_name, last_name, status, error, created_at, expires_at
    from signup_invitations where tenant_id = ${tenantId} ${searched(query.search)} ${inState(query.state, now)}
    order by created_at desc, id desc limit ${size + 1} offset ${(page - 1) * size}`.execute(db)
  const list = rows.slice(0, size).map((row) => presentInvitation(row, now))
  return { status: 'success' as const, list, count: list.length, hasMore: rows.length > size, page }
}

function searched(search: string | null | undefined): RawBuilder<unknown> {
  if (search == null) return sql``
  const text = sql`fold_text(concat_ws(chr(10), email, concat_ws(' ', first_name, last_name)))`
  return sql`and (${text} like ${foldedPattern(search)} or email = ${canonicalAddress(search)})`
}

function inState(state: Query['state'], now: Date): RawBuilder<unknown> {
  if (state == null) return sql``
  const { completed } = invitationStatus
  if (state === 'expired') return sql`and expires_at <= ${now}::timestamptz and status <> ${completed}::int`
  return sql`and status = ${invitationStatus[state]}::int`
}

export function presentInvitation(row: InvitationRow, now: Date): Invitation {
  const { completed, failed, sent } = invitationStatus
  return {
    id: row.id,
    email: row.email,
    first_name: row.firstName,
    last_name: row.lastName,
    isNew: row.status === invitationStatus.new,
    isSent: row.status === sent,
    isFailed: row.status === failed,
    isCompleted: row.status === completed,
    created: wireDate(row.createdAt),
    expires_at: wireDate(row.expiresAt),
    isExpired: row.status !== completed && row.expiresAt <= now,
    error: row.status === failed ? row.error : null,
  }
}

/** Inserts invitations and renews expired ones; returns their ids by address. */
export async function insertInvitations(
  trx: Db,
  clock: Clock,
  tenantId: number,
  invitees: readonly Invitee[],
): Promise<ReadonlyMap<string, string>> {
  if (invitees.length === 0) return new Map()
  const now = clock.now()
  const ids = invitees.map(() => newUuid())
  const emails = invitees.map(({ email }) => email)
  const first = invitees.map(({ firstName }) => firstName)
  const last = invitees.map(({ lastName }) => lastName)
  const { rows } = await sql<{ id: string; email: string }>`insert into signup_invitations as i
      (id, tenant_id, email, first_name, last_name, status, created_at, updated_at, expires_at)
    select id, ${tenantId}, email, first_name, last_name, ${invitationStatus.new}::int, ${now}::timestamptz, ${now}::timestamptz,
      ${after(now, invitationLife)}::timestamptz
    from unnest(${ids}::uuid[], ${emails}::text[], ${first}::text[], ${last}::text[])
      as n (id, email, first_name, last_name)
    on conflict (tenant_id, email) where status <> 8 do update
      set id = excluded.id, status = excluded.status, error = null, created_at = excluded.created_at,
        updated_at = excluded.updated_at, expires_at = excluded.expires_at,
        first_name = excluded.first_name, last_name = excluded.last_name
      where i.expires_at <= ${now}::timestamptz
    returning i.id, i.email`.execute(trx)
  return new Map(rows.map(({ id, email }) => [email, id]))
}

/** Returns those who already have an account in the tenant, with that address or as their external one. */
export async function membersAmong(
  db: Db,
  tenantId: number,
  emails: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ email: string }>`select a.address as email from addresses a
      join users u on u.id = a.object_id
      where a.address = any(${emails}::text[]) and a.kind in ('user', 'alias') and a.tenant_id = ${tenantId}
        and u.deleted_at is null
    union select lower(s.value) from user_settings s join users u on u.id = s.user_id
      where s.key = 'external_email' and lower(s.value) = any(${emails}::text[])
        and u.tenant_id = ${tenantId} and u.deleted_at is null`.execute(db)
  return new Set(rows.map(({ email }) => email))
}

/** Returns those of the addresses that have a valid invitation. */
export async function invitedAmong(
  db: Db,
  tenantId: number,
  emails: readonly string[],
  now: Date,
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ email: string }>`select email from signup_invitations
    where tenant_id = ${tenantId} and email = any(${emails}::text[]) and status <> ${invitationStatus.completed}::int
      and expires_at > ${now}::timestamptz`.execute(db)
  return new Set(rows.map(({ email }) => email))
}

/** Resets an invitation that was sent, failed or expired; returns false in any other state. */
export async function renewInvitation(trx: Db, tenantId: number, id: string, now: Date): Promise<boolean> {
  const changed = await trx
    .updateTable('signupInvitations')
    .set({
      status: invitationStatus.new,
      error: null,
      updatedAt: now,
      expiresAt: after(now, invitationLife),
    })
    .where('id', '=', id)
    .where('tenantId', '=', tenantId)
    .where('status', '<>', invitationStatus.completed)
    .where((where) => where.or([where('status', '<>', invitationStatus.new), where('expiresAt', '<=', now)]))
    .returning('id')
    .executeTakeFirst()
  return changed !== undefined
}

/** Counts a tenant's usable and failed invitations, each up to a limit. */
export async function countInvitations(
  db: Db,
  tenantId: number,
  now: Date,
  most: number,
): Promise<{ readonly open: number; readonly failed: number }> {
  const { completed, failed } = invitationStatus
  const count = (condition: RawBuilder<unknown>) => sql`(select count(*)::int from (
    select from signup_invitations where tenant_id = ${tenantId} and status <> ${completed}::int
      and expires_at > ${now}::timestamptz and ${condition} limit ${most}) found)`
  const { rows } = await sql<{ open: number; failed: number }>`select
    ${count(sql`status <> ${failed}::int`)} as open, ${count(sql`status = ${failed}::int`)} as failed`.execute(
    db,
  )
  return rows[0] ?? { open: 0, failed: 0 }
}

/** Returns the state of an existing invitation. */
export async function invitationState(db: Db, id: string): Promise<number> {
  const row = await db
    .selectFrom('signupInvitations')
    .select('status')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return row.status
}

/** Returns an invitation of a tenant. */
export function readInvitation(db: Db, tenantId: number, id: string): Promise<InvitationRow | undefined> {
  return db
    .selectFrom('signupInvitations')
    .select(['id', 'email', 'firstName', 'lastName', 'status', 'error', 'createdAt', 'expiresAt'])
    .where('id', '=', id)
    .where('tenantId', '=', tenantId)
    .executeTakeFirst()
}

/** Returns a usable invitation of any tenant. */
export function openInvitation(db: Db, id: string, now: Date) {
  return db
    .selectFrom('signupInvitations')
    .select(['email', 'firstName', 'lastName', 'tenantId', 'expiresAt'])
    .where('id', '=', id)
    .where('status', '<>', invitationStatus.completed)
    .where('expiresAt', '>', now)
    .executeTakeFirst()
}

export async function deleteInvitation(db: Db, id: string): Promise<void> {
  await db.deleteFrom('signupInvitations').where('id', '=', id).execute()
}
