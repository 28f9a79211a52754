import type { BatchState, BulkPrice, RowState } from '@gatehouse/contract/directory/bulk'
import type { Language } from '@gatehouse/contract/language'
import type { Message } from '../platform/http/errors.ts'

/** Who started a batch and from where: what it does is done in that name. */
export interface BatchActor {
  readonly userId: number
  readonly email: string
  readonly ip: string
}

/** Work on many objects of one account. */
export interface Batch {
  readonly id: string
  readonly tenantId: number
  /** The account. */
  readonly walletId: string
  readonly creatorId: number
  readonly creatorEmail: string | null
  readonly actor: BatchActor | null
  readonly language: Language
  readonly kind: 'bulk' | 'import'
  readonly objects: string
  readonly action: string
  readonly params: Readonly<Record<string, unknown>>
  readonly state: BatchState
  readonly total: number
  readonly price: BulkPrice | null
  readonly createdAt: Date
  readonly startedAt: Date | null
  readonly endedAt: Date | null
}

/** A sentence about a row, and the field or column that it is about. */
export interface RowMessage extends Message {
  readonly field?: string
}

/** A row that is yet to be written. */
export interface NewRow {
  readonly n: number
  readonly label: string
  readonly input?: Readonly<Record<string, unknown>>
  /** Sealed. */
  readonly secret?: Buffer
  readonly state: 'open' | 'ok' | 'refused'
  readonly messages?: readonly RowMessage[]
  readonly objectId?: number
}

/** A row that there is to be work on. */
export interface WaitingRow {
  readonly n: number
  readonly label: string
  readonly input: Readonly<Record<string, unknown>>
  readonly secret: Buffer | null
  readonly objectId: number | null
}

export interface StoredRow {
  readonly n: number
  readonly label: string
  readonly state: RowState
  readonly messages: readonly RowMessage[]
  readonly objectId: number | null
}

/** What became of a row. */
export interface RowOutcome {
  readonly n: number
  readonly state: RowState
  readonly messages?: readonly RowMessage[]
  readonly objectId?: number
}
