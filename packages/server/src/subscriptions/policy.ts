import { isController, type OwnedObject } from '../accounts/policy.ts'
import type { Person } from '../platform/http/principal.ts'
import type { SubscriptionContext } from './check-subscriptions.ts'

/** Staff may give what is not on sale yet; controllers of the account may choose all that is. */
export function subscriptionRights(
  principal: Person,
  object: OwnedObject,
): Pick<SubscriptionContext, 'isStaff' | 'isController'> {
  return {
    isStaff: principal.role === 'admin' || principal.role === 'reseller',
    isController: isController(principal.userId, object),
  }
}
