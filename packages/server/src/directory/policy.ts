import type { ObjectRights } from '@gatehouse/contract/directory/directory'
import type { Person } from '../platform/http/callers/principal.ts'
import {
  canConfigure,
  canDelete,
  canReadEvents,
  canUpdate,
  isController,
  type OwnedObject,
} from '../users/policy.ts'

/** Only those who control an account can create objects in it: its owner and other controllers. */
export function canCreateObjects(principal: Person, account: OwnedObject): boolean {
  return isController(principal.userId, account)
}

/**
 * Returns the rights over an object as API flags. `isUsable`: the reader has the feature; without it they can
 * only view and delete.
 */
export function objectRights(principal: Person, object: OwnedObject, isUsable: boolean): ObjectRights {
  return {
    canUpdate: isUsable && canUpdate(principal, object),
    canDelete: canDelete(principal, object),
    canConfigure: isUsable && canConfigure(principal, object),
    canReadEvents: canReadEvents(principal, object),
  }
}
