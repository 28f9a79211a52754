import { type AccountView, ownedUser, type WalletView } from '../../accounts/account-view.ts'
import { isController } from '../../accounts/policy.ts'
import { Forbidden } from '../../platform/http/errors.ts'

/** The wallet that somebody pays into: that of the account, for who owns or controls it. Throws Forbidden for others. */
export function payingWallet(view: AccountView): WalletView {
  if (!isController(view.user.id, ownedUser(view))) throw new Forbidden()
  return view.wallet
}

/** Accounts in mandate mode pay by auto-payment alone, as their flag `enableWalletPayments` says. */
export function mayPayOnce(view: AccountView): boolean {
  return isController(view.user.id, ownedUser(view)) && view.plan?.mode !== 'mandate'
}
