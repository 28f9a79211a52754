import type { ColumnType, Generated } from 'kysely'
import type { Created } from './column-types.ts'

/** Keys that wrap the keys of pieces. */
export interface FileKeyTable {
  id: string
  sealed: Buffer
  created_at: Created
  /** Null: new pieces are wrapped with it. */
  retired_at: Date | null
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
  created_at: Created
  doomed_at: Date | null
}

export interface FileChunkTable {
  /** Name of the object in the store. */
  id: string
  content_id: string
  /** `writing`: the object may be there or not; `dead`: its writer died, and it is being deleted. */
  state: 'writing' | 'stored' | 'dead'
  /** Bytes of the content before it. */
  position: number
  size: Generated<number>
  key_id: string
  wrapped_key: Buffer
  created_at: Created
}

export interface FileItemTable {
  id: string
  tenant_id: number
  owner_id: number
  type: 'file' | 'collection'
  name: string
  sort_name: ColumnType<string, never, never>
  version_id: string | null
  size: Generated<number>
  mimetype: string | null
  /** When the content last changed, as who sent it says. */
  changed_at: Date
  created_by: number | null
  created_at: Created
  updated_at: Date
  deleted_at: Date | null
  deleted_by: number | null
  /** The item with which it was deleted; its own id for what lies in the trash by itself. */
  deletion_id: string | null
}

export interface FileRelationTable {
  parent_id: string
  child_id: string
}

export interface FilePropertyTable {
  item_id: string
  key: string
  value: string
}

export interface FileVersionTable {
  id: string
  item_id: string
  content_id: string
  owner_id: number
  number: number
  size: number
  changed_at: Date
  created_by: number | null
  created_at: Created
  /** Null: it is the present one. */
  replaced_at: Date | null
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
  secret_hash: Buffer
  user_id: number
  session_id: string | null
  owner_id: number
  tenant_id: number
  content_id: string
  item_id: string | null
  parents: string[]
  name: string
  facts: ColumnType<UploadFacts, string, string>
  /** Null: not known before the end. */
  size: number | null
  received: Generated<number>
  epoch: Generated<number>
  created_at: Created
  expires_at: Date
  finished_item_id: string | null
}

export interface FileShareTable {
  id: string
  item_id: string
  address: string
  rights: 'read-only' | 'read-write'
  created_by: number | null
  created_at: Created
}

export interface FileLinkTable {
  id: string
  item_id: string
  token_hash: Buffer
  password_hash: string | null
  expires_at: Date | null
  max_downloads: number | null
  downloads: Generated<number>
  created_by: number | null
  created_at: Created
  last_used_at: Date | null
}

export interface FileTicketTable {
  hash: Buffer
  /** `visit`: shows that somebody opened a link. */
  kind: 'download' | 'preview' | 'visit'
  user_id: number | null
  session_id: string | null
  link_id: string | null
  item_ids: string[]
  version_id: string | null
  name: string
  expires_at: Date
  begun_at: Date | null
  begun_ip: string | null
  created_at: Created
}

export interface FileThumbnailTable {
  content_id: string
  side: number
  key_id: string | null
  sealed: Buffer | null
  created_at: Created
}

export interface FileUsageTable {
  user_id: number
  bytes: Generated<number>
}
