import type { BulkAction, BulkObjects } from '@gatehouse/contract/directory/bulk'
import type { Person } from '../platform/http/callers/principal.ts'
import { isController, type OwnedObject } from '../users/policy.ts'

/** Work on many objects is the account's: seen, started and cancelled by who controls that, not by staff. */
export function canSteerBatch(person: Person, account: OwnedObject): boolean {
  return isController(person.userId, account)
}

/** A user may be deleted among many unless he is the one who asks or owns the account. */
export function canDeleteAmongMany(person: Person, object: OwnedObject): boolean {
  return object.userId === undefined || (object.userId !== person.userId && object.userId !== object.ownerId)
}

/** Work on many objects is for who controls an account at all; each object is looked at again. */
export function canWorkOnMany(person: Person, own: OwnedObject, controlsOthers: boolean): boolean {
  return controlsOthers || isController(person.userId, own)
}

/** Borrowed callers do to many what they may do to one: they neither delete nor restore users. */
export function isActOpenToBorrowed(objects: BulkObjects, action: BulkAction): boolean {
  return objects !== 'users' || (action !== 'delete' && action !== 'restore')
}
