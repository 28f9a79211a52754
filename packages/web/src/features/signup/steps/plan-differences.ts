import type { SignupPlan } from '@gatehouse/contract/signup'

/** Facts in which plans may differ, in display order. */
const facts = {
  users: ({ users, isDomain }: SignupPlan) => `${users} ${isDomain}`,
  address: ({ isDomain }: SignupPlan) => isDomain,
  proof: ({ mode }: SignupPlan) => mode,
  includes: ({ includes }: SignupPlan) =>
    includes
      .map(({ title, quantity }) => `${title} ${quantity}`)
      .sort()
      .join(),
} as const

export type PlanFact = keyof typeof facts

const names = Object.keys(facts) as PlanFact[] // keys of a constant

/** Returns the facts in which at least two plans differ; common facts don't help to choose. */
export function differences(plans: readonly SignupPlan[]): PlanFact[] {
  return names.filter((name) => new Set(plans.map((plan) => facts[name](plan))).size > 1)
}
