import { audit } from '../../platform/audit.ts'
import { after, type Clock, hour } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Principal } from '../../platform/http/callers/principal.ts'
import { actorOf } from '../../users/actor.ts'
import type { ClientRow } from '../clients/client.ts'

/** Somebody who uses an application in another one's name, in a session that it ends with. */
export interface Borrower {
  readonly userId: number
  readonly sessionId: string
  readonly endsAt: Date
}

/** Seconds for which an application can be used in another one's name; staff end with their session if that is sooner. */
export const borrowedLife = hour

/** Who really makes a request in another one's name: staff in a session of that kind, or who looks after the account. */
export function borrowerOf(principal: Principal, clock: Clock): Borrower {
  const { userId, sessionId, impersonation } = principal
  const endsAt = after(clock.now(), borrowedLife)
  if (impersonation === undefined) return { userId, sessionId, endsAt }
  const { staffId, endsAt: sessionEnd } = impersonation
  return { userId: staffId, sessionId, endsAt: sessionEnd < endsAt ? sessionEnd : endsAt }
}

/** Writes down, where the user and the owner of the account see it, that somebody else opened the webmail of a user. */
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
