import type { RawBuilder } from 'kysely'
import type { Db } from '../platform/db/database.ts'
import type { ObjectRef, ProvisionedKind } from '../platform/provision/object-ref.ts'

/** An object as it is now, and how to tell the back end so. */
export interface PresentObject {
  /** Address, domain name or path that the back end knows the object by; unique in the whole installation. */
  readonly name: string
  readonly isDeleted: boolean
  /** It is deleted, and its status says that the back end has forgotten it. */
  readonly isRemoved: boolean
  /** The back end may be told. False for what it never hears of, as technical accounts. */
  readonly isWanted: boolean
  /** Its status says that the back end knows it; for objects that are older than the record of it. */
  readonly isKnown: boolean
  /** Its status says everything that `markReady` would write. */
  readonly isReady: boolean
  /** What has to be ready before the back end hears of the object for the first time. */
  readonly waitsFor: ObjectRef | undefined
  /** `previous`: names under which the back end may know the object still, none of them `name`. */
  create(previous: readonly string[]): Promise<void>
  update(previous: readonly string[]): Promise<void>
}

/**
 * All that the provisioning machinery needs of one kind of object. To connect a kind, write one of these, hand
 * it to `handleProvisioning` in `app.ts`, and call `provision` in the transaction of each change. What the
 * machinery does with it is said in `reconcile.ts`.
 */
export interface ProvisioningAdapter {
  readonly kind: ProvisionedKind
  /** Reads the object as it is now, deleted ones too; undefined when there is no such row. */
  read(db: Db, id: number): Promise<PresentObject | undefined>
  /** Makes the back end forget what it knows under a name. */
  remove(id: number, name: string): Promise<void>
  /**
   * Writes to the status of the object that the back end knows it, in one atomic update of its bits, and enqueues
   * whatever waited for that. Throws when the object was deleted meanwhile.
   */
  markReady(trx: Db, id: number): Promise<void>
  /** Writes to the status of a deleted object that the back end has forgotten it. Throws when it was restored. */
  markRemoved(trx: Db, id: number): Promise<void>
  /**
   * A statement that selects the `id` of objects whose status says that the back end has to be told still. The
   * hourly look-out enqueues those of them that have no job, so it must leave out what no job can settle.
   */
  readonly unsettled: RawBuilder<{ id: number }>
}
