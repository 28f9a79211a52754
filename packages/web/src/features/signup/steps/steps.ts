import type { PlanMode, SignupPlan } from '@gatehouse/contract/signup'

/** The steps by their numbers in the specification. */
export const step = { plans: 0, identity: 1, code: 2, account: 3, summary: 4 } as const

export type Step = (typeof step)[keyof typeof step]

/** The numbered steps of each mode; a sign-up of one step shows no number, and a summary is never counted. */
const waysByMode: Record<PlanMode, readonly Step[]> = {
  email: [step.identity, step.code, step.account],
  token: [step.identity, step.account],
  mandate: [step.account],
}

/** How somebody signs up, as far as the steps depend on it. */
export interface Way {
  mode: PlanMode | undefined
  /** An invitation replaces the proof of an address. */
  invited: boolean
}

/** The numbered steps that a person goes through after the choice of a plan. */
export function wayOf({ mode = 'email', invited }: Way): readonly Step[] {
  return invited ? [step.account] : waysByMode[mode]
}

/** The account step comes right after the choice of a plan. */
export function isDirect(way: Way): boolean {
  return wayOf(way)[0] === step.account
}

/** The step that the back button leads to; undefined where there is none. */
export function stepBefore(current: Step, way: Way, hasChoice: boolean): Step | undefined {
  if (current === step.summary) return step.account
  const steps = wayOf(way)
  const before = steps[steps.indexOf(current) - 1]
  return before ?? (hasChoice && current !== step.plans ? step.plans : undefined)
}

/** What a person has reached so far; each fact opens a step. */
export interface Reached {
  /** A plan is chosen, or can be chosen in the form. */
  identity: boolean
  /** A code was mailed for that plan. */
  code: boolean
  /** The code was right, or none is needed. */
  account: boolean
  /** The server has said what will be paid. */
  summary: boolean
}

/** The step to show when the history asks for one: the same, or the last one before it that can be shown. */
export function shownStep(wanted: number, reached: Reached): Step {
  if (wanted >= step.summary && reached.summary) return step.summary
  if (wanted >= step.account && reached.account) return step.account
  if (wanted >= step.code && reached.code) return step.code
  return wanted >= step.identity && reached.identity ? step.identity : step.plans
}

/** The plan that the cards put forward: the first for more than one person. */
export function featuredPlan(plans: readonly SignupPlan[]): SignupPlan | undefined {
  return plans.length > 1 ? plans.find(({ isDomain }) => isDomain) : undefined
}

export interface DomainsOnOffer {
  domains: readonly string[]
  domain: string | null
}

/** The domain that is selected at first: the server's, else that of the portal, else the first. */
export function preselectedDomain({ domains, domain }: DomainsOnOffer, own: string): string {
  const found = [domain, own].find((name) => name !== null && domains.includes(name))
  return found ?? domains[0] ?? ''
}
