/** An XML element: name, attributes and content. */
export interface XmlElement {
  readonly name: string
  readonly attributes?: Readonly<Record<string, string>>
  readonly content: string | readonly XmlElement[]
}

export function element(
  name: string,
  content: XmlElement['content'],
  attributes?: XmlElement['attributes'],
): XmlElement {
  return attributes === undefined ? { name, content } : { name, content, attributes }
}

/** Renders a document; the only place where texts and values are escaped. */
export function writeXml(root: XmlElement): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${write(root, '')}`
}

function write({ name, attributes = {}, content }: XmlElement, indent: string): string {
  const values = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeXml(value)}"`)
  const start = `${indent}<${name}${values.join('')}>`
  if (typeof content === 'string') return `${start}${escapeXml(content)}</${name}>\n`
  return `${start}\n${content.map((part) => write(part, `${indent}  `)).join('')}${indent}</${name}>\n`
}

/** Omits characters that XML 1.0 can't contain. */
function escapeXml(text: string): string {
  return text
    .replaceAll(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&apos;')
}
