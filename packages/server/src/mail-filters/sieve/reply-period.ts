import type { OutOfOffice } from '@gatehouse/contract/mail/mail-filters'

/** The moments between which replies are sent; null: no limit. */
export interface ReplyPeriod {
  readonly start: Date | null
  readonly end: Date | null
}

/** Converts days in a time zone, both inclusive, to moments: a fixed offset would be wrong after a clock change. */
export function replyPeriod({ from, until, timeZone }: OutOfOffice): ReplyPeriod {
  return {
    start: from === null ? null : midnight(from, timeZone),
    end: until === null ? null : midnight(dayAfter(until), timeZone),
  }
}

/** Whether a text is the name of a time zone. */
export function isTimeZone(text: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: text })
    return true
  } catch {
    return false
  }
}

/** The first moment of a day: midnight, or later where the clocks are changed at midnight. */
function midnight(day: string, timeZone: string): Date {
  const wanted = Date.parse(`${day}T00:00:00Z`)
  // the offset is looked up where the day begins; the second look corrects it if the first was across a clock change
  const first = wanted - offsetAt(wanted, timeZone)
  return new Date(wanted - offsetAt(first, timeZone))
}

/** Milliseconds by which the zone's clocks are ahead of UTC. */
function offsetAt(time: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en', {
    ...{ timeZone, calendar: 'gregory', numberingSystem: 'latn', hourCycle: 'h23' },
    ...{
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    },
  }).formatToParts(time)
  const part = (type: Intl.DateTimeFormatPartTypes) => Number(parts.find((one) => one.type === type)?.value)
  const shown = Date.UTC(
    ...([part('year'), part('month') - 1, part('day')] as const),
    ...([part('hour'), part('minute'), part('second')] as const),
  )
  return shown - Math.floor(time / 1000) * 1000
}

function dayAfter(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10)
}
