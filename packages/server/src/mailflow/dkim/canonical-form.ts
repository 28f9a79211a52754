import { createHash } from 'node:crypto'

/** Bytes of a body that are changed into canonical form at once. */
const pieceLength = 1024 * 1024

/** A field in the form `relaxed` (RFC 6376 §3.4.2), without a line break at its end. */
export function relaxedField(field: string): string {
  const colon = field.indexOf(':')
  const name = field.slice(0, colon).trimEnd().toLowerCase()
  const value = field
    .slice(colon + 1)
    .replaceAll('\r\n', '')
    .replaceAll(/[ \t]+/g, ' ')
  return `${name}:${value.replace(/^ | $/g, '')}`
}

/** The SHA-256 hash of a body in the form `relaxed` (RFC 6376 §3.4.4), in Base64. Lines end with CRLF. */
export function relaxedBodyHash(body: Buffer): string {
  const hash = createHash('sha256')
  // nearly all bodies are in this form already, apart from their end
  const isPlain = !['\t', '  ', ' \r\n'].some((text) => body.includes(text)) && body.at(-1) !== 0x20
  const pieces = isPlain ? [body] : relaxedPieces(body)
  // empty lines at the end don't count, and what they end isn't known before
  let emptyLines = 0
  let isEmpty = true
  for (const piece of pieces) {
    let end = piece.length
    while (end > 1 && piece[end - 1] === 0x0a && piece[end - 2] === 0x0d) end -= 2
    const breaks = (piece.length - end) / 2
    if (end > 0) {
      for (; emptyLines > 0; emptyLines--) hash.update('\r\n')
      hash.update(piece.subarray(0, end))
      isEmpty = false
    }
    emptyLines += breaks
  }
  if (!isEmpty) hash.update('\r\n')
  return hash.digest('base64')
}

/** The body in pieces that end with a line. */
function* relaxedPieces(body: Buffer): Generator<Buffer> {
  for (let start = 0; start < body.length; ) {
    const lineEnd = body.indexOf('\r\n', Math.min(body.length, start + pieceLength))
    const end = lineEnd < 0 ? body.length : lineEnd + 2
    const text = body.toString('latin1', start, end).replaceAll(/[ \t]+/g, ' ')
    yield Buffer.from(text.replaceAll(/ (?=\r\n|$)/g, ''), 'latin1')
    start = end
  }
}
