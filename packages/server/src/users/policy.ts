import type { ObjectRights } from '@gatehouse/contract/directory/directory'
import type { UserRights } from '@gatehouse/contract/directory/users'
import { hasBit, userStatus } from '@gatehouse/contract/status'
import type { Person, Principal } from '../platform/http/callers/principal.ts'
import { borrowedCaller } from '../platform/http/policy.ts'

/** What the permissions on an object depend on. */
export interface OwnedObject {
  readonly tenantId: number
  /** Set if the object is a user. */
  readonly userId?: number
  readonly role?: string | null
  /** Owner of the wallet the object is billed to. */
  readonly ownerId: number | null
  /** Other users who control that wallet. */
  readonly controllerIds: readonly number[]
}

/** Objects are visible to their own tenant, and to admins on their own host. */
export function sees(principal: Person, object: OwnedObject): boolean {
  return principal.role === 'admin' || principal.tenantId === object.tenantId
}

/**
 * Users may read themselves and the accounts they control; staff may read what they manage, on their own host.
 */
export function canRead(principal: Person, object: OwnedObject): boolean {
  return (
    principal.role === 'admin' ||
    object.userId === principal.userId ||
    isStaffFor(principal, object) ||
    isController(principal.userId, object)
  )
}

/**
 * Objects may be deleted by their account's owner and other controllers, who may not delete the owner. Staff
 * can't be deleted or changed by other users, even as members of the account: access to a colleague's account
 * would let one person give both approvals.
 */
export function canDelete(principal: Person, object: OwnedObject): boolean {
  if (isOtherStaff(principal, object)) return false
  if (object.ownerId === principal.userId) return true
  return isController(principal.userId, object) && object.userId !== object.ownerId
}

/** Lists offer to delete other users only; one's own account is deleted on its own page. */
export function canDeleteFromList(principal: Person, user: OwnedObject): boolean {
  return canDelete(principal, user) && user.userId !== principal.userId
}

/** Deleted objects may be restored by those who could delete them. */
export function canRestore(principal: Person, object: OwnedObject): boolean {
  return canDelete(principal, object)
}

/** Users may change themselves and what they may delete. Staff have separate actions instead. */
export function canUpdate(principal: Person, object: OwnedObject): boolean {
  return object.userId === principal.userId || canDelete(principal, object)
}

/** Controllers of an account are its owner and the users given control of it. */
export function isController(userId: number, object: OwnedObject): boolean {
  return object.ownerId === userId || object.controllerIds.includes(userId)
}

/** Users may be created by controllers of the account they will belong to. */
export function canCreateUsers(principal: Person, account: OwnedObject): boolean {
  return isController(principal.userId, account)
}

/** Domains may be added by controllers of an account that has a domain or whose plan includes one. */
export function canCreateDomains(principal: Person, account: OwnedObject, isOffered: boolean): boolean {
  return isOffered && isController(principal.userId, account)
}

/** An account that must pay first may only remove subscriptions, not buy any. */
export function mayBuy(accountStatus: number): boolean {
  return !hasBit(accountStatus, userStatus.degraded)
}

/** An object's events are shown to its account's controllers. Staff have a separate log. */
export function canReadEvents(principal: Person, object: OwnedObject): boolean {
  return isController(principal.userId, object)
}

/** Aliases affect the account's reputation, so they need permission to delete the user. */
export function canEditAliases(principal: Person, object: OwnedObject): boolean {
  return canDelete(principal, object)
}

/** Subscriptions cost the account money, so they need permission to delete the user. */
export function canEditSubscriptions(principal: Person, object: OwnedObject, isOffered: boolean): boolean {
  return isOffered && canDelete(principal, object)
}

/** A user's sessions may be ended by the user, and by those who may delete the user. */
export function canSignOut(principal: Person, object: OwnedObject): boolean {
  return object.userId === principal.userId || canDelete(principal, object)
}

/** Controllers may suspend and unsuspend the account's users, except the owner and themselves. */
export function canSuspend(principal: Person, user: OwnedObject): boolean {
  return canDelete(principal, user) && user.userId !== principal.userId && user.userId !== user.ownerId
}

/** Password links may only be sent to other users; one's own password is changed directly. */
export function canSendPasswordLink(principal: Person, user: OwnedObject): boolean {
  return canDelete(principal, user) && user.userId !== principal.userId
}

/** A user's service settings need permission to delete the user. */
export function canConfigure(principal: Person, object: OwnedObject): boolean {
  return canDelete(principal, object)
}

/** Users choose the senders that their own mailbox always accepts; controllers help them. */
export function canChooseSenders(principal: Person, object: OwnedObject): boolean {
  return principal.userId === object.userId || canConfigure(principal, object)
}

/** Users decide what happens to their own incoming mail; controllers help them. */
export function canFilterMail(principal: Person, object: OwnedObject): boolean {
  return canChooseSenders(principal, object)
}

/** Users bring their old mail along; controllers help them. */
export function canImportMail(principal: Person, object: OwnedObject): boolean {
  return canFilterMail(principal, object)
}

/** An account's policies may be set by its controllers. */
export function canSetPolicies(principal: Person, account: OwnedObject): boolean {
  return isController(principal.userId, account)
}

/** An account's money may be moved by its controllers: payments, auto-payment. */
export function canPay(principal: Person, account: OwnedObject): boolean {
  return isController(principal.userId, account)
}

/**
 * Control of an account may be given and revoked by its controllers, except the owner's; everyone may give up
 * their own.
 */
export function canShareControl(principal: Person, account: OwnedObject): boolean {
  return isController(principal.userId, account)
}

/** Only the owner may transfer an account. */
export function canHandOver(principal: Person, account: OwnedObject): boolean {
  return account.ownerId === principal.userId
}

/** Policies are stored on the owner, for whom other controllers may set nothing else. */
export function canConfigureSomething(principal: Person, user: OwnedObject): boolean {
  const isOwner = user.userId === user.ownerId
  return canConfigure(principal, user) || (isOwner && canSetPolicies(principal, user))
}

/**
 * Passwords, external addresses and sign-in access may be changed by users, but not by impersonating staff or
 * applications: they must not leave lasting access behind.
 */
export function mayChangeAccess(principal: Parameters<typeof borrowedCaller>[0]): boolean {
  return borrowedCaller(principal) === undefined
}

/**
 * Whether an input has a key that affects who can sign in. Those need `mayChangeAccess` and step-up
 * authentication.
 */
export function namesAccess(fields: AccessFields, refused?: ReadonlySet<string>): boolean {
  return accessKeys.some((key) => fields[key] !== undefined || refused?.has(key))
}

/** The same for a new user: an empty key gives no access. */
export function givesAccess(fields: AccessFields, refused?: ReadonlySet<string>): boolean {
  return accessKeys.some((key) => fields[key] != null || refused?.has(key))
}

type AccessFields = Readonly<Partial<Record<(typeof accessKeys)[number], unknown>>>

const accessKeys = [
  'password',
  'passwordLinkCode',
  'external_email',
  'password_policy',
  'max_password_age',
  'limit_geo',
  'staff_access_policy',
  'second_factor_policy',
] as const

/** Delegations may be managed by the user, and by those who may delete the user. */
export function canDelegate(principal: Person, user: OwnedObject): boolean {
  return user.userId === principal.userId || canDelete(principal, user)
}

/** Permissions on a user, as flags in the API. */
export function userRights(
  principal: Principal,
  object: OwnedObject,
  withSubscriptions: boolean,
): UserRights {
  const isOwnCall = mayChangeAccess(principal)
  return {
    canUpdate: canUpdate(principal, object),
    canChangeAccess: isOwnCall && canUpdate(principal, object),
    canDelete: isOwnCall && canDelete(principal, object),
    canEditAliases: canEditAliases(principal, object),
    canEditSubscriptions: canEditSubscriptions(principal, object, withSubscriptions),
    canConfigure: canConfigure(principal, object),
    canDelegate: isOwnCall && canDelegate(principal, object),
    canSignOut: isOwnCall && canSignOut(principal, object),
    canReadEvents: canReadEvents(principal, object),
  }
}

/** Permissions on a domain, list, resource or folder, as flags in the API. */
export function objectRights(principal: Person, object: OwnedObject): ObjectRights {
  return {
    canUpdate: canUpdate(principal, object),
    canDelete: canDelete(principal, object),
    canConfigure: canConfigure(principal, object),
    canReadEvents: canReadEvents(principal, object),
  }
}

function isOtherStaff(principal: Person, object: OwnedObject): boolean {
  const isStaff = object.role === 'admin' || object.role === 'reseller'
  return object.userId !== undefined && object.userId !== principal.userId && isStaff
}

function isStaffFor(principal: Person, object: OwnedObject): boolean {
  return principal.role === 'reseller' && principal.tenantId === object.tenantId && object.role !== 'admin'
}
