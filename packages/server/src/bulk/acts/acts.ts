import type { BulkAction } from '@gatehouse/contract/directory/bulk'
import type { Language } from '@gatehouse/contract/language'
import type { Actor } from '../../platform/audit.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Person } from '../../platform/http/callers/principal.ts'
import type { Unit } from '../../subscriptions/entitlement-store.ts'
import type { Batch, RowMessage } from '../batch.ts'

/** Caller, language and parameters of a bulk action. */
export interface ActRequest {
  readonly person: Person
  readonly language: Language
  readonly params: ActParams
}

/** Parameters of an action besides the objects. */
export interface ActParams {
  readonly package?: string
  /** ID of a distribution list. */
  readonly group?: number
}

/** An object, and the effect of an action on it. */
export interface PlannedObject {
  readonly id: number
  /** Address or name; the ID for callers who may not see that. */
  readonly label: string
  /** The account that the object is billed to; undefined if the caller may not act in it. */
  readonly walletId?: string
  /** Why it would be rejected. */
  readonly problems?: readonly RowMessage[]
  readonly removed?: readonly Unit[]
  /** Cents per month of each added unit. */
  readonly added?: readonly number[]
}

/** Applies an action to one object, after checking permissions and rules. Throws HttpError. */
export type ObjectWorker = (id: number) => Promise<void>

/** A bulk action on objects of one kind. */
export interface Act {
  /** Validates the parameters. Throws ValidationError, NotFound, Forbidden. */
  checkParams?(db: Db, tenantId: number, request: ActRequest): Promise<void>
  /** Previews the action according to its own rules; missing objects are omitted. */
  plan(db: Db, request: ActRequest, ids: readonly number[]): Promise<PlannedObject[]>
  /** Returns the function that changes one object, in a transaction that holds the account's wallet. */
  begin(trx: Db, batch: Batch, person: Person, actor: Actor): Promise<ObjectWorker>
}

/** Bulk actions on one kind of objects. */
export interface ObjectActs {
  /** Objects that match the list's filter, up to `limit`. Throws ValidationError for an unknown filter. */
  matching(db: Db, readerId: number, filter: ListFilter, limit: number): Promise<number[]>
  readonly acts: Partial<Record<BulkAction, Act>>
}

export interface ListFilter {
  readonly search?: string | null | undefined
  readonly status?: string | null | undefined
}
