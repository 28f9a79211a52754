import type { PlanMode, SignupPlan } from '@gatehouse/contract/signup'

/** Step numbers according to the specification. */
export const step = { plans: 0, identity: 1, code: 2, account: 3, summary: 4 } as const

export type Step = (typeof step)[keyof typeof step]

/** The numbered steps of each mode. A single step has no number, and the summary isn't counted. */
const waysByMode: Record<PlanMode, readonly Step[]> = {
  email: [step.identity, step.code, step.account],
  token: [step.identity, step.account],
  mandate: [step.account],
}

/** The parts of a sign-up that determine its steps. */
export interface Way {
  mode: PlanMode | undefined
  /** An invitation replaces the verification of an address. */
  invited: boolean
}

/** Returns the numbered steps after choosing a plan. */
export function wayOf({ mode = 'email', invited }: Way): readonly Step[] {
  return invited ? [step.account] : waysByMode[mode]
}

/** Whether the account step directly follows the choice of a plan. */
export function isDirect(way: Way): boolean {
  return wayOf(way)[0] === step.account
}

/** Returns the step the back button leads to; undefined if there is none. */
export function stepBefore(current: Step, way: Way, hasChoice: boolean): Step | undefined {
  if (current === step.summary) return step.account
  const steps = wayOf(way)
  const before = steps[steps.indexOf(current) - 1]
  return before ?? (hasChoice && current !== step.plans ? step.plans : undefined)
}

/** Progress so far; each fact unlocks a step. */
export interface Reached {
  /** A plan is chosen or can be chosen in the form. */
  identity: boolean
  /** A code for the plan was mailed. */
  code: boolean
  /** The code was correct, or none is needed. */
  account: boolean
  /** The server has returned the amount to pay. */
  summary: boolean
}

/** Returns the step to show for one requested by the history: itself, or the last unlocked one before it. */
export function shownStep(wanted: number, reached: Reached): Step {
  if (wanted >= step.summary && reached.summary) return step.summary
  if (wanted >= step.account && reached.account) return step.account
  if (wanted >= step.code && reached.code) return step.code
  return wanted >= step.identity && reached.identity ? step.identity : step.plans
}

/** Returns the highlighted plan: the first for more than one person. */
export function featuredPlan(plans: readonly SignupPlan[]): SignupPlan | undefined {
  return plans.length > 1 ? plans.find(({ isDomain }) => isDomain) : undefined
}

export interface DomainsOnOffer {
  domains: readonly string[]
  domain: string | null
}

/** Returns the preselected domain: the server's, otherwise the portal's, otherwise the first. */
export function preselectedDomain({ domains, domain }: DomainsOnOffer, own: string): string {
  const found = [domain, own].find((name) => name !== null && domains.includes(name))
  return found ?? domains[0] ?? ''
}
