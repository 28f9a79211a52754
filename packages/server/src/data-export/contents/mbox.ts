/** A message as IMAP describes it. */
export interface MessageFlags {
  readonly flags: readonly string[]
  /** Seconds since 1970. */
  readonly receivedAt: number
}

const days = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** Bytes of a line from which it is passed on in parts. */
const longLine = 64 * 1024

/**
 * The line that separates messages in a mailbox file (RFC 4155), and the headers with which mail programs mark messages
 * as read, answered and so on.
 */
export function separator({ flags, receivedAt }: MessageFlags): string {
  const date = new Date(receivedAt * 1000)
  const two = (value: number) => String(value).padStart(2, '0')
  const time = [date.getUTCHours(), date.getUTCMinutes(), date.getUTCSeconds()].map(two).join(':')
  const dayOfMonth = String(date.getUTCDate()).padStart(2, ' ')
  const day = `${days[date.getUTCDay()]} ${months[date.getUTCMonth()]} ${dayOfMonth}`
  const has = (flag: string) => flags.some((one) => one.toLowerCase() === flag)
  const marks = [
    has('\\answered') && 'A',
    has('\\flagged') && 'F',
    has('\\draft') && 'T',
    has('\\deleted') && 'D',
  ]
  const status = `Status: ${has('\\seen') ? 'RO' : 'O'}\n`
  const more = marks.filter((mark) => mark !== false).join('')
  return `From MAILER-DAEMON ${day} ${time} ${date.getUTCFullYear()}\n${status}${more === '' ? '' : `X-Status: ${more}\n`}`
}

/** Yields a message for a mailbox file: with short line ends, and lines that look like separators quoted (mboxrd). */
export async function* quotedMessage(content: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let rest = ''
  // whether a long line was begun: its rest is no line
  let isInside = false
  for await (const part of content) {
    const lines = (rest + Buffer.from(part).toString('latin1')).split('\n')
    rest = lines.pop() ?? ''
    const ready = lines.map((line, at) => `${quoted(line, at === 0 && isInside)}\n`).join('')
    if (lines.length > 0) isInside = false
    if (ready !== '') yield Buffer.from(ready, 'latin1')
    if (rest.length > longLine) {
      // what may be the first half of a line end stays
      const held = rest.endsWith('\r') ? 1 : 0
      yield Buffer.from(quotedStart(rest.slice(0, rest.length - held), isInside), 'latin1')
      rest = rest.slice(rest.length - held)
      isInside = true
    }
  }
  const last = rest === '' ? '' : `${quoted(rest, isInside)}\n`
  yield Buffer.from(`${last}\n`, 'latin1')
}

function quoted(line: string, isInside: boolean): string {
  return quotedStart(line.endsWith('\r') ? line.slice(0, -1) : line, isInside)
}

function quotedStart(line: string, isInside: boolean): string {
  return !isInside && /^>*From /.test(line) ? `>${line}` : line
}
