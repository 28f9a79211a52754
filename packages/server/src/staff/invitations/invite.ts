import type { InviteOutcome } from '@gatehouse/contract/invitations'
import type { Language } from '@gatehouse/contract/language'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { Conflict, message } from '../../platform/http/errors.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import { invitationStatus } from '../../signup/grants/invitation-store.ts'
import { invitationMailJob } from './invitation-mail.ts'
import {
  insertInvitations,
  invitationState,
  invitedAmong,
  membersAmong,
  renewInvitation,
} from './invitation-store.ts'
import type { Invitee } from './read-addresses.ts'

export interface InviteParts {
  readonly db: Db
  readonly clock: Clock
  readonly jobs: Jobs
}

/** The invitation was already used to sign up (409). */
export class InvitationUsed extends Conflict {
  constructor() {
    super(message('invitations.used'))
  }
}

export interface Inviter {
  readonly tenantId: number
  readonly language: Language
}

/** Outcome for an address, with the id of a new invitation. */
export type Invited =
  | { readonly outcome: 'created'; readonly id: string }
  | { readonly outcome: Exclude<InviteOutcome, 'created' | 'repeated' | 'invalid'> }

/**
 * Invites addresses to sign up in a tenant, once each: skips those with an account there or a valid
 * invitation, and renews expired ones. Enqueues the e-mails in the same transaction. Returns the outcome by
 * address.
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

/** Returns which addresses would be invited, without writing anything. */
export async function previewInvite(
  db: Db,
  clock: Clock,
  tenantId: number,
  emails: readonly string[],
): Promise<ReadonlyMap<string, Exclude<InviteOutcome, 'repeated' | 'invalid'>>> {
  const members = await membersAmong(db, tenantId, emails)
  const invited = await invitedAmong(db, tenantId, emails, clock.now())
  return new Map(
    emails.map((email) => [
      email,
      members.has(email) ? 'member' : invited.has(email) ? 'invited' : 'created',
    ]),
  )
}

/** Enqueues an invitation's e-mail; replaces one that is still waiting. */
export async function enqueueMail(jobs: Jobs, trx: Db, id: string, language: Language): Promise<void> {
  await jobs.enqueue(trx, invitationMailJob, { id, language }, { key: `signup-invitation:mail:${id}` })
}

/**
 * Resends an invitation that was sent, failed or expired and restarts its lifetime; a pending one is
 * unchanged. Throws InvitationUsed.
 */
export async function resendInvitation(
  { db, clock, jobs }: InviteParts,
  { tenantId, language }: Inviter,
  id: string,
): Promise<void> {
  const now = clock.now()
  await db.transaction().execute(async (trx) => {
    const isRenewed = await renewInvitation(trx, tenantId, id, now)
    if (isRenewed) return enqueueMail(jobs, trx, id, language)
    const status = await invitationState(trx, id)
    if (status === invitationStatus.completed) throw new InvitationUsed()
  })
}
