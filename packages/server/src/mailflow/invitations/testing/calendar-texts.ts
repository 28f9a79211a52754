/** A time zone as calendar programs write it. */
export const zurichZone = `BEGIN:VTIMEZONE
TZID:Europe/Zurich
BEGIN:STANDARD
DTSTART:19701025T030000
TZOFFSETFROM:+0200
TZOFFSETTO:+0100
RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU
END:STANDARD
BEGIN:DAYLIGHT
DTSTART:19700329T020000
TZOFFSETFROM:+0100
TZOFFSETTO:+0200
RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU
END:DAYLIGHT
END:VTIMEZONE`

/** A calendar of components, with CRLF. A method makes it a message. */
export function calendarText(method: string | null, ...components: string[]): string {
  const head = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Test//EN']
  if (method !== null) head.push(`METHOD:${method}`)
  return [...head, zurichZone, ...components, 'END:VCALENDAR', ''].join('\n').replace(/\r?\n/g, '\r\n')
}

/** An event of the organiser boss@acme.test with the attendee jane@acme.test; lines replace those of the same name. */
export function eventText(...lines: string[]): string {
  const all = [
    'UID:event-1',
    'DTSTAMP:20260101T000000Z',
    'SEQUENCE:0',
    'DTSTART;TZID=Europe/Zurich:20260301T100000',
    'DTEND;TZID=Europe/Zurich:20260301T110000',
    'SUMMARY:Meeting',
    'ORGANIZER;CN=Boss:mailto:boss@acme.test',
    'ATTENDEE;CN=Jane;PARTSTAT=NEEDS-ACTION;RSVP=TRUE:mailto:jane@acme.test',
    'ATTENDEE;PARTSTAT=NEEDS-ACTION:mailto:bob@partner.test',
  ]
  const nameOf = (line: string) => /^[A-Z-]*/.exec(line)?.[0]
  const given = new Set(lines.map(nameOf))
  const kept = all.filter((line) => !given.has(nameOf(line)))
  const added = lines.filter((line) => line.includes(':'))
  return ['BEGIN:VEVENT', ...kept, ...added, 'END:VEVENT'].join('\n')
}

/** Lines of a calendar, unfolded, that start with one of the names. */
export function linesOf(text: string, ...names: string[]): string[] {
  const lines = text.replace(/\r\n[ \t]/g, '').split('\r\n')
  return lines.filter((line) => names.some((name) => new RegExp(`^${name}[;:]`).test(line)))
}
