import type { Principal } from '../platform/http/principal.ts'

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

/** An object is visible to its own tenant and to admins. */
export function sees(principal: Principal, object: OwnedObject): boolean {
  return principal.role === 'admin' || principal.tenantId === object.tenantId
}

/** A user may read an object when it is the user, when he controls its account, or as staff of its tenant. */
export function canRead(principal: Principal, object: OwnedObject): boolean {
  return (
    principal.role === 'admin' ||
    object.userId === principal.userId ||
    isStaffFor(principal, object) ||
    isController(principal.userId, object)
  )
}

/** A user may delete an object when he owns its account or controls it, but no controller deletes the owner. */
export function canDelete(principal: Principal, object: OwnedObject): boolean {
  if (object.ownerId === principal.userId) return true
  return isController(principal.userId, object) && object.userId !== object.ownerId
}

/** A user may change an object when it is the user, when he may delete it, or as staff of its tenant. */
export function canUpdate(principal: Principal, object: OwnedObject): boolean {
  return (
    principal.role === 'admin' ||
    object.userId === principal.userId ||
    isStaffFor(principal, object) ||
    canDelete(principal, object)
  )
}

/** The owner of an account and the users given control of it are its controllers. */
export function isController(userId: number, object: OwnedObject): boolean {
  return object.ownerId === userId || object.controllerIds.includes(userId)
}

function isStaffFor(principal: Principal, object: OwnedObject): boolean {
  return principal.role === 'reseller' && principal.tenantId === object.tenantId && object.role !== 'admin'
}
