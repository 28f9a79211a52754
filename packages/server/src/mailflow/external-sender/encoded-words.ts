/** One encoded word: charset, optional language, encoding, text (RFC 2047 §2, RFC 2231 §5). */
const encodedWord = /=\?([^?\s*]+)(?:\*[^?\s]*)?\?([bq])\?([^?\s]*)\?=/gi

/**
 * Decodes the encoded words of an unfolded header value. Characters that a sender split over two words are joined.
 * Words in an unknown charset stay as they are.
 */
export function decodeEncodedWords(value: string): string {
  const runs: Run[] = []
  let end = 0
  for (const match of value.matchAll(encodedWord)) {
    const [whole, charset = '', encoding = '', text = ''] = match
    const between = value.slice(end, match.index)
    const last = runs.at(-1)
    const isAdjacent = last?.charset !== undefined && /^\s*$/.test(between)
    if (!isAdjacent) runs.push({ raw: between, bytes: [] })
    const bytes = encoding.toLowerCase() === 'b' ? [Buffer.from(text, 'base64')] : [decodeQ(text)]
    if (isAdjacent && last.charset === charset.toLowerCase()) {
      last.raw += between + whole
      last.bytes.push(...bytes)
    } else runs.push({ raw: whole, charset: charset.toLowerCase(), bytes })
    end = match.index + whole.length
  }
  return runs.map(readRun).join('') + value.slice(end)
}

/** Text as it stands, or neighbouring words of one charset. */
interface Run {
  raw: string
  readonly charset?: string
  readonly bytes: Buffer[]
}

function readRun({ raw, charset, bytes }: Run): string {
  if (charset === undefined) return raw
  try {
    return new TextDecoder(charset).decode(Buffer.concat(bytes))
  } catch {
    return raw
  }
}

function decodeQ(text: string): Buffer {
  const latin = text.replaceAll('_', ' ').replace(/=([0-9a-f]{2})/gi, (_, hex: string) => {
    return String.fromCharCode(Number.parseInt(hex, 16))
  })
  return /[^\0-\xff]/.test(latin) ? Buffer.from(latin) : Buffer.from(latin, 'latin1')
}

/** Bytes of UTF-8 in one word, so that a line with it stays within 76 characters. */
const bytesPerWord = 45

/** Writes a text as header value: as it is when ASCII can say it, else in encoded words, each on a line of its own. */
export function encodeHeaderText(text: string): string {
  const clean = text.replace(/[\p{Cc}\p{Cs}]+/gu, ' ')
  if (/^[ -~]*$/.test(clean) && !clean.includes('=?')) return clean
  const words: string[] = []
  let [part, size] = ['', 0]
  for (const character of clean) {
    const length = Buffer.byteLength(character)
    if (size + length > bytesPerWord) {
      words.push(part)
      part = ''
      size = 0
    }
    part += character
    size += length
  }
  words.push(part)
  return words.map((word) => `=?UTF-8?B?${Buffer.from(word).toString('base64')}?=`).join('\n ')
}
