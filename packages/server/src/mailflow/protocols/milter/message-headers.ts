import { InvalidAnswer } from '../connections/protocol-errors.ts'

/** A header field as it was received. */
export interface MilterHeader {
  readonly name: string
  /** All bytes after the colon, with the space that mostly follows it and with CRLF in folded values. */
  readonly raw: Buffer
}

/** Makes a field of what the mail server sent, in which lines end with LF. */
export function receivedHeader(name: string, value: Buffer, hasLeadingSpace: boolean): MilterHeader {
  // bytes stay as they are in latin1, also those that are no UTF-8
  const lines = value.toString('latin1').replace(/\r?\n/g, '\r\n')
  return { name, raw: Buffer.from(hasLeadingSpace ? lines : ` ${lines}`, 'latin1') }
}

/** The value of a field as text: unfolded, without space around it. */
export function headerText({ raw }: MilterHeader): string {
  return raw
    .toString('utf8')
    .replace(/\r\n(?=[ \t])/g, '')
    .trim()
}

/** The header section as it was received, with the empty line that ends it. */
export function headerSection(headers: readonly MilterHeader[]): Buffer {
  const end = Buffer.from('\r\n')
  const lines = headers.flatMap(({ name, raw }) => [Buffer.from(`${name}:`, 'latin1'), raw, end])
  return Buffer.concat([...lines, end])
}

/** Bytes of a value that is sent; Postfix cuts headers at 102,400. */
const longestValue = 60_000

/**
 * A header value as the mail server expects it: folded lines begin with a space or tab and end with LF. A line break
 * that is not folding becomes a space, so a value can never begin another field. Throws `InvalidAnswer` if it is too long.
 */
export function sentValue(value: string, hasLeadingSpace: boolean): string {
  let clean = ''
  for (const line of value.split(/\r\n|\r|\n/)) {
    const text = line.replace(/(?!\t)\p{Cc}/gu, '').trimEnd()
    if (text.trim() === '') continue
    if (clean === '') clean = text.trimStart()
    else clean += /^[ \t]/.test(text) ? `\n${text}` : ` ${text}`
  }
  if (Buffer.byteLength(clean) > longestValue) throw new InvalidAnswer('header value too long')
  return hasLeadingSpace && clean !== '' ? ` ${clean}` : clean
}
