import type { BatchState, BulkPrice, RowState } from '@gatehouse/contract/directory/bulk'
import type { Language } from '@gatehouse/contract/language'
import type { Actor } from '../platform/audit.ts'
import type { Message } from '../platform/http/errors.ts'

/** Who started a batch and from where; its actions are logged with this. */
export interface BatchActor {
  readonly userId: number
  readonly email: string
  readonly ip: string
  /** The API key that was used. */
  readonly key?: { readonly name: string; readonly isAccount: boolean }
}

/** Returns who acts, for the audit log. */
export function actorOfBatch({ userId, email, ip, key }: BatchActor): Actor {
  if (key?.isAccount === true) return { ip, apiKey: key.name }
  return { userId, email, ip, ...(key && { apiKey: key.name }) }
}

/** A bulk operation on objects of one account. */
export interface Batch {
  readonly id: string
  readonly tenantId: number
  /** The account's wallet. */
  readonly walletId: string
  readonly creatorId: number
  readonly creatorEmail: string | null
  readonly actor: BatchActor | null
  readonly language: Language
  readonly kind: 'bulk' | 'import' | 'plan'
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

/** A message about a row, and its field or column. */
export interface RowMessage extends Message {
  readonly field?: string
}

/** A row to be inserted. */
export interface NewRow {
  readonly n: number
  readonly label: string
  readonly input?: Readonly<Record<string, unknown>>
  /** Encrypted. */
  readonly secret?: Buffer
  readonly state: 'open' | 'ok' | 'refused'
  readonly messages?: readonly RowMessage[]
  readonly objectId?: number
}

/** A row to be processed. */
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

/** Result of a row. */
export interface RowOutcome {
  readonly n: number
  readonly state: RowState
  readonly messages?: readonly RowMessage[]
  readonly objectId?: number
}
