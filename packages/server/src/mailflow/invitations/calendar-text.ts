import ICAL from 'ical.js'
import { checkTimeZones } from './time-zones.ts'

/** A calendar text that can't be read, or that exceeds a limit. */
export class MalformedCalendarError extends Error {}

/** Far more than invitations have, and little enough to be read in a moment. */
const limits = {
  characters: 1024 * 1024,
  lines: 30_000,
  components: 1000,
  depth: 4,
  parameters: 40,
  dates: 1000,
}

/** Reads one VCALENDAR (RFC 5545 §3.4). Throws MalformedCalendarError, whatever the text. */
export function parseCalendar(text: string): ICAL.Component {
  checkLines(text)
  try {
    const calendar = ICAL.Component.fromString(text)
    if (calendar.name !== 'vcalendar') throw new MalformedCalendarError('not exactly one VCALENDAR')
    checkTimeZones(calendar)
    for (const component of calendar.getAllSubcomponents()) checkDates(component)
    return calendar
  } catch (error) {
    throw asMalformed(error)
  }
}

/** Runs on a text that parsed: values are read only when they're asked for, and may turn out to be malformed then. */
export function whileReading<Result>(run: () => Result): Result {
  try {
    return run()
  } catch (error) {
    throw asMalformed(error)
  }
}

/** The library throws errors of many kinds. Some can only be a mistake in the code, and stay as they are. */
function asMalformed(error: unknown): unknown {
  if (error instanceof MalformedCalendarError || error instanceof ReferenceError) return error
  return new MalformedCalendarError(String(error))
}

function checkLines(text: string): void {
  if (text.length > limits.characters) throw new MalformedCalendarError('too long')
  if (text.split('\n', limits.lines + 1).length > limits.lines)
    throw new MalformedCalendarError('too many lines')
  let [components, depth] = [0, 0]
  // names may be folded too
  for (const line of text.replace(/\r?\n[ \t]/g, '').split(/\r?\n/)) {
    if (/^BEGIN:/i.test(line)) {
      components++
      depth++
    } else if (/^END:/i.test(line)) depth--
    // the library's tables are plain objects, whose inherited names it would take for properties
    else if (/^(__proto__|constructor|toString|valueOf|hasOwnProperty|isPrototypeOf)\b/i.test(line)) {
      throw new MalformedCalendarError('unknown property')
    }
    if (depth > limits.depth || depth < 0) throw new MalformedCalendarError('too deep')
    if (components > limits.components) throw new MalformedCalendarError('too many components')
    checkParameters(line)
  }
}

/** Dates are compared with each other. */
function checkDates(component: ICAL.Component): void {
  let dates = 0
  for (const name of ['exdate', 'rdate']) {
    for (const property of component.getAllProperties(name)) dates += property.getValues().length
  }
  if (dates > limits.dates) throw new MalformedCalendarError('too many dates')
}

/** Reading a line takes a time that grows with the square of its parameters. */
function checkParameters(line: string): void {
  let [parameters, isQuoted] = [0, false]
  for (let at = 0; at < line.length; at++) {
    const character = line.charAt(at)
    if (character === '"') isQuoted = !isQuoted
    else if (character === ':' && !isQuoted) break
    else if (character === ';' || character === ',') parameters++
    if (parameters > limits.parameters) throw new MalformedCalendarError('too many parameters')
  }
}
