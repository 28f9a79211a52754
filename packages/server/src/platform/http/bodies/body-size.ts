import { BadRequest, PayloadTooLarge } from '../errors.ts'

/** Maximum number of keys per input, at any depth. The product's forms have a few dozen. */
const mostKeys = 1000
/** Maximum number of list entries per input. */
const mostEntries = 20_000
/** Maximum depth. Deeper input is rejected before a parser recurses into it. */
const deepest = 64

const quote = 0x22
const backslash = 0x5c

/**
 * Scans JSON before it is parsed. The cost of parsing and validation depends on the number of keys, so even a
 * small body could block the server. Malformed JSON is left to the parser. Throws PayloadTooLarge for too many
 * keys or entries and BadRequest for too deep nesting.
 */
export function checkJsonSize(text: string): void {
  let keys = 0
  let entries = 0
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case quote:
        at = endOfString(text, at)
        break
      case 0x3a: // :
        if (++keys > mostKeys) throw new PayloadTooLarge()
        break
      case 0x2c: // ,
        if (++entries > mostEntries) throw new PayloadTooLarge()
        break
      case 0x5b: // [
      case 0x7b: // {
        if (++depth > deepest) throw new BadRequest()
        if (++entries > mostEntries) throw new PayloadTooLarge()
        break
      case 0x5d: // ]
      case 0x7d: // }
        depth--
        break
    }
  }
}

/** Returns the position of the closing quote of the string that begins at `start`. */
function endOfString(text: string, start: number): number {
  let at = start
  for (;;) {
    at = text.indexOf('"', at + 1)
    if (at < 0) return text.length
    let backslashes = 0
    while (text.charCodeAt(at - 1 - backslashes) === backslash) backslashes++
    if (backslashes % 2 === 0) return at
  }
}

/** Same for forms and queries, whose fields are separated by `&`. Throws PayloadTooLarge. */
export function checkFormSize(text: string): void {
  checkCount(text, '&', mostKeys)
}

/** Same for the parts of a multipart form, each of which begins with the boundary. Throws PayloadTooLarge. */
export function checkPartCount(body: Buffer | string, boundary: string): void {
  checkCount(body, `--${boundary}`, 100)
}

function checkCount(text: string | Buffer, mark: string, most: number): void {
  let at = text.indexOf(mark)
  for (let count = 0; at >= 0; count++) {
    if (count >= most) throw new PayloadTooLarge()
    at = text.indexOf(mark, at + mark.length)
  }
}
