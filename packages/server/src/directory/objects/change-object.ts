import { type Actor, audit } from '../../platform/audit.ts'
import type { Db } from '../../platform/db/database.ts'
import { Conflict, message, NotFound } from '../../platform/http/errors.ts'
import { provision } from '../../platform/provision/provision.ts'
import { holdWallet } from '../../subscriptions/entitlement-store.ts'
import { differences, type Snapshot } from '../../users/user-snapshot.ts'
import type { DirectoryParts } from '../directory-parts.ts'
import { nameTaken } from './create-object.ts'
import type { DirectoryKind, DirectoryObject } from './object.ts'
import { holdObject } from './object-store.ts'

export interface ChangeRequest {
  readonly object: DirectoryObject
  readonly actor: Actor
  /** Event name such as `group.updated`. */
  readonly event: `${DirectoryKind}.${'updated' | 'configured'}`
  /** The revision that the change is based on, if the client sent one. */
  readonly revision?: string | null | undefined
  /** Returns the revision of the state that the object's form shows. */
  readonly revisionOf?: (trx: Db, object: DirectoryObject) => Promise<string>
  /** State that the audit log compares. */
  readonly snapshot: (trx: Db, object: DirectoryObject) => Promise<Snapshot>
  /** Writes the change, given the object's current state. Returns additional data for the audit log. */
  readonly apply: (trx: Db, now: DirectoryObject) => Promise<Readonly<Record<string, unknown>> | undefined>
}

/**
 * Changes an object in one transaction that locks the object and its account. Logs and provisions the change.
 * Returns the updated object. Throws Conflict if the change is based on a stale revision and NotFound if the
 * object has been deleted.
 */
export async function changeObject(
  parts: Pick<DirectoryParts, 'db' | 'clock'>,
  request: ChangeRequest,
): Promise<DirectoryObject> {
  return parts.db
    .transaction()
    .execute((trx) => changeObjectIn(trx, parts, request))
    .catch((error: unknown) => {
      throw nameTaken(error)
    })
}

/** Same as `changeObject`, inside the caller's transaction. */
export async function changeObjectIn(
  trx: Db,
  { clock }: Pick<DirectoryParts, 'clock'>,
  request: ChangeRequest,
): Promise<DirectoryObject> {
  const { kind, id, tenantId, walletId } = request.object
  // deleting a user or object removes it from lists and rights under this lock, so anything referenced here
  // still exists afterwards
  await holdWallet(trx, walletId)
  const before = await living(trx, kind, id)
  if (request.revision != null && request.revision !== (await request.revisionOf?.(trx, before))) {
    throw new Conflict(message('directory.changed-meanwhile'))
  }
  const was = await request.snapshot(trx, before)
  const more = await request.apply(trx, before)
  const after = await living(trx, kind, id)
  const data = differences(was, await request.snapshot(trx, after))
  if (data === undefined && more === undefined) return after
  await audit(trx, clock, {
    tenantId,
    objectType: kind,
    objectId: id,
    event: request.event,
    actor: request.actor,
    data: { ...data, ...more },
  })
  await provision(trx, { kind, id })
  return after
}

async function living(trx: Db, kind: DirectoryKind, id: number): Promise<DirectoryObject> {
  const object = await holdObject(trx, kind, id)
  if (object === undefined || object.deletedAt !== null) throw new NotFound()
  return object
}
