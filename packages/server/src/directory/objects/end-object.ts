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
 * Soft-deletes an object: billing stops, and it is removed from the account's lists and the back end. Its
 * addresses stay taken while it can be restored. `comment`: reason for the audit log. Throws NotFound if it
 * was deleted concurrently.
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

/**
 * Ends an object with all its consequences, in the transaction that holds the wallet. Returns false if it has
 * already ended.
 */
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
  // this order matters: whatever is removed after the deletion time is restored with the object
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
 * Deletes part of the objects in an owner's accounts, in one transaction that holds the wallets. Returns false
 * if none are left.
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
