import { type AccountView, ownedUser } from '../../users/account-view/account-view.ts'
import { isController } from '../../users/policy.ts'

/** Accounts in mandate mode can only pay by auto-payment, as their flag `enableWalletPayments` says. */
export function mayPayOnce(view: AccountView): boolean {
  return isController(view.user.id, ownedUser(view)) && view.plan?.mode !== 'mandate'
}
