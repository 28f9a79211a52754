import type { Message, MessagePart, PartFilter } from '../message/message-reader.ts'
import { decodedText } from '../message/part-text.ts'

const calendarTypes = ['text/calendar', 'text/x-vcalendar', 'application/ics']

/** Keeps the parts that may be an invitation. Archives are never opened. */
export const isCalendarPart: PartFilter = ({ contentType }) => calendarTypes.includes(contentType.value)

/**
 * The text of the invitation in a message, wherever it is: of several parts the one that names a method, as clients attach
 * the same calendar a second time as a file. Undefined if there is none, or none that is whole.
 */
export function calendarTextOf(message: Pick<Message, 'parts'>): string | undefined {
  const parts = message.parts.filter(
    (part) => isCalendarPart(part) && part.content !== undefined && part.isWhole,
  )
  const part = parts.find(namesMethod) ?? parts[0]
  return part === undefined ? undefined : decodedText(part)
}

function namesMethod({ contentType }: MessagePart): boolean {
  return contentType.parameters.has('method')
}
