import type { Person } from '../platform/http/callers/principal.ts'
import { isController, mayBuy, type OwnedObject } from '../users/policy.ts'
import type { SubscriptionContext } from './check-subscriptions.ts'

/** What somebody may do with the subscriptions of an object. */
export interface SubscriptionRights extends Pick<SubscriptionContext, 'isStaff' | 'isController'> {
  /** False: the account has to be paid before it may cost more. */
  readonly mayBuy: boolean
}

/**
 * Staff may give what is not on sale yet; controllers of the account may choose all that is. `accountStatus` as
 * in `accountStatus` of the account view.
 */
export function subscriptionRights(
  principal: Person,
  object: OwnedObject,
  accountStatus: number,
): SubscriptionRights {
  return {
    mayBuy: mayBuy(accountStatus),
    isStaff: principal.role === 'admin' || principal.role === 'reseller',
    isController: isController(principal.userId, object),
  }
}
