import type { FolderRight, FolderType } from '@gatehouse/contract/directory/folders'
import type { DirectoryKind, MailKind } from '@gatehouse/contract/directory/kinds'
import type { ColumnType, Generated } from 'kysely'
import type { Created } from './column-types.ts'

/** Kinds of objects that a back end is told about. */
export type ProvisionedKind = MailKind

/** How far work that goes on outside requests is. */
export type WorkState = 'waiting' | 'running' | 'failed' | 'done'

/** One step of making an object ready. */
export interface ProvisioningTable {
  kind: ProvisionedKind
  objectId: number
  /** `backend`: the back end is told of the object. Others are the ends of the labels of set-up steps: `verified`. */
  step: string
  state: WorkState
  /** Raised by every change of the object that the step has to look at. */
  revision: Generated<number>
  /** Tries that failed since the last success or change. */
  attempts: Generated<number>
  /** Of the last try, for staff only. */
  error: string | null
  /** The object, as `kind:id`, that has to be ready first. */
  waitsFor: string | null
  /** When the back end last took what it was told; null: it knows nothing of the object. */
  toldAt: Date | null
  triedAt: Date | null
}

/** Addresses and paths that a back end knows or may know, each with the one object that it is of. */
export interface ProvisioningNameTable {
  name: string
  kind: ProvisionedKind
  objectId: number
}

/** Distribution lists, resources and shared folders. */
export interface DirectoryObjectTable {
  id: number
  kind: DirectoryKind
  tenantId: number
  walletId: string
  /** Name of the domain that the object belongs to. */
  domain: string
  email: string
  name: string
  sortName: ColumnType<string, never, never>
  /** What a search looks through, in lower case; kept by the database, see `users/schema.sql`. */
  searchText: Generated<string>
  status: number
  /** Members of a list that mail is sent to; kept by the database. */
  members: ColumnType<number, never, never>
  /** Of a list: addresses, domains and suffixes; empty: everybody. */
  senderPolicy: Generated<string[]>
  /** Of a resource. */
  invitationPolicy: Generated<'accept' | 'reject' | 'manual'>
  invitationOwnerId: number | null
  folderType: FolderType | null
  /** The folder has the alias by which mail is put into it by name. */
  hasLmtpAlias: Generated<boolean>
  /** Raised by the database with every change; see `users/schema.sql`. */
  revision: Generated<number>
  createdAt: Created
  updatedAt: Date
  deletedAt: Date | null
}

export interface GroupMemberTable {
  groupId: number
  address: string
  /** The object of the address was deleted then; null: mail is sent to it. */
  withdrawnAt: Date | null
}

export interface FolderAclTable {
  folderId: number
  /** 0: anyone. */
  userId: number
  right: FolderRight
}
