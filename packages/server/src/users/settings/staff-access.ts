import type { SettingSource } from '@gatehouse/contract/policies'
import type { UserSettings } from '../user-settings.ts'
import { readFlag } from './stored-value.ts'

/** Whether the account of a user lets staff sign in as its users: as its owner says, else as the installation does. */
export function staffAccess(
  ownerConfig: Readonly<Record<string, string | undefined>>,
  config: Pick<UserSettings, 'STAFF_ACCESS'>,
): { readonly value: boolean; readonly source: SettingSource } {
  const chosen = readFlag(ownerConfig.staff_access_policy)
  return chosen === null
    ? { value: config.STAFF_ACCESS, source: 'system' }
    : { value: chosen, source: 'account' }
}
