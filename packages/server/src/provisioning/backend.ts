import type { DelegationOptions } from '@gatehouse/contract/directory/delegation'
import type { BackendFieldName } from '@gatehouse/contract/directory/user-fields'

/** What a mail back end is told of a user: always the whole present state; personal fields as their list has them. */
export interface BackendUser extends Readonly<Record<BackendFieldName, string | null>> {
  readonly id: number
  readonly email: string
  /** Addresses under which the back end may know the user still; whatever lies there goes with the user. */
  readonly previousEmails: readonly string[]
  readonly aliases: readonly string[]
  /** Mail storage in KiB; null: none is set. */
  readonly quota: number | null
  readonly roles: readonly BackendRole[]
  /** Status bits, for back ends that decide by them who may send. */
  readonly status: number
  /** As the portal keeps it, for back ends that verify passwords themselves; null: none is set. */
  readonly passwordHash: string | null
}

/** A mail domain; its name never changes. */
export interface BackendDomain {
  readonly id: number
  readonly namespace: string
  /** Status bits, for back ends that decide by them whether mail is taken. */
  readonly status: number
}

/** A distribution list. */
export interface BackendGroup {
  readonly id: number
  readonly address: string
  readonly previousAddresses: readonly string[]
  readonly name: string
  readonly members: readonly string[]
  /** Addresses, domains and suffixes that may send to the list; empty: everybody may. */
  readonly allowedSenders: readonly string[]
  /** Nobody may send to it for now. */
  readonly isSuspended: boolean
}

/** A room or a thing that is booked by invitation. */
export interface BackendResource {
  readonly id: number
  readonly address: string
  /** `shared/Resources/<name>@<domain>` */
  readonly path: string
  /** Paths under which the back end may know it still; what is there moves to `path`. */
  readonly previousPaths: readonly string[]
  readonly name: string
  readonly invitationPolicy: 'accept' | 'reject' | `manual:${string}`
}

/** Who may do what in a shared folder. */
export interface BackendAccess {
  /** `anyone`, or the address of a user. */
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
  /** Paths under which the back end may know it still; what is there moves to `path`. */
  readonly previousPaths: readonly string[]
  readonly name: string
  readonly acl: readonly BackendAccess[]
  readonly aliases: readonly string[]
}

/** What a user may do in the groupware; reference api-objects §5.4. */
export type BackendRole = '2fa-user' | 'activesync-user' | 'degraded-user' | 'imap-user'

/** Who acts for whom, and with what. */
export interface BackendDelegation {
  readonly delegator: Pick<BackendUser, 'id' | 'email'>
  readonly delegatee: Pick<BackendUser, 'id' | 'email'>
  readonly options: DelegationOptions
}

/**
 * The groupware behind the portal; reference api-objects §5. Every call tells the whole present state, may be
 * repeated after a failure and must end in the same state: creating what exists updates it, updating under a new
 * address or path moves what lies at the previous ones, deleting what is gone is a success. Errors are thrown;
 * the job that called tries again.
 */
export interface GroupwareBackend {
  createUser(user: BackendUser): Promise<void>
  updateUser(user: BackendUser): Promise<void>
  deleteUser(user: Pick<BackendUser, 'id' | 'email'>): Promise<void>
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
  /** Grants exactly this; access that the delegator gave by hand is not touched. */
  createDelegation(delegation: BackendDelegation): Promise<void>
  updateDelegation(delegation: BackendDelegation): Promise<void>
  /** Takes back what was granted, and nothing that the delegator gave by hand. */
  deleteDelegation(delegation: BackendDelegation): Promise<void>
}
