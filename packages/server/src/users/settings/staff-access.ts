import type { SettingSource } from '@gatehouse/contract/policies'
import type { UserSettings } from '../user-settings.ts'
import { readFlag } from './stored-value.ts'

/**
 * Whether a user's account allows staff to impersonate its users: the owner's setting, otherwise the
 * installation's.
 */
export function staffAccess(
  ownerConfig: Readonly<Record<string, string | undefined>>,
  config: Pick<UserSettings, 'STAFF_ACCESS'>,
): { readonly value: boolean; readonly source: SettingSource } {
  const chosen = readFlag(ownerConfig.staff_access_policy)
  return chosen === null
    ? { value: config.STAFF_ACCESS, source: 'system' }
    : { value: chosen, source: 'account' }
}
