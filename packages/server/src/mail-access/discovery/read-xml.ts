/** The document is malformed, too deep or contains declarations. */
export class UnreadableXml extends Error {
  override name = 'UnreadableXml'
}

const deepest = 32
const predefined: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/**
 * Returns the text of the first element with each name, in any namespace. Supports only what autodiscovery
 * clients send: document types are rejected, so only XML's five entities exist and nothing is ever fetched.
 * Takes linear time. Throws UnreadableXml.
 */
export function readElements(xml: string, names: readonly string[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  const open: { readonly name: string; text: string }[] = []
  let at = 0
  let hasRoot = false
  while (at < xml.length) {
    const start = xml.indexOf('<', at)
    const text = xml.slice(at, start < 0 ? xml.length : start)
    addText(open, decodeEntities(text))
    if (start < 0) break
    if (xml.startsWith('<!--', start)) {
      at = endOf(xml, '-->', start + 4)
    } else if (xml.startsWith('<![CDATA[', start)) {
      at = endOf(xml, ']]>', start + 9)
      addText(open, xml.slice(start + 9, at - 3))
    } else if (xml.startsWith('<?', start)) {
      at = endOf(xml, '?>', start + 2)
    } else if (xml.startsWith('<!', start)) {
      throw new UnreadableXml('a declaration')
    } else {
      at = endOf(xml, '>', start + 1)
      hasRoot = takeTag(xml.slice(start + 1, at - 1), { open, hasRoot, found, names })
    }
  }
  if (open.length > 0 || !hasRoot) throw new UnreadableXml('incomplete')
  return found
}

interface Reading {
  readonly open: { readonly name: string; text: string }[]
  readonly hasRoot: boolean
  readonly found: Map<string, string>
  readonly names: readonly string[]
}

/** Processes a start or end tag, ignoring attributes. Returns true from the first element on. */
function takeTag(tag: string, { open, hasRoot, found, names }: Reading): true {
  const name = /^\/?(?:[\w.-]{1,64}:)?([\w.-]{1,64})(?=[\s/]|$)/.exec(tag)?.[1]
  if (name === undefined) throw new UnreadableXml('a tag')
  if (tag.startsWith('/')) {
    const element = open.pop()
    if (element?.name !== name) throw new UnreadableXml('wrong nesting')
    if (names.includes(name) && !found.has(name)) found.set(name, element.text.trim())
    return true
  }
  if ((hasRoot && open.length === 0) || open.length >= deepest) throw new UnreadableXml('too much')
  if (!tag.endsWith('/')) open.push({ name, text: '' })
  return true
}

function addText(open: readonly { text: string }[], text: string): void {
  const innermost = open.at(-1)
  if (innermost !== undefined) innermost.text += text
  else if (text.trim() !== '') throw new UnreadableXml('text outside the root')
}

function endOf(xml: string, mark: string, from: number): number {
  const end = xml.indexOf(mark, from)
  if (end < 0) throw new UnreadableXml('not closed')
  return end + mark.length
}

function decodeEntities(text: string): string {
  return text.replaceAll(/&([^;&]{0,12});?/g, (_all, name: string) => {
    const [, hex, decimal] = /^#(?:x([0-9a-f]{1,6})|(\d{1,7}))$/i.exec(name) ?? []
    const point = hex === undefined ? Number(decimal ?? Number.NaN) : Number.parseInt(hex, 16)
    if (point > 0 && point <= 0x10ffff) return String.fromCodePoint(point)
    const character = Object.hasOwn(predefined, name) ? predefined[name] : undefined
    if (character === undefined) throw new UnreadableXml('an entity')
    return character
  })
}

/** Decodes a request body as UTF-8, or UTF-16 with a byte order mark. Throws UnreadableXml. */
export function readXmlText(body: Buffer): string {
  const isUtf16 = body.length >= 2 && (body.readUInt16BE(0) === 0xfffe || body.readUInt16BE(0) === 0xfeff)
  const encoding = isUtf16 ? (body[0] === 0xff ? 'utf-16le' : 'utf-16be') : 'utf-8'
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(body)
  } catch {
    throw new UnreadableXml('no text')
  }
}
