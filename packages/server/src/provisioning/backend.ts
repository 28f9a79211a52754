import type { DelegationOptions } from '@gatehouse/contract/directory/delegation'
import type { BackendFieldName } from '@gatehouse/contract/directory/user-fields'

/** The state of a user that a mail back end receives, always complete; personal fields as in `userFields`. */
export interface BackendUser extends Readonly<Record<BackendFieldName, string | null>> {
  readonly id: number
  readonly email: string
  /** Addresses under which the back end may still know the user; their data moves with the user. */
  readonly previousEmails: readonly string[]
  readonly aliases: readonly string[]
  /** Mail storage in KiB; null if not set. */
  readonly quota: number | null
  readonly roles: readonly BackendRole[]
  /** Status bits, for back ends that use them to decide who may send. */
  readonly status: number
  /** As stored by the portal, for back ends that verify passwords themselves; null if not set. */
  readonly passwordHash: string | null
}

/** A mail domain; its name never changes. */
export interface BackendDomain {
  readonly id: number
  readonly namespace: string
  /** Status bits, for back ends that use them to decide whether to accept mail. */
  readonly status: number
}

/** A distribution list. */
export interface BackendGroup {
  readonly id: number
  readonly address: string
  readonly previousAddresses: readonly string[]
  readonly name: string
  readonly members: readonly string[]
  /** Addresses, domains and suffixes that may send to the list; if empty, everyone may. */
  readonly allowedSenders: readonly string[]
  /** Whether sending to the list is suspended. */
  readonly isSuspended: boolean
}

/** A meeting room or a piece of equipment that is booked by invitation. */
export interface BackendResource {
  readonly id: number
  readonly address: string
  /** `shared/Resources/<name>@<domain>` */
  readonly path: string
  /** Paths under which the back end may still know it; their contents move to `path`. */
  readonly previousPaths: readonly string[]
  readonly name: string
  readonly invitationPolicy: 'accept' | 'reject' | `manual:${string}`
  /** Addresses of the account's users, who may see when it is booked; empty unless `needsMembers`. */
  readonly everyone: readonly string[]
}

/** A user's rights in a shared folder. */
export interface BackendAccess {
  /** `anyone` in the account, or the address of a user. */
  readonly identifier: string
  readonly right: 'read-only' | 'read-write' | 'full'
}

/** A folder that several users share. */
export interface BackendFolder {
  readonly id: number
  readonly address: string
  readonly type: 'mail' | 'event' | 'contact' | 'task' | 'note' | 'file'
  /** `shared/<name>@<domain>` */
  readonly path: string
  /** Paths under which the back end may still know it; their contents move to `path`. */
  readonly previousPaths: readonly string[]
  readonly name: string
  readonly acl: readonly BackendAccess[]
  /** Those whom `anyone` means: addresses of the account's users; empty unless `needsMembers`. */
  readonly everyone: readonly string[]
  readonly aliases: readonly string[]
}

/** A user's permissions in the groupware; reference api-objects §5.4. */
export type BackendRole = '2fa-user' | 'activesync-user' | 'degraded-user' | 'imap-user'

/** A delegate, the delegator and what is granted. */
export interface BackendDelegation {
  readonly delegator: Pick<BackendUser, 'id' | 'email'>
  readonly delegatee: Pick<BackendUser, 'id' | 'email'>
  readonly options: DelegationOptions
}

/** Storage of a user's mailbox, calendars and contacts in KiB. */
export interface StorageUse {
  readonly used: number
  /** Null if unlimited. */
  readonly limit: number | null
}

/**
 * The groupware behind the portal; reference api-objects §5. Every call sends the complete state and is
 * idempotent: creating an existing object updates it, updating under a new address or path moves what is at
 * the previous ones, deleting a missing object succeeds. Errors are thrown and the calling job retries.
 */
export interface GroupwareBackend {
  /**
   * Whether it knows users but not accounts. What everyone in an account may see is then synced for each user, and
   * again when the account gets another user.
   */
  readonly needsMembers: boolean
  createUser(user: BackendUser): Promise<void>
  updateUser(user: BackendUser): Promise<void>
  /** Creating the user again, by id and within the retention period, brings the data back. */
  deleteUser(user: Pick<BackendUser, 'id' | 'email'>): Promise<void>
  /** Deletes the data of users who were deleted before a moment, which is the end of their retention. */
  purgeUsers(before: Date): Promise<void>
  /** Returns how much a user stores and may store; undefined if that isn't known. */
  readUsage(user: Pick<BackendUser, 'id' | 'email'>): Promise<StorageUse | undefined>
  createDomain(domain: BackendDomain): Promise<void>
  updateDomain(domain: BackendDomain): Promise<void>
  deleteDomain(domain: Pick<BackendDomain, 'id' | 'namespace'>): Promise<void>
  createGroup(group: BackendGroup): Promise<void>
  updateGroup(group: BackendGroup): Promise<void>
  deleteGroup(group: Pick<BackendGroup, 'id' | 'address'>): Promise<void>
  createResource(resource: BackendResource): Promise<void>
  updateResource(resource: BackendResource): Promise<void>
  deleteResource(resource: Pick<BackendResource, 'id' | 'path'>): Promise<void>
  createFolder(folder: BackendFolder): Promise<void>
  updateFolder(folder: BackendFolder): Promise<void>
  deleteFolder(folder: Pick<BackendFolder, 'id' | 'path'>): Promise<void>
  /** Grants exactly this; access that the delegator granted directly is left alone. */
  createDelegation(delegation: BackendDelegation): Promise<void>
  updateDelegation(delegation: BackendDelegation): Promise<void>
  /** Revokes what was granted, but nothing that the delegator granted directly. */
  deleteDelegation(delegation: BackendDelegation): Promise<void>
}
