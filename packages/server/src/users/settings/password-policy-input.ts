import type { PasswordRuleName } from '@gatehouse/contract/sessions/passwords'
import { type Message, message } from '../../platform/http/errors.ts'
import { type PasswordPolicy, parsePasswordPolicy } from './password-policy.ts'

/** Each old hash in a policy's history costs one hash computation when a password is set. */
export const longestHistory = 24

const syntax = /^(?:(?:min|max|last):\d{1,4}|lower|upper|digit|special)$/
const classes: readonly PasswordRuleName[] = ['lower', 'upper', 'digit', 'special']

/** Returns the error of an account's password policy, if any: invalid form, or weaker than the system's. */
export function passwordPolicyProblem(text: string, system: PasswordPolicy): Message | undefined {
  const parts = text.split(',')
  const policy = parsePasswordPolicy(text)
  const isWellFormed = parts.every((part) => syntax.test(part)) && policy.size === parts.length
  const min = policy.get('min')
  const max = policy.get('max')
  if (!isWellFormed || min === undefined || max === undefined) {
    return message('policies.invalid-password-policy')
  }
  const lowest = Math.max(1, system.get('min') ?? 1)
  if (min < lowest) return message('policies.password-policy-min-len-error', { min: lowest })
  const highest = system.get('max')
  if (highest !== undefined && max > highest) {
    return message('policies.password-policy-max-len-error', { max: highest })
  }
  if (min > max) return message('policies.password-policy-order-error')
  return historyProblem(policy, system) ?? classProblem(policy, system)
}

function historyProblem(policy: PasswordPolicy, system: PasswordPolicy): Message | undefined {
  const floor = system.get('last')
  const last = policy.get('last')
  if (floor !== undefined && (last ?? 0) < floor) {
    return message('policies.password-policy-last-error', { last: floor })
  }
  // a longer system history is its operator's choice
  const most = Math.max(longestHistory, floor ?? 0)
  if (last === undefined || (last >= 1 && last <= most)) return undefined
  return message('policies.password-policy-last-range-error', { max: most })
}

function classProblem(policy: PasswordPolicy, system: PasswordPolicy): Message | undefined {
  const isKept = classes.every((rule) => policy.has(rule) || !system.has(rule))
  return isKept ? undefined : message('policies.password-policy-class-error')
}
