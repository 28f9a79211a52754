import type { Clock } from '../platform/clock.ts'
import type { Db } from '../platform/db/database.ts'
import { type ObjectRef, type ProvisionedKind, refText } from '../platform/provision/object-ref.ts'
import { provision, provisionAll } from '../platform/provision/provision.ts'
import {
  type BegunWork,
  claimName,
  dropRecord,
  keepName,
  namesOf,
  noteBegun,
  noteDone,
  noteFailed,
  noteForgotten,
  noteWaiting,
  readWork,
  waitingFor,
} from '../platform/provision/provisioning-store.ts'
import type { PresentObject, ProvisioningAdapter } from './provisioned-object.ts'

export interface ReconcileParts {
  readonly db: Db
  readonly clock: Clock
}

/**
 * Syncs one object to the back end; reference api-objects §5. Compares the last synced state with the current
 * one and sends the difference: create, update under another name, delete, recreate. It therefore doesn't
 * matter how many changes were made, how late the job runs, or where an earlier one stopped.
 *
 * The names under which the back end may know an object are recorded before they are sent, so that they never
 * have to be guessed. A name belongs to one object at a time: a user who gets a deleted user's address waits
 * until that user's mailbox is removed. Waiting ends the job without counting as an attempt; the blocking
 * object's job enqueues it again.
 */
export async function reconcile(
  parts: ReconcileParts,
  adapter: ProvisioningAdapter,
  object: ObjectRef,
): Promise<void> {
  const { db, clock } = parts
  const begun = await noteBegun(db, clock, object)
  try {
    const present = await adapter.read(db, object.id)
    if (present === undefined || present.isDeleted) await forget(parts, adapter, object, begun, present)
    else await tell(parts, adapter, object, begun, present)
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    // NUL in an error message must not prevent the failure from being recorded
    const text = message.replaceAll('\0', '')
    // a newer job of the object does everything that this one could not
    if (await noteFailed(db, object, begun, text)) throw error
  }
}

async function tell(
  parts: ReconcileParts,
  adapter: ProvisioningAdapter,
  object: ObjectRef,
  begun: BegunWork,
  present: PresentObject,
): Promise<void> {
  const { db, clock } = parts
  const isKnown = begun.toldAt !== null || present.isKnown
  if (!isKnown && !present.isWanted) return noteDone(db, object, begun, null)
  if (await mustWait(parts, adapter, object, present, isKnown)) return
  const previous = (await namesOf(db, object)).filter((name) => name !== present.name)
  if (isKnown) await present.update(previous)
  else await present.create(previous)
  await db.transaction().execute(async (trx) => {
    // lock order everywhere: rows of objects before their records
    if (!present.isReady) await adapter.markReady(trx, object.id)
    await keepName(trx, object, present.name)
    await noteDone(trx, object, begun, clock.now())
  })
  await wake(db, object)
}

/** Records that the job must wait, if so. Throws if the wait would never end. */
async function mustWait(
  { db }: ReconcileParts,
  adapter: ProvisioningAdapter,
  object: ObjectRef,
  present: PresentObject,
  isKnown: boolean,
): Promise<boolean> {
  const needed = (now: PresentObject | undefined) => (isKnown ? undefined : now?.waitsFor)
  const first = needed(present) ?? (await claimName(db, object, present.name))
  if (first === undefined) return false
  await noteWaiting(db, object, first)
  // it may have become ready before the wait was recorded
  const second = needed(await adapter.read(db, object.id))
  const holder = second === undefined ? await claimName(db, object, present.name) : undefined
  const blocker = second ?? holder
  if (blocker === undefined) return false
  await noteWaiting(db, object, blocker)
  const work = await readWork(db, blocker)
  if (holder !== undefined && (work?.state === 'done' || work?.waitsFor === refText(object))) {
    throw new Error(`${refText(blocker)} still holds the name of ${refText(object)}`)
  }
  if (work?.state !== 'waiting' && work?.state !== 'running') await provision(db, blocker)
  return true
}

async function forget(
  parts: ReconcileParts,
  adapter: ProvisioningAdapter,
  object: ObjectRef,
  begun: BegunWork,
  present: PresentObject | undefined,
): Promise<void> {
  const { db } = parts
  for (const name of await namesToForget(db, object, present)) await adapter.remove(object.id, name)
  // first, so that a user who is restored concurrently is recreated
  await noteForgotten(db, object)
  await db.transaction().execute(async (trx) => {
    if (present?.isRemoved === false) await adapter.markRemoved(trx, object.id)
    await noteDone(trx, object, begun, null)
  })
  await wake(db, object)
  if (present === undefined) await dropRecord(db, object)
}

async function namesToForget(
  db: Db,
  object: ObjectRef,
  present: PresentObject | undefined,
): Promise<string[]> {
  const names = await namesOf(db, object)
  if (names.length > 0 || present?.isKnown !== true) return names
  // an object older than its record is known by its current name, unless another object has claimed that
  return (await claimName(db, object, present.name)) === undefined ? [present.name] : []
}

/** Enqueues the objects that wait for this one. */
async function wake(db: Db, object: ObjectRef): Promise<void> {
  const waiting = await waitingFor(db, object)
  for (const kind of new Set(waiting.map((one) => one.kind))) {
    await provisionAll(db, kind, idsOf(waiting, kind))
  }
}

function idsOf(objects: readonly ObjectRef[], kind: ProvisionedKind): number[] {
  return objects.filter((one) => one.kind === kind).map((one) => one.id)
}
