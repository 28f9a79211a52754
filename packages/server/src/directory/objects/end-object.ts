import { type Actor, audit } from '../../platform/audit.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { NotFound } from '../../platform/http/errors.ts'
import { provision } from '../../platform/provision/provision.ts'
import { removeSubscriptions } from '../../subscriptions/change-subscriptions.ts'
import { holdWallet } from '../../subscriptions/entitlement-store.ts'
import { leaveDirectory } from '../departures.ts'
import { type DirectoryObject, departureOf } from './object.ts'
import { holdObject, markObjectDeleted, objectsOfOwner } from './object-store.ts'

interface Parts {
  readonly db: Db
  readonly clock: Clock
}

/**
 * Deletes an object softly: it is billed no more, lists of the account do not name it, the back end forgets it.
 * Its addresses stay taken until it cannot be restored any more. `comment`: why, for the record. Throws NotFound when
 * somebody was faster.
 */
export async function deleteObject(
  { db, clock }: Parts,
  object: DirectoryObject,
  by: Actor,
  comment?: string,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await holdWallet(trx, object.walletId)
    if (!(await endObject(trx, clock, object, by, comment))) throw new NotFound()
  })
}

/** Everything that the end of an object means, in the transaction that holds the wallet; false: it is over already. */
export async function endObject(
  trx: Db,
  clock: Clock,
  { kind, id }: DirectoryObject,
  by: Actor,
  comment?: string,
): Promise<boolean> {
  const object = await holdObject(trx, kind, id)
  if (object === undefined || object.deletedAt !== null) return false
  const { tenantId, walletId, name, email } = object
  // in this order: what is removed from the moment of the deletion on comes back with the object
  await markObjectDeleted(trx, clock, id)
  await removeSubscriptions(trx, clock, { walletId, object: { type: kind, id } })
  await leaveDirectory(trx, clock, departureOf(object), by)
  await audit(trx, clock, {
    tenantId,
    objectType: kind,
    objectId: id,
    event: `${kind}.deleted`,
    actor: by,
    ...(comment !== undefined && { comment }),
    data: { before: { name, email } },
  })
  await provision(trx, { kind, id })
  return true
}

/**
 * Deletes some of what belongs to the accounts of an owner, in one transaction that holds the wallets. Returns
 * false when nothing is left.
 */
export async function endObjectsOf(
  trx: Db,
  clock: Clock,
  ownerId: number,
  limit: number,
  by: Actor,
): Promise<boolean> {
  const objects = await objectsOfOwner(trx, ownerId, limit)
  for (const object of objects) await endObject(trx, clock, object, by)
  return objects.length > 0
}
