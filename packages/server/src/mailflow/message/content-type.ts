/** A value such as `text/calendar; charset=utf-8; method=REQUEST`, with names in lower case (RFC 2045 §5.1). */
export interface ParameterisedValue {
  readonly value: string
  readonly parameters: ReadonlyMap<string, string>
}

const maximumParameters = 50

/** Reads a Content-Type or Content-Disposition field, with quoted values and those of RFC 2231. Never throws. */
export function parseParameterised(text: string): ParameterisedValue {
  const pieces = splitOutsideQuotes(text)
  const value = (pieces[0] ?? '').trim().toLowerCase()
  const single = new Map<string, string>()
  const sections = new Map<string, Map<number, Section>>()
  for (const piece of pieces.slice(1, 1 + maximumParameters)) {
    const match = /^\s*([^\s=*]+)(?:\*(\d{1,3}))?(\*)?\s*=(.*)$/s.exec(piece)
    if (match === null) continue
    const [, name = '', number, star, raw = ''] = match
    const key = name.toLowerCase()
    const content = unquote(raw.trim())
    if (number === undefined && star === undefined) {
      if (!single.has(key)) single.set(key, content)
      continue
    }
    const list = sections.get(key) ?? new Map<number, Section>()
    list.set(Number(number ?? 0), { text: content, isEncoded: star !== undefined })
    sections.set(key, list)
  }
  for (const [key, list] of sections) single.set(key, joinSections(list))
  return { value, parameters: single }
}

interface Section {
  readonly text: string
  readonly isEncoded: boolean
}

function joinSections(list: ReadonlyMap<number, Section>): string {
  const bytes: Buffer[] = []
  let charset = 'utf-8'
  for (let number = 0; ; number++) {
    const section = list.get(number)
    if (section === undefined) break
    let { text } = section
    const prefix = number === 0 && section.isEncoded ? /^([^']*)'[^']*'/.exec(text) : null
    if (prefix !== null) {
      charset = prefix[1] || charset
      text = text.slice(prefix[0].length)
    }
    bytes.push(section.isEncoded ? percentDecoded(text) : Buffer.from(text))
  }
  try {
    return new TextDecoder(charset).decode(Buffer.concat(bytes))
  } catch {
    return Buffer.concat(bytes).toString('latin1')
  }
}

function percentDecoded(text: string): Buffer {
  const latin = Buffer.from(text).toString('latin1')
  return Buffer.from(
    latin.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  )
}

function unquote(text: string): string {
  if (!text.startsWith('"')) return /^[^\s(]*/.exec(text)?.[0] ?? ''
  const end = /^"((?:[^"\\]|\\.)*)/s.exec(text)
  return (end?.[1] ?? '').replace(/\\(.)/gs, '$1')
}

function splitOutsideQuotes(text: string): string[] {
  const pieces: string[] = []
  let [start, isQuoted] = [0, false]
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at)
    if (isQuoted && character === '\\') at++
    else if (character === '"') isQuoted = !isQuoted
    else if (character === ';' && !isQuoted) {
      pieces.push(text.slice(start, at))
      start = at + 1
    }
  }
  pieces.push(text.slice(start))
  return pieces
}
