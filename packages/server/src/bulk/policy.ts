import type { BulkAction, BulkObjects } from '@gatehouse/contract/directory/bulk'
import type { Person } from '../platform/http/callers/principal.ts'
import { isController, type OwnedObject } from '../users/policy.ts'

/** Batches belong to the account: its controllers may see, start and cancel them, but staff may not. */
export function canSteerBatch(person: Person, account: OwnedObject): boolean {
  return isController(person.userId, account)
}

/** Links for first passwords are only visible to the user who started the batch. */
export function canReadFirstLinks(person: Person, creatorId: number, account: OwnedObject): boolean {
  return person.userId === creatorId && canSteerBatch(person, account)
}

/** Users may be deleted in bulk, except for the caller and the account's owner. */
export function canDeleteAmongMany(person: Person, object: OwnedObject): boolean {
  return object.userId === undefined || (object.userId !== person.userId && object.userId !== object.ownerId)
}

/** Bulk operations require control of an account; each object is then checked individually. */
export function canWorkOnMany(person: Person, own: OwnedObject, controlsOthers: boolean): boolean {
  return controlsOthers || isController(person.userId, own)
}

/**
 * Borrowed callers may do in bulk what they may do individually: they can't delete or restore users, or change
 * who can sign in.
 */
export function isActOpenToBorrowed(objects: BulkObjects, action: BulkAction): boolean {
  return objects !== 'users' || !closedToBorrowed.includes(action)
}

const closedToBorrowed: readonly BulkAction[] = ['delete', 'restore', 'suspend', 'resume', 'password-link']
