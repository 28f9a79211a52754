import { after, day, hour } from '../../platform/clock.ts'

/** Steps for an account with a debt, in order; reference api-billing-admin §13. */
export const debtSteps = [
  { name: 'initial', wait: hour },
  { name: 'reminder', wait: 7 * day },
  // the last warning before services end, so it isn't sent a week earlier
  { name: 'warning', wait: 12 * day },
  { name: 'degrade', wait: 14 * day },
] as const

export type DebtStep = (typeof debtSteps)[number]['name']

/** Seconds between reminders while an account is degraded. */
export const degradedReminderEvery = 14 * day

export interface Debt {
  readonly negativeSince: Date
  /** When each step was taken. */
  readonly taken: Readonly<Record<DebtStep, Date | null>>
}

/** When an account with a debt is degraded. */
export function degradesAt(negativeSince: Date): Date {
  return after(negativeSince, 14 * day)
}

/**
 * The due step: the latest one reached, unless already taken. Earlier ones are skipped, so that an account
 * first checked after ten days gets one mail instead of three.
 */
export function dueStep(debt: Debt, now: Date): DebtStep | undefined {
  const reached = debtSteps.filter(({ wait }) => after(debt.negativeSince, wait) <= now).at(-1)
  return reached === undefined || debt.taken[reached.name] !== null ? undefined : reached.name
}
