/** The time at the beginning of a log line, and how many characters it takes. */
export interface LineTime {
  readonly at: Date
  readonly length: number
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const day = 86_400_000

/** Reads the time of syslog (`Nov  6 17:45:01 `, local) or of RFC 3339; undefined: there is none. */
export function lineTime(line: string, now: Date): LineTime | undefined {
  return /^\d/.test(line) ? rfc3339(line) : syslog(line, now)
}

function rfc3339(line: string): LineTime | undefined {
  const match = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)) /.exec(line)
  const at = new Date(match?.[1] ?? '')
  return match === null || Number.isNaN(at.getTime()) ? undefined : { at, length: match[0].length }
}

function syslog(line: string, now: Date): LineTime | undefined {
  const match = /^([A-Z][a-z]{2}) ([ \d]\d) (\d\d):(\d\d):(\d\d) /.exec(line)
  if (match === null) return undefined
  const month = months.indexOf(match[1] ?? '')
  const [date = 0, hours = 0, minutes = 0, seconds = 0] = match.slice(2).map(Number)
  if (month < 0 || date < 1 || date > 31 || hours > 23 || minutes > 59 || seconds > 60) return undefined
  const inYear = (year: number) => new Date(year, month, date, hours, minutes, seconds)
  // a line of December is read in January, and clocks of other hosts may be ahead
  const thisYear = inYear(now.getFullYear())
  const at = thisYear.getTime() > now.getTime() + day ? inYear(now.getFullYear() - 1) : thisYear
  return { at, length: match[0].length }
}
