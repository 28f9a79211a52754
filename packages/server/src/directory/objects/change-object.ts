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
  /** What happened, as `group.updated`. */
  readonly event: `${DirectoryKind}.${'updated' | 'configured'}`
  /** The state that the change starts from, if the client said so. */
  readonly revision?: string | null | undefined
  /** Names the state of the object that its form shows. */
  readonly revisionOf?: (trx: Db, object: DirectoryObject) => Promise<string>
  /** What the record of changes compares. */
  readonly snapshot: (trx: Db, object: DirectoryObject) => Promise<Snapshot>
  /** Writes the change, given the object as it is now; returns what else the record is to say. */
  readonly apply: (trx: Db, now: DirectoryObject) => Promise<Readonly<Record<string, unknown>> | undefined>
}

/**
 * Changes an object in one transaction: nobody else changes it or its account meanwhile. Returns the object as
 * it is then. What changed goes into the record and to the back end. Throws Conflict when the change starts from
 * a state that is no more, NotFound when the object is deleted by now.
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

/** The same in a transaction. */
export async function changeObjectIn(
  trx: Db,
  { clock }: Pick<DirectoryParts, 'clock'>,
  request: ChangeRequest,
): Promise<DirectoryObject> {
  const { kind, id, tenantId, walletId } = request.object
  // who is deleted leaves lists and rights under this lock, so what names them here is still there afterwards
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
