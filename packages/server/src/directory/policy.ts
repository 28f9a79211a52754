import type { ObjectRights } from '@gatehouse/contract/directory'
import { hasBit, userStatus } from '@gatehouse/contract/status'
import type { AccountView } from '../accounts/account-view.ts'
import {
  canConfigure,
  canDelete,
  canReadEvents,
  canUpdate,
  isController,
  type OwnedObject,
} from '../accounts/policy.ts'
import type { Principal } from '../platform/http/principal.ts'

/** Whether somebody may have new objects in an account, and if not why. */
export type Creation = 'allowed' | 'forbidden' | 'unpaid'

/** Objects come into an account by who controls it, as long as it is paid for. */
export function creationIn(principal: Principal, account: AccountView, owned: OwnedObject): Creation {
  if (!isController(principal.userId, owned)) return 'forbidden'
  return isUnpaid((account.owner?.status ?? 0) | account.user.status) ? 'unpaid' : 'allowed'
}

/** An account whose owner has these status bits gets nothing new, nor back what it had. */
export function isUnpaid(ownerStatus: number): boolean {
  return hasBit(ownerStatus, userStatus.degraded)
}

/**
 * The rights over an object as flags of the wire. `isUsable`: the reader has the feature, without which there is
 * only looking and throwing away.
 */
export function objectRights(principal: Principal, object: OwnedObject, isUsable: boolean): ObjectRights {
  return {
    canUpdate: isUsable && canUpdate(principal, object),
    canDelete: canDelete(principal, object),
    canConfigure: isUsable && canConfigure(principal, object),
    canReadEvents: canReadEvents(principal, object),
  }
}
