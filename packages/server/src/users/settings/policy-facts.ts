import { accountDelivery } from './effective-settings.ts'
import { effectivePolicy, type PasswordPolicy, parsePasswordPolicy } from './password-policy.ts'
import {
  effectiveSecondFactor,
  readSecondFactorPolicy,
  type SecondFactorRules,
} from './second-factor-policy.ts'

export interface PolicyFacts {
  /** Minimum number of characters in a password. */
  readonly least: number
  readonly greylist: boolean
  readonly requiresSecondFactor: boolean
}

/** The most important policies of an account, from its owner's settings. */
export function policyFacts(
  owner: Readonly<Record<string, string>>,
  system: { readonly systemPolicy: PasswordPolicy; readonly secondFactorRules: SecondFactorRules },
): PolicyFacts {
  const stored = owner.password_policy
  const password = effectivePolicy(
    system.systemPolicy,
    stored === undefined ? undefined : parsePasswordPolicy(stored),
  )
  const factor = readSecondFactorPolicy(owner.second_factor_policy)
  return {
    least: password.get('min') ?? 0,
    greylist: accountDelivery(owner).greylist.value,
    requiresSecondFactor: effectiveSecondFactor(system.secondFactorRules, null, factor).value === 'required',
  }
}
