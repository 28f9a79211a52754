import type { AccountPolicies, PolicyRule } from '@gatehouse/contract/policies'

/** Rules without a number. */
export const plainRules = ['lower', 'upper', 'digit', 'special'] as const

/** The password policy as its form has it. */
export interface PasswordValues {
  min: string
  max: string
  lower: boolean
  upper: boolean
  digit: boolean
  special: boolean
  last: boolean
  lastCount: string
  retention: boolean
  max_password_age: string
}

/** What is wrong with a number of the policy. */
export type NumberFault = { field: 'min' | 'max'; fault: 'whole' | 'limit' | 'crossed' }

const defaults = { min: '6', max: '255', last: '3', age: '6' }

/** How many of the last passwords may be forbidden. */
export const historyChoices = [1, 2, 3, 4, 5, 6] as const

/** After how many months a new password may be asked for. */
export const ageChoices = [3, 6, 9, 12] as const

/** The form's values for the policies that the server has. */
export function passwordValues({ password, config }: AccountPolicies): PasswordValues {
  const enabled = (label: PolicyRule['label']) => ruleOf(password, label)?.enabled ?? false
  const age = config.max_password_age
  return {
    min: ruleOf(password, 'min')?.param ?? defaults.min,
    max: ruleOf(password, 'max')?.param ?? defaults.max,
    lower: enabled('lower'),
    upper: enabled('upper'),
    digit: enabled('digit'),
    special: enabled('special'),
    last: enabled('last'),
    lastCount: ruleOf(password, 'last')?.param ?? defaults.last,
    retention: age !== null,
    max_password_age: age ?? defaults.age,
  }
}

export function ruleOf(rules: readonly PolicyRule[], label: PolicyRule['label']): PolicyRule | undefined {
  return rules.find((rule) => rule.label === label)
}

/** The policy as the wire writes it: `min:8,max:255,upper,last:3`. */
export function policyText(values: PasswordValues): string {
  return [
    `min:${Number(values.min)}`,
    `max:${Number(values.max)}`,
    ...plainRules.filter((label) => values[label]),
    ...(values.last ? [`last:${values.lastCount}`] : []),
  ].join()
}

/** The months after which a password is too old; 0 when it never is. */
export function ageMonths({ retention, max_password_age }: PasswordValues): number {
  return retention ? Number(max_password_age) : 0
}

/** What the server would refuse of the two lengths. */
export function numberFaults(values: PasswordValues, rules: readonly PolicyRule[]): NumberFault[] {
  const faults: NumberFault[] = []
  const [min, max] = [Number(values.min), Number(values.max)]
  const floor = ruleOf(rules, 'min')?.limit ?? 1
  const ceiling = ruleOf(rules, 'max')?.limit ?? Number.POSITIVE_INFINITY
  if (!isWhole(values.min)) faults.push({ field: 'min', fault: 'whole' })
  else if (min < floor) faults.push({ field: 'min', fault: 'limit' })
  if (!isWhole(values.max)) faults.push({ field: 'max', fault: 'whole' })
  else if (max > ceiling) faults.push({ field: 'max', fault: 'limit' })
  else if (faults.length === 0 && max < min) faults.push({ field: 'max', fault: 'crossed' })
  return faults
}

function isWhole(text: string): boolean {
  return /^\d{1,6}$/.test(text.trim()) && Number(text) > 0
}
