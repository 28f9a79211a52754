import type { ObjectState } from '@gatehouse/contract/directory/directory'
import type { FolderType } from '@gatehouse/contract/directory/folders'
import type { DirectoryKind } from '@gatehouse/contract/directory/kinds'
import { groupStatus, hasBit, mailboxStatus } from '@gatehouse/contract/status'
import type { OwnedObject } from '../../users/policy.ts'

export type { DirectoryKind } from '@gatehouse/contract/directory/kinds'

/** A distribution list, resource or shared folder as the rules see it. */
export interface DirectoryObject {
  readonly id: number
  readonly kind: DirectoryKind
  readonly tenantId: number
  /** The wallet that pays for it. */
  readonly walletId: string
  readonly domain: string
  readonly email: string
  readonly name: string
  readonly status: number
  /** How many members a list has. */
  readonly members: number
  readonly senderPolicy: readonly string[]
  /** The members of a list may send besides those of the policy, and no one else. */
  readonly membersMaySend: boolean
  /** `manual` without an address: who decided by hand is gone, so every invitation is accepted. */
  readonly invitationPolicy: 'accept' | 'reject' | 'manual'
  readonly invitationOwner: string | null
  readonly folderType: FolderType | null
  readonly hasLmtpAlias: boolean
  /** Further addresses of a folder, without the one for mail that is put into it by name. */
  readonly aliases: readonly string[]
  /** Owner of the wallet, and who else controls it. */
  readonly ownerId: number
  /** Status bits of the owner. */
  readonly ownerStatus: number
  readonly controllerIds: readonly number[]
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly deletedAt: Date | null
}

/** What the policies need to know of an object. */
export function ownedObject(object: DirectoryObject): OwnedObject {
  return { tenantId: object.tenantId, ownerId: object.ownerId, controllerIds: object.controllerIds }
}

/** What the directory of an account knows somebody or something by who comes or goes. */
export interface Departure {
  readonly walletId: string
  readonly tenantId: number
  readonly addresses: readonly string[]
  /** Set when it is a user, who may have rights in folders and decide on invitations. */
  readonly userId?: number
}

export function departureOf({ walletId, tenantId, email, aliases }: DirectoryObject): Departure {
  return { walletId, tenantId, addresses: [email, ...aliases] }
}

/** What makes each kind ready. */
function readyBits(kind: DirectoryKind, withLdap: boolean): number {
  if (kind === 'group') return groupStatus.active | (withLdap ? groupStatus.ldapReady : 0)
  return mailboxStatus.active | mailboxStatus.imapReady | (withLdap ? mailboxStatus.ldapReady : 0)
}

type Stated = Pick<DirectoryObject, 'kind' | 'status' | 'deletedAt'>

/** The flags of a list's state; reference api-objects §3. */
export function groupFlags(object: Stated, withLdap: boolean) {
  const has = (bit: number) => hasBit(object.status, bit)
  return {
    isActive: has(groupStatus.active),
    isSuspended: has(groupStatus.suspended),
    isDeleted: has(groupStatus.deleted) || object.deletedAt !== null,
    ...(withLdap && { isLdapReady: has(groupStatus.ldapReady) }),
    isReady: has(readyBits('group', withLdap)),
  }
}

/** The flags of the state of a resource or shared folder; reference api-objects §3. */
export function mailboxFlags(object: Stated, withLdap: boolean) {
  const has = (bit: number) => hasBit(object.status, bit)
  return {
    isActive: has(mailboxStatus.active),
    isDeleted: has(mailboxStatus.deleted) || object.deletedAt !== null,
    isImapReady: has(mailboxStatus.imapReady),
    ...(withLdap && { isLdapReady: has(mailboxStatus.ldapReady) }),
    isReady: has(readyBits(object.kind, withLdap)),
  }
}

/** The flags of the state of an object of any kind. */
export function objectFlags(object: Stated, withLdap: boolean) {
  return object.kind === 'group' ? groupFlags(object, withLdap) : mailboxFlags(object, withLdap)
}

/** How a list is filtered by state: the bits that must be there and those that must not, or one that is missing. */
export function stateBits(
  kind: DirectoryKind,
  state: Exclude<ObjectState, 'deleted'>,
  withLdap: boolean,
): { readonly all: number; readonly none: number; readonly notAll: number } {
  const ready = readyBits(kind, withLdap)
  // a bit that the kind does not know is never set, so nothing is suspended among resources and folders
  const suspended = groupStatus.suspended
  if (state === 'active') return { all: ready, none: suspended, notAll: 0 }
  if (state === 'suspended') return { all: suspended, none: 0, notAll: 0 }
  return { all: 0, none: 0, notAll: ready }
}
