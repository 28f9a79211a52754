import type { BulkAction, BulkObjects } from '@gatehouse/contract/directory/bulk'
import type { Person } from '../platform/http/callers/principal.ts'
import { isController, type OwnedObject } from '../users/policy.ts'

/** Work on many objects is the account's: seen, started and cancelled by who controls that, not by staff. */
export function canSteerBatch(person: Person, account: OwnedObject): boolean {
  return isController(person.userId, account)
}

/** The links for first passwords are for who started the batch that created the users, and nobody else. */
export function canReadFirstLinks(person: Person, creatorId: number, account: OwnedObject): boolean {
  return person.userId === creatorId && canSteerBatch(person, account)
}

/** A user may be deleted among many unless he is the one who asks or owns the account. */
export function canDeleteAmongMany(person: Person, object: OwnedObject): boolean {
  return object.userId === undefined || (object.userId !== person.userId && object.userId !== object.ownerId)
}

/** Work on many objects is for who controls an account at all; each object is looked at again. */
export function canWorkOnMany(person: Person, own: OwnedObject, controlsOthers: boolean): boolean {
  return controlsOthers || isController(person.userId, own)
}

/**
 * Borrowed callers do to many what they may do to one: they neither delete nor restore users, and leave who can sign in
 * to the account.
 */
export function isActOpenToBorrowed(objects: BulkObjects, action: BulkAction): boolean {
  return objects !== 'users' || !closedToBorrowed.includes(action)
}

const closedToBorrowed: readonly BulkAction[] = ['delete', 'restore', 'suspend', 'resume', 'password-link']
