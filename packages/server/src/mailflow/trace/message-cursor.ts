/** Where a page of messages ends: time and id of the newest matching decision of its last message. */
export interface MessageCursor {
  readonly at: Date
  readonly id: string
}

/** Writes a cursor for the next request. */
export function cursorText({ at, id }: MessageCursor): string {
  return `${at.getTime()}_${id}`
}

/** Reads a cursor in the form that the contract has checked; undefined: the first page. */
export function readCursor(text: string | null | undefined): MessageCursor | undefined {
  if (text == null) return undefined
  const [time = '', id = ''] = text.split('_')
  return { at: new Date(Number(time)), id }
}

/** Whether a place is after a cursor, in the order of newest first. */
export function isAfter(place: MessageCursor, cursor: MessageCursor): boolean {
  const [time, end] = [place.at.getTime(), cursor.at.getTime()]
  return time < end || (time === end && place.id < cursor.id)
}
