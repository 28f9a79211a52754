import { element, type XmlElement } from '../../../platform/xml/write-xml.ts'

/** Namespaces of WebDAV (RFC 4918), CardDAV (RFC 6352) and Apple's change tags. */
export const dav = 'DAV:'
export const carddav = 'urn:ietf:params:xml:ns:carddav'
export const calendarServer = 'http://calendarserver.org/ns/'

const prefixes: ReadonlyMap<string, string> = new Map([
  [dav, 'd'],
  [carddav, 'c'],
  [calendarServer, 'cs'],
])

/** Declarations for the root element of an answer. */
export const declarations = Object.fromEntries(
  [...prefixes].map(([namespace, prefix]) => [`xmlns:${prefix}`, namespace]),
)

export interface PropertyName {
  readonly namespace: string
  readonly name: string
}

/** A property's name as a key of maps. */
export const keyOf = ({ namespace, name }: PropertyName) => `${namespace} ${name}`

/** Writes a property of any namespace. */
export function property({ namespace, name }: PropertyName, content: XmlElement['content']): XmlElement {
  const prefix = prefixes.get(namespace)
  if (prefix !== undefined) return element(`${prefix}:${name}`, content)
  return namespace === '' ? element(name, content) : element(`x:${name}`, content, { 'xmlns:x': namespace })
}
