import type { ObjectState } from '@gatehouse/contract/directory/directory'
import type { FolderType } from '@gatehouse/contract/directory/folders'
import type { DirectoryKind } from '@gatehouse/contract/directory/kinds'
import { groupStatus, hasBit, mailboxStatus } from '@gatehouse/contract/status'
import type { OwnedObject } from '../../users/policy.ts'

export type { DirectoryKind } from '@gatehouse/contract/directory/kinds'

/** A distribution list, resource or shared folder as used by the policies. */
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
  /** Number of members of a list. */
  readonly members: number
  readonly senderPolicy: readonly string[]
  /** Only the list's members and the senders in the policy may send to it. */
  readonly membersMaySend: boolean
  /** `manual` without an address: the user who decided was deleted, so every invitation is accepted. */
  readonly invitationPolicy: 'accept' | 'reject' | 'manual'
  readonly invitationOwner: string | null
  readonly folderType: FolderType | null
  readonly hasLmtpAlias: boolean
  /** Additional addresses of a folder, without the one derived from its name. */
  readonly aliases: readonly string[]
  /** Owner of the wallet and its other controllers. */
  readonly ownerId: number
  /** Status bits of the owner. */
  readonly ownerStatus: number
  readonly controllerIds: readonly number[]
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly deletedAt: Date | null
}

/** Returns the properties of an object that the policies need. */
export function ownedObject(object: DirectoryObject): OwnedObject {
  return { tenantId: object.tenantId, ownerId: object.ownerId, controllerIds: object.controllerIds }
}

/** What identifies a deleted or restored user or object in the directory of its account. */
export interface Departure {
  readonly walletId: string
  readonly tenantId: number
  readonly addresses: readonly string[]
  /** Set for users, who may have folder rights and decide on invitations. */
  readonly userId?: number
}

export function departureOf({ walletId, tenantId, email, aliases }: DirectoryObject): Departure {
  return { walletId, tenantId, addresses: [email, ...aliases] }
}

/** Status bits of an object whose set-up is complete, by kind. */
function readyBits(kind: DirectoryKind, withLdap: boolean): number {
  if (kind === 'group') return groupStatus.active | (withLdap ? groupStatus.ldapReady : 0)
  return mailboxStatus.active | mailboxStatus.imapReady | (withLdap ? mailboxStatus.ldapReady : 0)
}

type Stated = Pick<DirectoryObject, 'kind' | 'status' | 'deletedAt'>

/** Returns the state flags of a list; reference api-objects §3. */
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

/** Returns the state flags of a resource or shared folder; reference api-objects §3. */
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

/** Returns the state flags of an object of any kind. */
export function objectFlags(object: Stated, withLdap: boolean) {
  return object.kind === 'group' ? groupFlags(object, withLdap) : mailboxFlags(object, withLdap)
}

/**
 * Returns the status bits by which a list is filtered: those that must be set, those that must not, or one
 * that is missing.
 */
export function stateBits(
  kind: DirectoryKind,
  state: Exclude<ObjectState, 'deleted'>,
  withLdap: boolean,
): { readonly all: number; readonly none: number; readonly notAll: number } {
  const ready = readyBits(kind, withLdap)
  // a bit that a kind does not use is never set, so no resource or folder is ever suspended
  const suspended = groupStatus.suspended
  if (state === 'active') return { all: ready, none: suspended, notAll: 0 }
  if (state === 'suspended') return { all: suspended, none: 0, notAll: 0 }
  return { all: 0, none: 0, notAll: ready }
}
