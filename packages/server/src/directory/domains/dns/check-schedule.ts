import { after, day, hour, minute } from '../../../platform/clock.ts'

/** Seconds after which nobody looks by itself any more for the proof of a domain. */
export const patience = 28 * day

/** Seconds that proof and mail servers of a confirmed domain must be gone before its owner is told. */
export const missingFor = 7 * day

/**
 * When the next look at a domain that is not confirmed yet is due: after a minute at first, then ever more rarely,
 * at last once a day. Undefined: its time is over. `chance` from 0 to 1 spreads the looks.
 */
export function nextLook(watchedSince: Date, now: Date, chance: number): Date | undefined {
  const age = (now.getTime() - watchedSince.getTime()) / 1000
  if (age >= patience) return undefined
  const wait = Math.min(Math.max(age / 4, minute), day)
  return after(now, wait * (1 + chance / 5))
}

/** Confirmed domains are looked at once a day, each at another time. */
export function nextRoutineLook(now: Date, chance: number): Date {
  return after(now, day - 2 * hour + chance * 4 * hour)
}
