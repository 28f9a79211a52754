import { createHash } from 'node:crypto'
import { element, type XmlElement } from '../../../platform/xml/write-xml.ts'
import type { Card } from '../vcard.ts'
import { calendarServer, carddav, dav, keyOf, type PropertyName, property } from './names.ts'

/** Something with a URL and properties. */
export interface Resource {
  readonly href: string
  /** By `keyOf`. */
  readonly properties: ReadonlyMap<string, Property>
}

interface Property extends PropertyName {
  readonly content: XmlElement['content']
}

/** Who asks, and what the address book is called. */
export interface Reader {
  readonly email: string
  readonly bookName: string
}

export const root = '/carddav/'
export const principalPath = `${root}principal/`
export const homePath = `${root}books/`
export const bookPath = `${homePath}account/`

const href = (path: string) => [element('d:href', path)]
const collection = element('d:collection', '')

function resource(
  path: string,
  contents: Readonly<Record<string, Readonly<Record<string, XmlElement['content']>>>>,
): Resource {
  const properties = Object.entries(contents).flatMap(([namespace, named]) =>
    Object.entries(named).map(([name, content]) => ({ namespace, name, content })),
  )
  return { href: path, properties: new Map(properties.map((one) => [keyOf(one), one])) }
}

/** What every resource tells: who the reader is, and that everything is read-only. */
const shared = {
  'current-user-principal': href(principalPath),
  owner: href(principalPath),
  'current-user-privilege-set': [element('d:privilege', [element('d:read', '')])],
}

/** Where clients start. */
export const rootResource = (): Resource =>
  resource(root, { [dav]: { ...shared, resourcetype: [collection] } })

/** The reader; RFC 3744 §4 and RFC 6352 §7.1. */
export function principalResource({ email }: Reader): Resource {
  return resource(principalPath, {
    [dav]: {
      ...shared,
      resourcetype: [collection, element('d:principal', '')],
      displayname: email,
      'principal-URL': href(principalPath),
    },
    [carddav]: { 'addressbook-home-set': href(homePath) },
    [calendarServer]: { 'email-address-set': [element('cs:email-address', email)] },
  })
}

/** The folder of the reader's address books, of which there is one. */
export function homeResource(): Resource {
  return resource(homePath, { [dav]: { ...shared, resourcetype: [collection] } })
}

/** The address book of the account. Its tag changes whenever a card does. */
export function bookResource({ bookName }: Reader, cards: readonly Card[]): Resource {
  const tag = createHash('sha256')
    .update(cards.map(({ file, etag }) => file + etag).join())
    .digest('base64url')
  const reports = ['addressbook-query', 'addressbook-multiget']
  return resource(bookPath, {
    [dav]: {
      ...shared,
      resourcetype: [collection, element('c:addressbook', '')],
      displayname: bookName,
      'supported-report-set': reports.map((name) =>
        element('d:supported-report', [element('d:report', [element(`c:${name}`, '')])]),
      ),
    },
    [carddav]: {
      'addressbook-description': bookName,
      'supported-address-data': [
        element('c:address-data-type', '', { 'content-type': 'text/vcard', version: '3.0' }),
      ],
    },
    [calendarServer]: { getctag: tag },
  })
}

/** One entry. */
export function cardResource({ file, etag, text }: Card): Resource {
  return resource(bookPath + file, {
    [dav]: {
      ...shared,
      resourcetype: '',
      getetag: etag,
      getcontenttype: 'text/vcard; charset=utf-8',
      getcontentlength: String(Buffer.byteLength(text)),
    },
    [carddav]: { 'address-data': text },
  })
}

/** Which properties a client asks for. */
export type Asked = 'all' | 'names' | readonly PropertyName[]

/** Large, so it is only sent if asked for by name; RFC 6352 §10.4. */
const onRequest = keyOf({ namespace: carddav, name: 'address-data' })

/** Writes a resource's part of a multi-status answer; RFC 4918 §14.24. */
export function responseOf({ href: path, properties }: Resource, asked: Asked): XmlElement {
  const told = [...properties].filter(([key]) => key !== onRequest).map(([, one]) => one)
  if (asked === 'names')
    return response(path, [
      propstat(
        200,
        told.map((one) => property(one, '')),
      ),
    ])
  if (asked === 'all')
    return response(path, [
      propstat(
        200,
        told.map((one) => property(one, one.content)),
      ),
    ])
  const found = asked.flatMap((name) => properties.get(keyOf(name)) ?? [])
  const missing = asked.filter((name) => !properties.has(keyOf(name)))
  return response(path, [
    ...(found.length > 0 || missing.length === 0
      ? [
          propstat(
            200,
            found.map((one) => property(one, one.content)),
          ),
        ]
      : []),
    ...(missing.length > 0
      ? [
          propstat(
            404,
            missing.map((one) => property(one, '')),
          ),
        ]
      : []),
  ])
}

/** Says that a resource a client asked for doesn't exist. */
export function missingResponse(path: string): XmlElement {
  return element('d:response', [element('d:href', path), element('d:status', statusLines[404])])
}

const response = (path: string, parts: readonly XmlElement[]) =>
  element('d:response', [element('d:href', path), ...parts])

const statusLines = { 200: 'HTTP/1.1 200 OK', 404: 'HTTP/1.1 404 Not Found' } as const

function propstat(status: keyof typeof statusLines, properties: readonly XmlElement[]): XmlElement {
  return element('d:propstat', [element('d:prop', properties), element('d:status', statusLines[status])])
}
