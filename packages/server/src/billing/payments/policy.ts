import { type AccountView, ownedUser } from '../../accounts/account-view.ts'
import { isController } from '../../accounts/policy.ts'

/** Accounts in mandate mode pay by auto-payment alone, as their flag `enableWalletPayments` says. */
export function mayPayOnce(view: AccountView): boolean {
  return isController(view.user.id, ownedUser(view)) && view.plan?.mode !== 'mandate'
}
