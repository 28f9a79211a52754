import type { RawBuilder } from 'kysely'
import type { Db } from '../platform/db/database.ts'
import type { ObjectRef, ProvisionedKind } from '../platform/provision/object-ref.ts'

/** The current state of an object, and how to sync it to the back end. */
export interface PresentObject {
  /** Address, domain name or path by which the back end knows the object; unique in the installation. */
  readonly name: string
  readonly isDeleted: boolean
  /** The object is deleted and its status says that it was removed from the back end. */
  readonly isRemoved: boolean
  /** Whether to provision the object. False for objects that never are, such as technical accounts. */
  readonly isWanted: boolean
  /** The status says that the back end has the object; for objects older than their provisioning record. */
  readonly isKnown: boolean
  /** The status already has everything that `markReady` would set. */
  readonly isReady: boolean
  /** What must be ready before the object can be created in the back end. */
  readonly waitsFor: ObjectRef | undefined
  /** `previous`: other names under which the back end may still know the object. */
  create(previous: readonly string[]): Promise<void>
  update(previous: readonly string[]): Promise<void>
}

/**
 * All that provisioning needs for one kind of object. To connect a kind, implement this, pass it to
 * `handleProvisioning` in `app.ts`, and call `provision` in the transaction of each change. See `reconcile.ts`
 * for how it is used.
 */
export interface ProvisioningAdapter {
  readonly kind: ProvisionedKind
  /** Reads the current object, including deleted ones; undefined if it has no row. */
  read(db: Db, id: number): Promise<PresentObject | undefined>
  /** Removes from the back end what it has under a name. */
  remove(id: number, name: string): Promise<void>
  /**
   * Marks the object as known to the back end in one atomic update of its status bits, and enqueues whatever
   * waited for that. Throws if the object was deleted meanwhile.
   */
  markReady(trx: Db, id: number): Promise<void>
  /** Marks a deleted object as removed from the back end. Throws if it was restored. */
  markRemoved(trx: Db, id: number): Promise<void>
  /**
   * A statement that selects the `id` of objects whose status says that they still need to be synced. The hourly
   * scan enqueues those without a job, so it must leave out what no job can settle.
   */
  readonly unsettled: RawBuilder<{ id: number }>
}
