import { after, day, hour } from '../../platform/clock.ts'

/** What happens to an account that owes, in this order; reference api-billing-admin §13. */
export const debtSteps = [
  { name: 'initial', wait: hour },
  { name: 'reminder', wait: 7 * day },
  // a last word before services end, which one a week earlier is not
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

/** When an account that owes is degraded. */
export function degradesAt(negativeSince: Date): Date {
  return after(negativeSince, 14 * day)
}

/**
 * The step that is due: the latest that is reached, unless it was taken. Earlier ones are left out, so that somebody
 * who is first looked at after ten days gets one mail and not three.
 */
export function dueStep(debt: Debt, now: Date): DebtStep | undefined {
  const reached = debtSteps.filter(({ wait }) => after(debt.negativeSince, wait) <= now).at(-1)
  return reached === undefined || debt.taken[reached.name] !== null ? undefined : reached.name
}
