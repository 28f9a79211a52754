import { audit } from '../../platform/audit.ts'
import { after, type Clock, hour } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Principal } from '../../platform/http/callers/principal.ts'
import { actorOf } from '../../users/actor.ts'
import type { ClientRow } from '../clients/client.ts'

/** Someone who uses an application on behalf of another user, limited to their own session. */
export interface Borrower {
  readonly userId: number
  readonly sessionId: string
  readonly endsAt: Date
}

/**
 * Seconds for which an application can be used on behalf of another user; for staff it also ends with their
 * session.
 */
export const borrowedLife = hour

/**
 * Returns who really makes a request on behalf of a user: impersonating staff, or a controller of the account.
 */
export function borrowerOf(principal: Principal, clock: Clock): Borrower {
  const { userId, sessionId, impersonation } = principal
  const endsAt = after(clock.now(), borrowedLife)
  if (impersonation === undefined) return { userId, sessionId, endsAt }
  const { staffId, endsAt: sessionEnd } = impersonation
  return { userId: staffId, sessionId, endsAt: sessionEnd < endsAt ? sessionEnd : endsAt }
}

/** Logs, visibly for the user and the account's owner, that someone else opened the user's webmail. */
export async function recordWebmail(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  by: { readonly principal: Principal; readonly ip: string },
  user: { readonly id: number; readonly tenantId: number },
  client: Pick<ClientRow, 'name'>,
): Promise<void> {
  await audit(db, clock, {
    ...{ tenantId: user.tenantId, objectType: 'user', objectId: user.id, event: 'user.webmail-opened' },
    actor: actorOf(by.principal, by),
    data: { client: client.name },
  })
}
