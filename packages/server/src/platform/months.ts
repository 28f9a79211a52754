import { day } from './clock.ts'

const dayLength = day * 1000

/** Returns the number of days in the moment's month, UTC. */
export function daysInMonth(moment: Date): number {
  return new Date(Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth() + 1, 0)).getUTCDate()
}

/**
 * Adds months to a moment, on day `anchor` of the month (by default the same day). If the month is too short,
 * its last day is used: 31 January plus one month is 28 or 29 February.
 */
export function addMonths(moment: Date, months: number, anchor = moment.getUTCDate()): Date {
  const first = new Date(moment)
  first.setUTCDate(1)
  first.setUTCMonth(first.getUTCMonth() + months)
  first.setUTCDate(Math.min(anchor, daysInMonth(first)))
  return first
}

/** Returns the whole months between two moments; 0 if `end` is not later. */
export function monthsBetween(start: Date, end: Date, anchor?: number): number {
  const calendar =
    (end.getUTCFullYear() - start.getUTCFullYear()) * 12 + end.getUTCMonth() - start.getUTCMonth()
  const isFull = addMonths(start, calendar, anchor).getTime() <= end.getTime()
  return Math.max(0, isFull ? calendar : calendar - 1)
}

/** Returns the whole days between two moments; 0 if `end` is not later. */
export function daysBetween(start: Date, end: Date): number {
  return Math.max(0, Math.floor((end.getTime() - start.getTime()) / dayLength))
}

/**
 * Returns the day of the month on which billing periods begin. A short month moves a period to its last day;
 * one that began on the 31st returns to the 31st afterwards.
 */
export function anchorDay(began: Date, periodStart: Date): number {
  const today = periodStart.getUTCDate()
  return today === daysInMonth(periodStart) ? Math.max(today, began.getUTCDate()) : today
}
