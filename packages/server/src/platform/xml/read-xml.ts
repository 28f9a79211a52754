import { SaxesParser } from 'saxes'

/** The document is malformed, too deep or has a document type. */
export class UnreadableXml extends Error {
  override name = 'UnreadableXml'
}

/** An element with its namespace resolved. */
export interface XmlNode {
  readonly namespace: string
  /** Without prefix. */
  readonly name: string
  /** Attributes without namespace, by name. */
  readonly attributes: ReadonlyMap<string, string>
  readonly children: readonly XmlNode[]
  /** The element's own text, without that of its children. */
  readonly text: string
}

interface OpenNode extends XmlNode {
  readonly children: OpenNode[]
  text: string
}

const deepest = 32

/**
 * Parses a document with namespaces. Document types are rejected, so only XML's five entities exist and nothing is ever
 * fetched. Takes linear time. Throws UnreadableXml.
 */
export function readXml(xml: string): XmlNode {
  const open: OpenNode[] = []
  const top: OpenNode[] = []
  const addText = (text: string) => {
    const innermost = open.at(-1)
    if (innermost !== undefined) innermost.text += text
  }
  const parser = new SaxesParser({ xmlns: true })
  parser.on('error', (error) => {
    throw new UnreadableXml(error.message)
  })
  parser.on('doctype', () => {
    throw new UnreadableXml('a document type')
  })
  parser.on('opentag', ({ uri, local, attributes }) => {
    if (open.length >= deepest) throw new UnreadableXml('too deep')
    const plain = Object.values(attributes).filter((one) => one.uri === '')
    const values = new Map(plain.map((one) => [one.local, one.value]))
    const node: OpenNode = { namespace: uri, name: local, attributes: values, children: [], text: '' }
    const siblings = open.at(-1)?.children ?? top
    siblings.push(node)
    open.push(node)
  })
  parser.on('closetag', () => {
    open.pop()
  })
  parser.on('text', addText)
  parser.on('cdata', addText)
  parser.write(xml).close()
  const [root] = top
  if (root === undefined) throw new UnreadableXml('no element')
  return root
}

/** Returns the trimmed text of the first element with each name, in any namespace. Throws UnreadableXml. */
export function readElements(xml: string, names: readonly string[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  const visit = (node: XmlNode) => {
    if (names.includes(node.name) && !found.has(node.name)) found.set(node.name, node.text.trim())
    for (const child of node.children) visit(child)
  }
  visit(readXml(xml))
  return found
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
