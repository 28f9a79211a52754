import type { StaffRights } from '@gatehouse/contract/staff/staff-views'
import type { Person } from '../platform/http/callers/principal.ts'
import { isController, type OwnedObject } from '../users/policy.ts'

/** A user as the rules of staff see him. */
export interface StaffTarget {
  readonly owned: OwnedObject
  readonly isDeleted: boolean
  readonly isSuspended: boolean
  /** Only the account has suspended the user, which it may also take back. */
  readonly isSuspendedByAccount: boolean
  readonly hasSecondFactor: boolean
  readonly isGeolocked: boolean
  /** May still be restored. */
  readonly isRestorable: boolean
  /** The account lets staff sign in as its users. */
  readonly isStaffAccessAllowed: boolean
  /** There is an external address that links for a new password go to now. */
  readonly isReachable: boolean
}

/** Somebody who works here: for the service itself, or for a reseller. */
export function isStaff(object: Pick<OwnedObject, 'role'>): boolean {
  return object.role === 'admin' || object.role === 'reseller'
}

/** An admin looks after everybody, a reseller after the own tenant save its admins; others are not shown at all. */
export function looksAfter(principal: Person, object: OwnedObject): boolean {
  if (principal.role === 'admin') return true
  return principal.role === 'reseller' && principal.tenantId === object.tenantId && object.role !== 'admin'
}

/**
 * What staff do to a person: never to themselves, and only an admin to other staff. What decides who can sign in as the
 * person has a rule of its own.
 */
export function mayActOn(principal: Person, object: OwnedObject): boolean {
  if (!looksAfter(principal, object) || object.userId === principal.userId) return false
  return principal.role === 'admin' || !isStaff(object)
}

/**
 * What decides who can sign in as a person: second factors, the address for lost passwords, the limit to countries, coming
 * back from deletion. It is changed for customers only. With a colleague's access one person could approve what takes
 * two, so that is left to the command line.
 */
export function mayActOnAccess(principal: Person, object: OwnedObject): boolean {
  return mayActOn(principal, object) && !isStaff(object)
}

/** The same where the account has a say: it may keep staff out altogether. */
export function mayChangeAccess(
  principal: Person,
  target: Pick<StaffTarget, 'owned' | 'isStaffAccessAllowed'>,
): boolean {
  return mayActOnAccess(principal, target.owned) && target.isStaffAccessAllowed
}

/**
 * Creating objects for a customer and changing subscriptions cost the account money, so both need an account that lets
 * staff in, and one that the member of staff does not control. `owned`: the owner of the account.
 */
export function mayOrderFor(
  principal: Person,
  account: Pick<StaffTarget, 'owned' | 'isStaffAccessAllowed'>,
): boolean {
  return mayChangeAccess(principal, account) && !isController(principal.userId, account.owned)
}

/**
 * Discounts, bonuses and penalties are for customers: not for one's own account, one that one controls, or that of
 * anybody who works here.
 */
export function mayChangeMoney(principal: Person, wallet: OwnedObject): boolean {
  if (!looksAfter(principal, wallet) || isStaff(wallet)) return false
  return wallet.ownerId !== principal.userId && !wallet.controllerIds.includes(principal.userId)
}

/**
 * Deleting and erasing is for customers: not for oneself, for what is in an account that one controls, or for anybody who
 * works here. Service accounts belong to the installation, so only an admin lets go of them. Of lists, resources, folders
 * and domains `role` is that of the owner of the account.
 */
export function mayDelete(principal: Person, object: OwnedObject): boolean {
  if (!looksAfter(principal, object) || isStaff(object)) return false
  if (object.role === 'service' && principal.role !== 'admin') return false
  return ![object.userId, object.ownerId, ...object.controllerIds].includes(principal.userId)
}

/** Who wants money booked that is too much for one. */
export interface Requester {
  readonly userId: number
  readonly role: 'admin' | 'reseller'
}

/**
 * Four eyes: a second person books what the first one asked for. What an admin asks for is the service's own money, so
 * another admin decides; what a reseller asks for, another reseller of the tenant or an admin.
 */
export function mayApproveOneOff(principal: Person, requester: Requester, wallet: OwnedObject): boolean {
  if (requester.userId === principal.userId) return false
  if (requester.role === 'admin' && principal.role !== 'admin') return false
  return mayChangeMoney(principal, wallet)
}

/** Who may approve may refuse, and who asked may take it back. */
export function mayRefuseOneOff(principal: Person, requester: Requester, wallet: OwnedObject): boolean {
  return requester.userId === principal.userId || mayApproveOneOff(principal, requester, wallet)
}

/** Staff sign in as customers only, and only where the account lets them. */
export function mayLoginAs(principal: Person, target: StaffTarget): boolean {
  return !target.isDeleted && target.owned.role == null && mayChangeAccess(principal, target)
}

/** The rights of staff over a user as flags of the wire. */
export function staffRights(principal: Person, target: StaffTarget): StaffRights {
  const may = mayActOn(principal, target.owned)
  const isThere = may && !target.isDeleted
  const mayAccess = !target.isDeleted && mayChangeAccess(principal, target)
  const isCustomer = mayActOnAccess(principal, target.owned)
  return {
    canSuspend: isThere && (!target.isSuspended || target.isSuspendedByAccount),
    canUnsuspend: isThere && target.isSuspended,
    canResetSecondFactor: mayAccess && target.hasSecondFactor,
    canResetGeolock: mayAccess && target.isGeolocked,
    canSignOut: isThere,
    canResync: may,
    canRestore: isCustomer && target.isRestorable,
    canChangeExternalEmail: mayAccess,
    canSendPasswordLink: isCustomer && !target.isDeleted && target.isReachable,
    canCreate: !target.isDeleted && isOwner(target.owned) && mayOrderFor(principal, target),
    canChangeMoney: !target.isDeleted && mayChangeMoney(principal, target.owned),
    canLoginAs: mayLoginAs(principal, target),
    canDelete: !target.isDeleted && mayDelete(principal, target.owned),
    canErase: target.isDeleted && mayDelete(principal, target.owned),
  }
}

function isOwner({ userId, ownerId }: OwnedObject): boolean {
  return userId !== undefined && userId === ownerId
}
