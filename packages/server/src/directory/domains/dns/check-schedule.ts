import { after, day, hour, minute } from '../../../platform/clock.ts'

/** Seconds after which background checks for the proof of a domain end. */
export const patience = 28 * day

/** Seconds that proof and mail servers of a confirmed domain must be missing before its owner is notified. */
export const missingFor = 7 * day

/**
 * Returns the date of the next check of an unconfirmed domain. The first is due after a minute, later ones at
 * growing intervals up to a day. Undefined: the checks have ended. `chance` from 0 to 1 adds jitter.
 */
export function nextLook(watchedSince: Date, now: Date, chance: number): Date | undefined {
  const age = (now.getTime() - watchedSince.getTime()) / 1000
  if (age >= patience) return undefined
  const wait = Math.min(Math.max(age / 4, minute), day)
  return after(now, wait * (1 + chance / 5))
}

/** Returns the next date of a confirmed domain's daily check, with jitter. */
export function nextRoutineLook(now: Date, chance: number): Date {
  return after(now, day - 2 * hour + chance * 4 * hour)
}
