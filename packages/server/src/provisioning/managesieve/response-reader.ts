/** A complete response to a command (RFC 5804 §4). */
export interface Response {
  readonly status: 'OK' | 'NO' | 'BYE'
  /** Human-readable text of the status line; empty if there is none. */
  readonly text: string
  /** The lines before the status line, as their words. */
  readonly lines: readonly (readonly string[])[]
}

/** What the server sent isn't ManageSieve. */
export class MalformedResponse extends Error {
  override name = 'MalformedResponse'
}

/** Maximum bytes of a response: a list of scripts, or a script. */
const maxBytes = 1024 * 1024

/** Reads responses from the bytes that a server sends. */
export class ResponseReader {
  #bytes = Buffer.alloc(0)
  #lines: string[][] = []

  /** Adds received bytes and returns a response if one is complete. Throws MalformedResponse. */
  add(bytes: Buffer): Response | undefined {
    this.#bytes = Buffer.concat([this.#bytes, bytes])
    if (this.#bytes.length > maxBytes) throw new MalformedResponse('the response is too long')
    for (;;) {
      const found = readLine(this.#bytes)
      if (found === undefined) return undefined
      this.#bytes = this.#bytes.subarray(found.length)
      const [status, ...words] = found.words
      if (status?.isString !== false || !isStatus(status.text)) {
        this.#lines.push(found.words.map(({ text }) => text))
        continue
      }
      const lines = this.#lines
      this.#lines = []
      const text = words.findLast(({ isString }) => isString)?.text ?? ''
      return { status: status.text, text, lines }
    }
  }
}

interface Word {
  readonly text: string
  /** A string, not an atom such as OK. */
  readonly isString: boolean
}

function isStatus(text: string): text is Response['status'] {
  return text === 'OK' || text === 'NO' || text === 'BYE'
}

const atom = /^[^\s"{]+/
const quotedString = /^"((?:[^"\\\r\n]|\\.)*)"/
const literal = /^\{(\d{1,9})\+?\}\r\n/

/** Reads a line, which may continue after literals; undefined if it isn't complete yet. */
function readLine(bytes: Buffer): { words: Word[]; length: number } | undefined {
  const words: Word[] = []
  let at = 0
  for (;;) {
    if (bytes[at] === 0x20) {
      at++
      continue
    }
    const end = bytes.indexOf('\r\n', at)
    if (end === -1) return undefined
    if (end === at) return { words, length: at + 2 }
    const rest = bytes.toString('latin1', at, end + 2)
    const [counted, count] = literal.exec(rest) ?? []
    if (counted !== undefined) {
      const start = at + counted.length
      const stop = start + Number(count)
      if (bytes.length < stop) return undefined
      words.push({ text: bytes.toString('utf8', start, stop), isString: true })
      at = stop
      continue
    }
    const [string, inner] = quotedString.exec(rest) ?? []
    if (string !== undefined) {
      const text = Buffer.from(inner ?? '', 'latin1').toString('utf8')
      words.push({ text: text.replaceAll(/\\(.)/g, '$1'), isString: true })
      at += string.length
      continue
    }
    const [name] = atom.exec(rest) ?? []
    if (name === undefined) throw new MalformedResponse('the response has an unknown form')
    words.push({ text: name.toUpperCase(), isString: false })
    at += name.length
  }
}
