import type { AccountPolicies, PolicyRule } from '@gatehouse/contract/policies'

/** Rules without a number. */
export const plainRules = ['lower', 'upper', 'digit', 'special'] as const

/** Form values of the password policy. */
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

/** An error in a number of the policy. */
export type NumberFault = { field: 'min' | 'max'; fault: 'whole' | 'limit' | 'crossed' }

const defaults = { min: '6', max: '255', last: '3', age: '6' }

/** Choices for the number of previous passwords that can't be reused. */
export const historyChoices = [1, 2, 3, 4, 5, 6] as const

/** Choices for the maximum age of a password, in months. */
export const ageChoices = [3, 6, 9, 12] as const

/** Converts the server's policies to form values. */
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

/** Serializes the policy for the API: `min:8,max:255,upper,last:3`. */
export function policyText(values: PasswordValues): string {
  return [
    `min:${Number(values.min)}`,
    `max:${Number(values.max)}`,
    ...plainRules.filter((label) => values[label]),
    ...(values.last ? [`last:${values.lastCount}`] : []),
  ].join()
}

/** Returns the maximum password age in months; 0 if there is none. */
export function ageMonths({ retention, max_password_age }: PasswordValues): number {
  return retention ? Number(max_password_age) : 0
}

/** Returns the errors the server would report for the two lengths. */
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
