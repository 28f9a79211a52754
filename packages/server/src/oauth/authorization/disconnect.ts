import { type Actor, audit } from '../../platform/audit.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Principal } from '../../platform/http/callers/principal.ts'
import { NotFound } from '../../platform/http/errors.ts'
import { deleteConsents, grantOfToken, revokeConnection, revokeGrant } from './grant-store.ts'

interface Parts {
  readonly db: Db
  readonly clock: Clock
}

type Owner = Pick<Principal, 'userId' | 'tenantId'>

/**
 * Revokes a user's token with everything from the same grant. Throws NotFound if the user doesn't have it.
 */
export async function revokeToken(
  { db, clock }: Parts,
  { userId, tenantId }: Owner,
  id: string,
  actor: Actor,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const found = await grantOfToken(trx, clock, userId, id)
    if (found === undefined || found.grantHash === null) throw new NotFound()
    await revokeGrant(trx, found.grantHash)
    await audit(trx, clock, {
      ...{ tenantId, objectType: 'user', objectId: userId, event: 'user.app-token-revoked' },
      actor,
      data: { client: found.name },
    })
  })
}

/** Disconnects an application from a user. Throws NotFound if it isn't connected. */
export async function disconnect(
  { db, clock }: Parts,
  { userId, tenantId }: Owner,
  client: { readonly id: string; readonly name: string },
  actor: Actor,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const isKnown = await deleteConsents(trx, userId, client.id)
    const revoked = await revokeConnection(trx, userId, client.id)
    if (!isKnown && revoked === 0) throw new NotFound()
    await audit(trx, clock, {
      ...{ tenantId, objectType: 'user', objectId: userId, event: 'user.app-disconnected' },
      actor,
      data: { client: client.name },
    })
  })
}
