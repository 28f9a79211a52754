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

/** Objects come into an account by who controls it: its owner and further controllers. */
export function canCreateObjects(principal: Person, account: OwnedObject): boolean {
  return isController(principal.userId, account)
}

/**
 * The rights over an object as flags of the wire. `isUsable`: the reader has the feature, without which there is
 * only looking and throwing away.
 */
export function objectRights(principal: Person, object: OwnedObject, isUsable: boolean): ObjectRights {
  return {
    canUpdate: isUsable && canUpdate(principal, object),
    canDelete: canDelete(principal, object),
    canConfigure: isUsable && canConfigure(principal, object),
    canReadEvents: canReadEvents(principal, object),
  }
}
