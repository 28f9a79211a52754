import type { ObjectRights } from '@gatehouse/contract/directory/directory'
import type { UserRights } from '@gatehouse/contract/directory/users'
import { hasBit, userStatus } from '@gatehouse/contract/status'
import type { Person, Principal } from '../platform/http/callers/principal.ts'
import { borrowedCaller } from '../platform/http/policy.ts'

/** What the rights over an object depend on. */
export interface OwnedObject {
  readonly tenantId: number
  /** Set when the object is a user. */
  readonly userId?: number
  readonly role?: string | null
  /** Owner of the wallet that the object is billed to. */
  readonly ownerId: number | null
  /** Users who control that wallet beside its owner. */
  readonly controllerIds: readonly number[]
}

/** An object is visible to its own tenant, and to admins on their own host. */
export function sees(principal: Person, object: OwnedObject): boolean {
  return principal.role === 'admin' || principal.tenantId === object.tenantId
}

/** A user may read themselves and what is in an account that they control; staff read all they look after, on their own host. */
export function canRead(principal: Person, object: OwnedObject): boolean {
  return (
    principal.role === 'admin' ||
    object.userId === principal.userId ||
    isStaffFor(principal, object) ||
    isController(principal.userId, object)
  )
}

/**
 * An object is deleted by the owner of its account and by its other controllers, who do not delete the owner. A user who
 * is staff is nobody else's to delete or change, even as a member of the account: with a colleague's access one person
 * would approve what takes two.
 */
export function canDelete(principal: Person, object: OwnedObject): boolean {
  if (isOtherStaff(principal, object)) return false
  if (object.ownerId === principal.userId) return true
  return isController(principal.userId, object) && object.userId !== object.ownerId
}

/** A deleted object is brought back by who might delete it again. */
export function canRestore(principal: Person, object: OwnedObject): boolean {
  return canDelete(principal, object)
}

/** A user may change themselves and what they may delete. Staff change nothing this way, they have acts of their own. */
export function canUpdate(principal: Person, object: OwnedObject): boolean {
  return object.userId === principal.userId || canDelete(principal, object)
}

/** The owner of an account and the users given control of it are its controllers. */
export function isController(userId: number, object: OwnedObject): boolean {
  return object.ownerId === userId || object.controllerIds.includes(userId)
}

/** Users are created by who controls the account that they will belong to: its owner and further controllers. */
export function canCreateUsers(principal: Person, account: OwnedObject): boolean {
  return isController(principal.userId, account)
}

/** Domains are brought by who controls an account, if the account has a domain or its plan gives one. */
export function canCreateDomains(principal: Person, account: OwnedObject, isOffered: boolean): boolean {
  return isOffered && isController(principal.userId, account)
}

/** An account that has to pay first buys nothing more; what it has it may give back. */
export function mayBuy(accountStatus: number): boolean {
  return !hasBit(accountStatus, userStatus.degraded)
}

/** What happened to an object is shown to the controllers of its account. Staff have a log of their own. */
export function canReadEvents(principal: Person, object: OwnedObject): boolean {
  return isController(principal.userId, object)
}

/** Addresses beyond the first cost the account reputation and are given by who may also delete the user. */
export function canEditAliases(principal: Person, object: OwnedObject): boolean {
  return canDelete(principal, object)
}

/** Subscriptions cost the account money; they are changed by who may also delete the user. */
export function canEditSubscriptions(principal: Person, object: OwnedObject, isOffered: boolean): boolean {
  return isOffered && canDelete(principal, object)
}

/** Who is signed in as a user is ended by the user, and by who may also delete the user. */
export function canSignOut(principal: Person, object: OwnedObject): boolean {
  return object.userId === principal.userId || canDelete(principal, object)
}

/** An account suspends and resumes its other users, not its owner; nobody shuts themselves out. */
export function canSuspend(principal: Person, user: OwnedObject): boolean {
  return canDelete(principal, user) && user.userId !== principal.userId && user.userId !== user.ownerId
}

/** A link for a new password is mailed to another person; one's own password is changed without. */
export function canSendPasswordLink(principal: Person, user: OwnedObject): boolean {
  return canDelete(principal, user) && user.userId !== principal.userId
}

/** The settings that steer a user's services are set by who may also delete the user. */
export function canConfigure(principal: Person, object: OwnedObject): boolean {
  return canDelete(principal, object)
}

/** The policies of an account are set by who controls it. */
export function canSetPolicies(principal: Person, account: OwnedObject): boolean {
  return isController(principal.userId, account)
}

/** Money of an account is moved by who controls it: payments, auto-payment. */
export function canPay(principal: Person, account: OwnedObject): boolean {
  return isController(principal.userId, account)
}

/**
 * Control of an account is given and taken by who has it. Nobody takes it from the owner, and everybody may give up
 * their own.
 */
export function canShareControl(principal: Person, account: OwnedObject): boolean {
  return isController(principal.userId, account)
}

/** An account is handed over by its owner alone. */
export function canHandOver(principal: Person, account: OwnedObject): boolean {
  return account.ownerId === principal.userId
}

/** Policies lie on the owner's record, which other controllers may set nothing else of. */
export function canConfigureSomething(principal: Person, user: OwnedObject): boolean {
  const isOwner = user.userId === user.ownerId
  return canConfigure(principal, user) || (isOwner && canSetPolicies(principal, user))
}

/**
 * Passwords, where lost ones are sent, and who else can sign in are for the user, not for support staff or applications
 * in the user's name: they must not leave access behind.
 */
export function mayChangeAccess(principal: Pick<Principal, 'impersonation' | 'thirdParty'>): boolean {
  return borrowedCaller(principal) === undefined
}

/** Whether an input has a key that decides who can sign in. Callers need `mayChangeAccess` and a fresh proof for it. */
export function namesAccess(fields: AccessFields, refused?: ReadonlySet<string>): boolean {
  return accessKeys.some((key) => fields[key] !== undefined || refused?.has(key))
}

/** The same for a user who is created: an empty key gives nobody access. */
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

/** Who acts for a user is decided by the user, and by who may also delete the user. */
export function canDelegate(principal: Person, user: OwnedObject): boolean {
  return user.userId === principal.userId || canDelete(principal, user)
}

/** The rights over a user as flags of the wire. */
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

/** The rights over a domain, list, resource or folder as flags of the wire. */
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
