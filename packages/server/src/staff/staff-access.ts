import type { AccountView } from '../accounts/account-view.ts'
import { readFlag } from '../accounts/settings/stored-value.ts'
import type { Config } from '../config.ts'

/** Whether the account of a user lets staff sign in as its users: as its owner says, else as the installation does. */
export function isStaffAccessAllowed(
  view: Pick<AccountView, 'ownerConfig'>,
  config: Pick<Config, 'STAFF_ACCESS'>,
): boolean {
  return readFlag(view.ownerConfig.staff_access_policy) ?? config.STAFF_ACCESS
}
