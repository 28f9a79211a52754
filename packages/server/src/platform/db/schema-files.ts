import type { ColumnType, Generated } from 'kysely'
import type { Created } from './column-types.ts'

/** Keys that wrap the keys of pieces. */
export interface FileKeyTable {
  id: string
  sealed: Buffer
  createdAt: Created
  /** Null: new pieces are wrapped with it. */
  retiredAt: Date | null
}

export type ScanState = 'off' | 'waiting' | 'clean' | 'infected'

export interface FileContentTable {
  id: string
  /** `doomed`: nobody needs it; its objects are being deleted. */
  state: 'open' | 'complete' | 'doomed'
  size: Generated<number>
  sha256: Buffer | null
  mimetype: string
  scan: Generated<ScanState>
  createdAt: Created
  doomedAt: Date | null
}

export interface FileChunkTable {
  /** Name of the object in the store. */
  id: string
  contentId: string
  /** `writing`: the object may be there or not; `dead`: its writer died, and it is being deleted. */
  state: 'writing' | 'stored' | 'dead'
  /** Bytes of the content before it. */
  position: number
  size: Generated<number>
  keyId: string
  wrappedKey: Buffer
  createdAt: Created
}

export interface FileItemTable {
  id: string
  tenantId: number
  ownerId: number
  type: 'file' | 'collection'
  name: string
  sortName: ColumnType<string, never, never>
  versionId: string | null
  size: Generated<number>
  mimetype: string | null
  /** When the content last changed, as who sent it says. */
  changedAt: Date
  createdBy: number | null
  createdAt: Created
  updatedAt: Date
  deletedAt: Date | null
  deletedBy: number | null
  /** The item with which it was deleted; its own id for what lies in the trash by itself. */
  deletionId: string | null
}

export interface FileRelationTable {
  parentId: string
  childId: string
}

export interface FilePropertyTable {
  itemId: string
  key: string
  value: string
}

export interface FileVersionTable {
  id: string
  itemId: string
  contentId: string
  ownerId: number
  number: number
  size: number
  changedAt: Date
  createdBy: number | null
  createdAt: Created
  /** Null: it is the present one. */
  replacedAt: Date | null
}

/** What the sender of an upload said about it. */
export interface UploadFacts {
  readonly mimetype?: string
  /** Unix seconds. */
  readonly mtime?: number
  /** Hexadecimal. */
  readonly sha256?: string
  readonly conflict?: 'keep' | 'rename' | 'fail' | 'replace'
  readonly properties?: Readonly<Record<string, string>>
  /** An own item that is used instead of a new one. */
  readonly reuse?: string
  /** Content that a change must find; else somebody was faster. */
  readonly ifMatch?: string
  readonly actor: { readonly userId?: number; readonly email?: string; readonly ip?: string }
}

export interface FileUploadTable {
  id: string
  secretHash: Buffer
  userId: number
  sessionId: string | null
  ownerId: number
  tenantId: number
  contentId: string
  itemId: string | null
  parents: string[]
  name: string
  facts: ColumnType<UploadFacts, string, string>
  /** Null: not known before the end. */
  size: number | null
  received: Generated<number>
  epoch: Generated<number>
  createdAt: Created
  expiresAt: Date
  finishedItemId: string | null
}

export interface FileShareTable {
  id: string
  itemId: string
  address: string
  rights: 'read-only' | 'read-write'
  createdBy: number | null
  createdAt: Created
}

export interface FileLinkTable {
  id: string
  itemId: string
  tokenHash: Buffer
  passwordHash: string | null
  expiresAt: Date | null
  maxDownloads: number | null
  downloads: Generated<number>
  createdBy: number | null
  createdAt: Created
  lastUsedAt: Date | null
}

export interface FileTicketTable {
  hash: Buffer
  /** `visit`: shows that somebody opened a link. */
  kind: 'download' | 'preview' | 'visit'
  userId: number | null
  sessionId: string | null
  linkId: string | null
  itemIds: string[]
  versionId: string | null
  name: string
  expiresAt: Date
  begunAt: Date | null
  begunIp: string | null
  createdAt: Created
}

export interface FileThumbnailTable {
  contentId: string
  side: number
  keyId: string | null
  sealed: Buffer | null
  createdAt: Created
}

export interface FileUsageTable {
  userId: number
  bytes: Generated<number>
}
