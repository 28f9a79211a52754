import { type SecondFactorPolicy, secondFactorPolicy } from '@gatehouse/contract/directory/users'
import type { SettingSource } from '@gatehouse/contract/policies'
import type { Role } from '../../platform/http/callers/principal.ts'

/** What the installation requires of everyone, and of its staff. */
export interface SecondFactorRules {
  readonly everybody: SecondFactorPolicy
  readonly staff: SecondFactorPolicy
  /** A paired companion device, which confirms every sign-in, counts as a second factor. */
  readonly withCompanions: boolean
}

/** Returns the rules from the settings. */
export function secondFactorRules(settings: {
  readonly SECOND_FACTOR_POLICY: SecondFactorPolicy
  readonly STAFF_SECOND_FACTOR: SecondFactorPolicy
  readonly APP_WITH_COMPANION_APP: boolean
}): SecondFactorRules {
  return {
    everybody: settings.SECOND_FACTOR_POLICY,
    staff: settings.STAFF_SECOND_FACTOR,
    // it offers no protection if it isn't asked
    withCompanions: settings.APP_WITH_COMPANION_APP,
  }
}

/** Whether the installation itself requires a second factor of a user; accounts can't override that. */
export function isRequiredBySystem(rules: SecondFactorRules, role: Role | null): boolean {
  const isStaff = role === 'admin' || role === 'reseller'
  return rules.everybody === 'required' || (isStaff && rules.staff === 'required')
}

/** Effective policy of a user: the installation's requirement, then the policy of the account's owner. */
export function effectiveSecondFactor(
  rules: SecondFactorRules,
  role: Role | null,
  account: SecondFactorPolicy | null,
): { value: SecondFactorPolicy; source: SettingSource } {
  if (isRequiredBySystem(rules, role)) return { value: 'required', source: 'system' }
  return account === null ? { value: 'optional', source: 'system' } : { value: account, source: 'account' }
}

/** Parses the stored policy of an account; anything but its two values is none. */
export function readSecondFactorPolicy(stored: string | null | undefined): SecondFactorPolicy | null {
  return secondFactorPolicy.safeParse(stored).data ?? null
}
