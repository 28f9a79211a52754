import type { StaffRights } from '@gatehouse/contract/staff/staff-views'
import type { Person } from '../platform/http/callers/principal.ts'
import { isController, type OwnedObject } from '../users/policy.ts'

/** A user as staff policies see them. */
export interface StaffTarget {
  readonly owned: OwnedObject
  readonly isDeleted: boolean
  readonly isSuspended: boolean
  /** Suspended only by the account, which may also lift the suspension. */
  readonly isSuspendedByAccount: boolean
  readonly hasSecondFactor: boolean
  readonly isGeolocked: boolean
  /** Can still be restored. */
  readonly isRestorable: boolean
  /** The account allows staff to impersonate its users. */
  readonly isStaffAccessAllowed: boolean
  /** Has an external address that can receive password links now. */
  readonly isReachable: boolean
}

/** Whether the object is a staff member, of the service or a reseller. */
export function isStaff(object: Pick<OwnedObject, 'role'>): boolean {
  return object.role === 'admin' || object.role === 'reseller'
}

/**
 * Whether the principal manages an object: admins manage everyone, resellers their own tenant except its
 * admins; others aren't visible.
 */
export function looksAfter(principal: Person, object: OwnedObject): boolean {
  if (principal.role === 'admin') return true
  return principal.role === 'reseller' && principal.tenantId === object.tenantId && object.role !== 'admin'
}

/**
 * Whether staff may act on a person: never on themselves, and only admins on other staff. Access to the
 * person's account has its own rule.
 */
export function mayActOn(principal: Person, object: OwnedObject): boolean {
  if (!looksAfter(principal, object) || object.userId === principal.userId) return false
  return principal.role === 'admin' || !isStaff(object)
}

/**
 * Whether staff may change who can sign in as a person: second factors, the external address, the geo-lock,
 * restoring. Limited to customers: access to a colleague's account would let one person give both approvals,
 * so that needs the command line.
 */
export function mayActOnAccess(principal: Person, object: OwnedObject): boolean {
  return mayActOn(principal, object) && !isStaff(object)
}

/** The same where the account has a say: it may deny staff access altogether. */
export function mayChangeAccess(
  principal: Person,
  target: Pick<StaffTarget, 'owned' | 'isStaffAccessAllowed'>,
): boolean {
  return mayActOnAccess(principal, target.owned) && target.isStaffAccessAllowed
}

/**
 * Creating objects for a customer and changing subscriptions cost the account money, so both need an account
 * that allows staff access and that the staff member does not control. `owned`: the owner of the account.
 */
export function mayOrderFor(
  principal: Person,
  account: Pick<StaffTarget, 'owned' | 'isStaffAccessAllowed'>,
): boolean {
  return mayChangeAccess(principal, account) && !isController(principal.userId, account.owned)
}

/**
 * Discounts, bonuses and penalties are limited to customers: not the caller's own account, one they control,
 * or a staff member's.
 */
export function mayChangeMoney(principal: Person, wallet: OwnedObject): boolean {
  if (!looksAfter(principal, wallet) || isStaff(wallet)) return false
  return wallet.ownerId !== principal.userId && !wallet.controllerIds.includes(principal.userId)
}

/**
 * Deletion and erasure are limited to customers: not oneself, objects in an account one controls, or staff.
 * Service accounts belong to the installation, so only admins delete them. For lists, resources, folders and
 * domains, `role` is that of the account's owner.
 */
export function mayDelete(principal: Person, object: OwnedObject): boolean {
  if (!looksAfter(principal, object) || isStaff(object)) return false
  if (object.role === 'service' && principal.role !== 'admin') return false
  return ![object.userId, object.ownerId, ...object.controllerIds].includes(principal.userId)
}

/** The staff member who requests a booking beyond their limit. */
export interface Requester {
  readonly userId: number
  readonly role: 'admin' | 'reseller'
}

/**
 * Four-eyes principle: a second person books what the first one requested. An admin's request is the service's
 * own money, so another admin decides; a reseller's is decided by another reseller of the tenant or an admin.
 */
export function mayApproveOneOff(principal: Person, requester: Requester, wallet: OwnedObject): boolean {
  if (requester.userId === principal.userId) return false
  if (requester.role === 'admin' && principal.role !== 'admin') return false
  return mayChangeMoney(principal, wallet)
}

/** Approvers may reject, and requesters may withdraw. */
export function mayRefuseOneOff(principal: Person, requester: Requester, wallet: OwnedObject): boolean {
  return requester.userId === principal.userId || mayApproveOneOff(principal, requester, wallet)
}

/** Staff can impersonate customers only, and only if the account allows it. */
export function mayLoginAs(principal: Person, target: StaffTarget): boolean {
  return !target.isDeleted && target.owned.role == null && mayChangeAccess(principal, target)
}

/** Staff permissions on a user, as flags in the API. */
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
    canChangeMailSettings: isThere,
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
