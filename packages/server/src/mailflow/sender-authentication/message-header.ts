/** One field of a header, as it was sent. */
export interface HeaderField {
  /** Lower case. */
  readonly name: string
  /** The whole field in Latin-1, lines joined by CRLF, without the last line break. */
  readonly line: string
}

export interface SplitMessage {
  readonly fields: readonly HeaderField[]
  /** Lines end with CRLF. */
  readonly body: Buffer
  /** The header is larger than any real one; `fields` are those of its beginning. */
  readonly isOversized: boolean
}

const largestHeader = 1024 * 1024
const mostLines = 20_000
/** Fields that are parsed, not only hashed; a real one has some hundred characters. */
const longestParsedField = 16 * 1024
const parsedFields: ReadonlySet<string> = new Set(['from', 'content-type', 'return-path'])

/**
 * Splits a message into the fields of its header and its body, whatever its line breaks are (RFC 5322 §2.1). Never fails:
 * what isn't a field is left out, and a message without a blank line is a header only.
 */
export function splitMessage(message: Buffer): SplitMessage {
  const { headerEnd, bodyStart } = findBody(message)
  const head = message.subarray(0, Math.min(headerEnd, largestHeader)).toString('latin1')
  const lines = head.split('\n')
  const fields = readFields(lines.slice(0, mostLines))
  const isOversized =
    headerEnd > largestHeader ||
    lines.length > mostLines ||
    fields.some(({ name, line }) => parsedFields.has(name) && line.length > longestParsedField)
  return { fields, body: withCrlf(message.subarray(bodyStart)), isOversized }
}

/** The text after the colon, unfolded, read as UTF-8 (RFC 6532). */
export function fieldValue({ line }: HeaderField): string {
  const value = line.slice(line.indexOf(':') + 1).replaceAll('\r\n', '')
  return Buffer.from(value, 'latin1').toString('utf8').trim()
}

/** A message that has only some of the fields. */
export function joinMessage(fields: readonly HeaderField[], body: Buffer): Buffer {
  const head = fields.map(({ line }) => `${line}\r\n`).join('')
  return Buffer.concat([Buffer.from(`${head}\r\n`, 'latin1'), body])
}

function readFields(lines: readonly string[]): HeaderField[] {
  const groups: string[][] = []
  for (const raw of lines) {
    const line = raw.replace(/\r$/, '').replaceAll('\r', ' ')
    if (/^[ \t]/.test(line)) groups.at(-1)?.push(line)
    else if (line !== '') groups.push([line])
  }
  return groups.flatMap((group) => {
    const line = group.join('\r\n')
    const name = /^([\x21-\x39\x3b-\x7e]{1,200})[ \t]{0,20}:/.exec(line)?.[1]
    return name === undefined ? [] : [{ name: name.toLowerCase(), line }]
  })
}

/** The first blank line ends the header. */
function findBody(message: Buffer): { headerEnd: number; bodyStart: number } {
  for (let start = 0; start < message.length; ) {
    const end = message.indexOf(0x0a, start)
    if (end < 0) break
    if (end === start || (end === start + 1 && message[start] === 0x0d)) {
      return { headerEnd: start, bodyStart: end + 1 }
    }
    start = end + 1
  }
  return { headerEnd: message.length, bodyStart: message.length }
}

/** Makes all line breaks CRLF. The library handles a lone LF as a chunk of its own, which is slow for a body full of them. */
export function withCrlf(body: Buffer): Buffer {
  let lone = 0
  for (let at = 0; at < body.length; at++) if (body[at] === 0x0a && body[at - 1] !== 0x0d) lone++
  if (lone === 0) return body
  const whole = Buffer.allocUnsafe(body.length + lone)
  let end = 0
  for (let at = 0; at < body.length; at++) {
    const byte = body[at] ?? 0
    if (byte === 0x0a && body[at - 1] !== 0x0d) whole[end++] = 0x0d
    whole[end++] = byte
  }
  return whole
}
