import type { InviteOutcome } from '@gatehouse/contract/invitations'
import type { Language } from '@gatehouse/contract/language'
import { sql } from 'kysely'
import { after, type Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { Conflict, message } from '../../platform/http/errors.ts'
import { newUuid } from '../../platform/ids.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import { invitationLife, invitationStatus } from '../../signup/grants/invitation-store.ts'
import { invitationMailJob } from './invitation-mail.ts'
import type { Invitee } from './read-addresses.ts'

export interface InviteParts {
  readonly db: Db
  readonly clock: Clock
  readonly jobs: Jobs
}

/** Somebody has signed up with the invitation (409). */
export class InvitationUsed extends Conflict {
  constructor() {
    super(message('invitations.used'))
  }
}

export interface Inviter {
  readonly tenantId: number
  readonly language: Language
}

/** What became of an address, and of a new invitation its number. */
export type Invited =
  | { readonly outcome: 'created'; readonly id: string }
  | { readonly outcome: Exclude<InviteOutcome, 'created' | 'repeated' | 'invalid'> }

/**
 * Invites addresses to sign up in a tenant, each once: who has an account there or an invitation that still works is left
 * alone; one that has expired begins anew. The mails are enqueued in the same transaction. By address.
 */
export async function invite(
  parts: InviteParts,
  inviter: Inviter,
  invitees: readonly Invitee[],
): Promise<ReadonlyMap<string, Invited>> {
  const emails = invitees.map(({ email }) => email)
  return parts.db.transaction().execute(async (trx) => {
    const members = await membersAmong(trx, inviter.tenantId, emails)
    const wanted = invitees.filter(({ email }) => !members.has(email))
    const made = await insertInvitations(trx, parts.clock, inviter.tenantId, wanted)
    for (const id of made.values()) await enqueueMail(parts.jobs, trx, id, inviter.language)
    return new Map(
      emails.map((email): [string, Invited] => {
        const id = made.get(email)
        if (id !== undefined) return [email, { outcome: 'created', id }]
        return [email, { outcome: members.has(email) ? 'member' : 'invited' }]
      }),
    )
  })
}

/** Which of them would be invited; nothing is written. */
export async function previewInvite(
  db: Db,
  clock: Clock,
  tenantId: number,
  emails: readonly string[],
): Promise<ReadonlyMap<string, Exclude<InviteOutcome, 'repeated' | 'invalid'>>> {
  const members = await membersAmong(db, tenantId, emails)
  const { rows } = await sql<{ email: string }>`select email from signup_invitations
    where tenant_id = ${tenantId} and email = any(${emails}::text[]) and status <> ${invitationStatus.completed}::int
      and expires_at > ${clock.now()}::timestamptz`.execute(db)
  const invited = new Set(rows.map(({ email }) => email))
  return new Map(
    emails.map((email) => [
      email,
      members.has(email) ? 'member' : invited.has(email) ? 'invited' : 'created',
    ]),
  )
}

/** Enqueues the mail of an invitation; a second one takes the place of the first as long as that waits. */
export async function enqueueMail(jobs: Jobs, trx: Db, id: string, language: Language): Promise<void> {
  await jobs.enqueue(trx, invitationMailJob, { id, language }, { key: `signup-invitation:mail:${id}` })
}

/**
 * Sends what was sent, has failed or has expired once more, for another whole time; what still waits to be sent stays as it
 * is. Throws InvitationUsed.
 */
export async function resendInvitation(
  { db, clock, jobs }: InviteParts,
  { tenantId, language }: Inviter,
  id: string,
): Promise<void> {
  const now = clock.now()
  await db.transaction().execute(async (trx) => {
    const changed = await trx
      .updateTable('signup_invitations')
      .set({
        status: invitationStatus.new,
        error: null,
        updated_at: now,
        expires_at: after(now, invitationLife),
      })
      .where('id', '=', id)
      .where('tenant_id', '=', tenantId)
      .where('status', '<>', invitationStatus.completed)
      .where((where) =>
        where.or([where('status', '<>', invitationStatus.new), where('expires_at', '<=', now)]),
      )
      .returning('id')
      .executeTakeFirst()
    if (changed !== undefined) return enqueueMail(jobs, trx, id, language)
    const { status } = await trx
      .selectFrom('signup_invitations')
      .select('status')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    if (status === invitationStatus.completed) throw new InvitationUsed()
  })
}

async function insertInvitations(
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

/** Those who have an account in the tenant already, under that address or with it as their external one. */
async function membersAmong(
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
