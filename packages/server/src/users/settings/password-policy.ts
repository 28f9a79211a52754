import {
  type PasswordRule,
  type PasswordRuleName,
  passwordRules,
} from '@gatehouse/contract/sessions/passwords'
import type { Translate } from '../../platform/i18n/translator.ts'

/** A password policy: ordered rules, with the number of those that take one. */
export type PasswordPolicy = ReadonlyMap<PasswordRuleName, number | undefined>

const withNumber: ReadonlySet<PasswordRuleName> = new Set(['min', 'max', 'last'])

/** Parses `min:6,max:255,lower,…`; ignores unknown rules; the last of duplicate rules counts. */
export function parsePasswordPolicy(text: string): PasswordPolicy {
  const policy = new Map<PasswordRuleName, number | undefined>()
  for (const part of text.toLowerCase().split(',')) {
    const [name = '', number = ''] = part.trim().split(':')
    const rule = passwordRules.find((known) => known === name)
    if (rule === undefined) continue
    if (!withNumber.has(rule)) policy.set(rule, undefined)
    else if (/^\d{1,4}$/.test(number)) policy.set(rule, Number(number))
  }
  return policy
}

/** Combines an account's policy with the system's: it can only be stricter. */
export function effectivePolicy(system: PasswordPolicy, account: PasswordPolicy | undefined): PasswordPolicy {
  if (account === undefined) return system
  const policy = new Map(account)
  for (const [rule, floor] of system) {
    const own = policy.get(rule)
    if (floor === undefined || own === undefined) policy.set(rule, floor)
    else policy.set(rule, rule === 'max' ? Math.min(own, floor) : Math.max(own, floor))
  }
  return policy
}

/** The 32 ASCII characters that are neither letters, digits nor space. */
const special = /[!-/:-@[-`{-~]/

/**
 * Whether the password meets the rule. Lengths count characters, not bytes. `last` needs the stored hashes and
 * is only checked when the password is set; here it always passes.
 */
export function meetsRule(rule: PasswordRuleName, param: number | undefined, password: string): boolean {
  const length = Array.from(password).length
  switch (rule) {
    case 'min':
      return length >= (param ?? 0)
    case 'max':
      return length >= 1 && length <= (param ?? Number.POSITIVE_INFINITY)
    case 'lower':
      return /[a-z]/.test(password)
    case 'upper':
      return /[A-Z]/.test(password)
    case 'digit':
      return /[0-9]/.test(password)
    case 'special':
      return special.test(password)
    case 'last':
      return length >= 1
  }
}

export function meetsPolicy(policy: PasswordPolicy, password: string): boolean {
  return [...policy].every(([rule, param]) => meetsRule(rule, param, password))
}

/** Returns the policy for the password widget, each rule with whether the password meets it. */
export function presentPolicy(policy: PasswordPolicy, password: string, t: Translate): PasswordRule[] {
  return [...policy].map(([label, param]) => ({
    label,
    name: t(`app.password-rule-${label}`, { param: param ?? 0 }),
    param: param === undefined ? null : String(param),
    enabled: true,
    status: meetsRule(label, param, password),
  }))
}
