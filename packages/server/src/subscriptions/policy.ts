import type { Person } from '../platform/http/callers/principal.ts'
import { isController, mayBuy, type OwnedObject } from '../users/policy.ts'
import type { SubscriptionContext } from './check-subscriptions.ts'

/** What a person may do with an object's subscriptions. */
export interface SubscriptionRights extends Pick<SubscriptionContext, 'isStaff' | 'isController'> {
  /** False if the account must pay before its costs may increase. */
  readonly mayBuy: boolean
}

/**
 * Staff may give SKUs that aren't on sale yet; controllers of the account may choose those on sale.
 * `accountStatus` as in the account view.
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
