import { after, type Clock, day } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { newUuid } from '../../platform/ids.ts'
import type { EmailAddress } from '../../users/addresses/email-address.ts'

/** States of an invitation in the API; exactly one at a time. */
export const invitationStatus = { new: 1, sent: 2, failed: 4, completed: 8 } as const

/** Lifetime of an invitation in seconds. */
export const invitationLife = 30 * day

/** An invitation to sign up; reference api-auth §14.1. */
export interface Invitation {
  readonly id: string
  readonly email: string
  readonly firstName: string | null
  readonly lastName: string | null
  /** The tenant of the future account. */
  readonly tenantId: number
}

/** Stores an invitation and returns its id; doesn't send the e-mail. */
export async function insertInvitation(
  db: Db,
  clock: Clock,
  tenantId: number,
  email: EmailAddress,
): Promise<string> {
  const id = newUuid()
  const now = clock.now()
  await db
    .insertInto('signupInvitations')
    .values({
      id,
      tenantId,
      email: email.full,
      status: invitationStatus.new,
      userId: null,
      createdAt: now,
      updatedAt: now,
      expiresAt: after(now, invitationLife),
    })
    .execute()
  return id
}

/** Returns an invitation that can still be used, of the tenant or, if undefined, of any. */
export async function findOpenInvitation(
  db: Db,
  tenantId: number | undefined,
  id: string,
  now: Date,
): Promise<Invitation | undefined> {
  const query = db
    .selectFrom('signupInvitations')
    .select(['id', 'email', 'firstName', 'lastName', 'tenantId'])
    .where('id', '=', id)
  return (tenantId === undefined ? query : query.where('tenantId', '=', tenantId))
    .where('status', '<>', invitationStatus.completed)
    .where('expiresAt', '>', now)
    .executeTakeFirst()
}

/**
 * Completes an invitation, inside the transaction that creates the account. Returns false if it was completed
 * meanwhile.
 */
export async function completeInvitation(trx: Db, id: string, now: Date): Promise<boolean> {
  const row = await trx
    .updateTable('signupInvitations')
    .set({ status: invitationStatus.completed, updatedAt: now })
    .where('id', '=', id)
    .where('status', '<>', invitationStatus.completed)
    .where('expiresAt', '>', now)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Records which user accepted an invitation. */
export async function invitationBelongsTo(trx: Db, id: string, userId: number): Promise<void> {
  await trx.updateTable('signupInvitations').set({ userId }).where('id', '=', id).execute()
}

/** Records whether the e-mail was sent or failed, with its error; completed invitations stay completed. */
export async function markInvitation(
  db: Db,
  clock: Clock,
  id: string,
  status: number,
  error: string | null,
): Promise<void> {
  await db
    .updateTable('signupInvitations')
    .set({ status, error, updatedAt: clock.now() })
    .where('id', '=', id)
    .where('status', '<>', invitationStatus.completed)
    .execute()
}
