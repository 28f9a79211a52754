import { day } from './clock.ts'

const dayLength = day * 1000

/** Days of the month that a moment lies in, UTC. */
export function daysInMonth(moment: Date): number {
  return new Date(Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth() + 1, 0)).getUTCDate()
}

/**
 * The moment so many months later, on day `anchor` of the month, by default the same day. A month that is too
 * short for it ends on its last day: 31 January and one month is 28 or 29 February.
 */
export function addMonths(moment: Date, months: number, anchor = moment.getUTCDate()): Date {
  const first = new Date(moment)
  first.setUTCDate(1)
  first.setUTCMonth(first.getUTCMonth() + months)
  first.setUTCDate(Math.min(anchor, daysInMonth(first)))
  return first
}

/** Whole months from one moment to another; 0 when the other is not later. */
export function monthsBetween(start: Date, end: Date, anchor?: number): number {
  const calendar =
    (end.getUTCFullYear() - start.getUTCFullYear()) * 12 + end.getUTCMonth() - start.getUTCMonth()
  const isFull = addMonths(start, calendar, anchor).getTime() <= end.getTime()
  return Math.max(0, isFull ? calendar : calendar - 1)
}

/** Whole days from one moment to another; 0 when the other is not later. */
export function daysBetween(start: Date, end: Date): number {
  return Math.max(0, Math.floor((end.getTime() - start.getTime()) / dayLength))
}

/**
 * The day of the month that periods of something begin on. A short month moves a period to its last day; what
 * began on the 31st goes back to the 31st after it.
 */
export function anchorDay(began: Date, periodStart: Date): number {
  const today = periodStart.getUTCDate()
  return today === daysInMonth(periodStart) ? Math.max(today, began.getUTCDate()) : today
}
