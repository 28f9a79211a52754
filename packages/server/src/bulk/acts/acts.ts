import type { BulkAction } from '@gatehouse/contract/directory/bulk'
import type { Language } from '@gatehouse/contract/language'
import type { Db } from '../../platform/db/database.ts'
import type { Person } from '../../platform/http/callers/principal.ts'
import type { Unit } from '../../subscriptions/entitlement-store.ts'
import type { Batch, BatchActor, RowMessage } from '../batch.ts'

/** Who does something to many objects, in which language, with what beside the objects. */
export interface ActRequest {
  readonly person: Person
  readonly language: Language
  readonly params: ActParams
}

/** What an act needs to know beside the objects. */
export interface ActParams {
  readonly package?: string
  /** Number of a distribution list. */
  readonly group?: number
}

/** One object, and what an act would do to it. */
export interface PlannedObject {
  readonly id: number
  /** Address or name; the number for who may not know it. */
  readonly label: string
  /** The account that the object is billed to; undefined: none that the person may act in. */
  readonly walletId?: string
  /** Why it would not be done. */
  readonly problems?: readonly RowMessage[]
  readonly removed?: readonly Unit[]
  /** Cents a month of each unit that comes. */
  readonly added?: readonly number[]
}

/** Something that is done to one object, with its rights and rules looked at. Throws HttpError. */
export type ObjectWorker = (id: number) => Promise<void>

/** One act on many objects of a kind. */
export interface Act {
  /** Checks what the act needs beside the objects. Throws ValidationError, NotFound, Forbidden. */
  checkParams?(db: Db, tenantId: number, request: ActRequest): Promise<void>
  /** Foretells by the rules of the act itself; objects that are not there are left out. */
  plan(db: Db, request: ActRequest, ids: readonly number[]): Promise<PlannedObject[]>
  /** Says how an object is changed, in a transaction that holds the account's wallet. */
  begin(trx: Db, batch: Batch, person: Person, actor: BatchActor): Promise<ObjectWorker>
}

/** What can be done to many objects of one kind. */
export interface ObjectActs {
  /** Objects that the list would show, `limit` at most. Throws ValidationError for a filter that it has not. */
  matching(db: Db, readerId: number, filter: ListFilter, limit: number): Promise<number[]>
  readonly acts: Partial<Record<BulkAction, Act>>
}

export interface ListFilter {
  readonly search?: string | null | undefined
  readonly status?: string | null | undefined
}
