import { InvalidAnswer } from './protocol-errors.ts'

/** Characters of a reply; with code and line end it stays below the 512 octets of RFC 5321 §4.5.3.1.5. */
const longestReply = 400
/** Characters of a header line without its line end (RFC 5322 §2.1.1). */
const longestLine = 998

/** Text that fits into one line of an SMTP reply: printable ASCII, at most 400 characters. */
export function replyText(text: string): string {
  return oneLine(text)
    .replace(/[^ -~]/gu, '?')
    .slice(0, longestReply)
    .trimEnd()
}

/** The text without control characters and line breaks, which become single spaces. */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim()
}

export interface SmtpReply {
  readonly code: string
  /** Enhanced status code (RFC 3463), of the same class as the code. */
  readonly status: string
  readonly text: string
}

/** Reads `550 5.7.1 Text`. Throws `InvalidAnswer` for anything but a negative reply with an enhanced status code. */
export function readReply(reply: string): SmtpReply {
  const [, code = '', status = '', text = ''] =
    /^([45][0-5]\d) ([45]\.\d{1,3}\.\d{1,3})(?: (.*))?$/s.exec(reply) ?? []
  if (code === '' || code[0] !== status[0]) throw new InvalidAnswer('not a negative reply with status code')
  return { code, status, text: replyText(text) }
}

/** Checks the name of a header field (RFC 5322 §2.2). Throws `InvalidAnswer`. */
export function headerName(name: string): string {
  if (!/^[!-9;-~]{1,76}$/.test(name)) throw new InvalidAnswer('not the name of a header field')
  return name
}

/** Checks and cleans `Name: value` for a single line. Throws `InvalidAnswer`. */
export function headerLine(header: string): string {
  const colon = header.indexOf(':')
  const name = headerName(header.slice(0, Math.max(0, colon)))
  return `${name}: ${oneLine(header.slice(colon + 1))}`.slice(0, longestLine)
}
