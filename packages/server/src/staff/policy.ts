import type { StaffRights } from '@gatehouse/contract/staff'
import type { OwnedObject } from '../accounts/policy.ts'
import type { Person } from '../platform/http/principal.ts'

/** A user as the rules of staff see him. */
export interface StaffTarget {
  readonly owned: OwnedObject
  readonly isDeleted: boolean
  readonly isSuspended: boolean
  readonly hasSecondFactor: boolean
  readonly isGeolocked: boolean
  /** May still be restored. */
  readonly isRestorable: boolean
  /** The account lets staff sign in as its users. */
  readonly isStaffAccessAllowed: boolean
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
 * What staff do to a person: never to themselves, and only an admin to other staff, so that nobody takes over a
 * colleague's access.
 */
export function mayActOn(principal: Person, object: OwnedObject): boolean {
  if (!looksAfter(principal, object) || object.userId === principal.userId) return false
  return principal.role === 'admin' || !isStaff(object)
}

/**
 * Discounts, bonuses and penalties are for customers: not for one's own account, one that one controls, or that of
 * anybody who works here.
 */
export function mayChangeMoney(principal: Person, wallet: OwnedObject): boolean {
  if (!looksAfter(principal, wallet) || isStaff(wallet)) return false
  return wallet.ownerId !== principal.userId && !wallet.controllerIds.includes(principal.userId)
}

/** Staff sign in as customers only, and only where the account lets them. */
export function mayLoginAs(principal: Person, target: StaffTarget): boolean {
  if (!mayActOn(principal, target.owned) || target.owned.role != null) return false
  return !target.isDeleted && target.isStaffAccessAllowed
}

/** The rights of staff over a user as flags of the wire. */
export function staffRights(principal: Person, target: StaffTarget): StaffRights {
  const may = mayActOn(principal, target.owned)
  const isThere = may && !target.isDeleted
  return {
    canSuspend: isThere && !target.isSuspended,
    canUnsuspend: isThere && target.isSuspended,
    canResetSecondFactor: isThere && target.hasSecondFactor,
    canResetGeolock: isThere && target.isGeolocked,
    canSignOut: isThere,
    canResync: may,
    canRestore: may && target.isRestorable,
    canChangeExternalEmail: isThere,
    canAddSku: isThere,
    canChangeMoney: !target.isDeleted && mayChangeMoney(principal, target.owned),
    canLoginAs: mayLoginAs(principal, target),
  }
}
