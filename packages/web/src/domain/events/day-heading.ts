import { locales } from '@gatehouse/contract/language'
import { day, toDate } from '../../i18n/format.ts'
import { currentLanguage } from '../../i18n/i18n.ts'

const dayLong = 86_400_000

/**
 * Formats the day in the reader's time zone: “Today, 10 March”, “Monday, 9 March”, with the year if it isn't
 * the current one.
 */
export function dayHeading(moment: string, now: Date): string {
  const at = toDate(moment)
  const back = Math.round((midnight(now) - midnight(at)) / dayLong)
  if (back !== 0 && back !== 1) {
    const year = at.getFullYear() === now.getFullYear() ? undefined : 'numeric'
    return day(at, { weekday: 'long', day: 'numeric', month: 'long', year })
  }
  const locale = locales[currentLanguage()]
  const near = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(-back, 'day')
  return `${near.charAt(0).toLocaleUpperCase(locale)}${near.slice(1)}, ${day(at, { day: 'numeric', month: 'long' })}`
}

function midnight(moment: Date): number {
  return new Date(moment.getFullYear(), moment.getMonth(), moment.getDate()).getTime()
}
