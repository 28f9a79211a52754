import type { SignupPlan } from '@gatehouse/contract/signup'

/** What plans may differ in, in the order in which it is shown. */
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

const names = Object.keys(facts) as PlanFact[] // the keys of a constant

/** The facts in which at least two plans differ: what they have in common helps nobody to choose. */
export function differences(plans: readonly SignupPlan[]): PlanFact[] {
  return names.filter((name) => new Set(plans.map((plan) => facts[name](plan))).size > 1)
}
