import type { BookingRequest } from '@gatehouse/contract/mail/booking-requests'
import { day } from '../../i18n/format.ts'

/** When a booking starts, in the zone in which the organizer wrote it; undefined: unknown. */
export function bookingTime({
  starts,
  timeZone,
}: Pick<BookingRequest, 'starts' | 'timeZone'>): string | undefined {
  if (starts === null) return undefined
  const isDay = !starts.includes('T')
  // the local time, formatted as if it were UTC
  const at = new Date(isDay ? `${starts}T00:00:00Z` : `${starts}Z`)
  if (Number.isNaN(at.getTime())) return undefined
  const time = isDay ? {} : ({ timeStyle: 'short' } as const)
  const shown = day(at, { dateStyle: 'full', timeZone: 'UTC', ...time })
  return timeZone === null || isDay ? shown : `${shown} (${timeZone})`
}
