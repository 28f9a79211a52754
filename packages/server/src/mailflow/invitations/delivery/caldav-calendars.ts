import { readXml, type XmlNode } from '../../../platform/xml/read-xml.ts'
import { element, writeXml, type XmlElement } from '../../../platform/xml/write-xml.ts'
import type { GroupwareBackend } from '../../../provisioning/backend.ts'
import { CyrusBackend } from '../../../provisioning/cyrus/cyrus-backend.ts'
import { type DavClient, davPath } from '../../../provisioning/cyrus/dav-client.ts'
import { resourceCalendar } from '../../../provisioning/cyrus/resource-calendar.ts'
import type { StoredObject } from '../calendar-edit.ts'
import type { CalendarKind } from '../components.ts'
import {
  type CalendarOwner,
  type Calendars,
  noCalendars,
  type ResourceCalendar,
  type UserCalendars,
} from './calendars.ts'

/** Returns the calendars of a groupware. */
export function calendarsOf(backend: GroupwareBackend): Calendars {
  return backend instanceof CyrusBackend ? new CalDavCalendars(backend.parts.dav) : noCalendars
}

/** A calendar of a user. */
interface Collection {
  readonly path: string
  readonly kinds: ReadonlySet<CalendarKind>
}

/** Calendars of a CalDAV server (RFC 4791) that accepts requests on behalf of any user. */
export class CalDavCalendars implements Calendars {
  readonly #dav: Pick<DavClient, 'ask'>

  constructor(dav: Pick<DavClient, 'ask'>) {
    this.#dav = dav
  }

  async open({ email }: CalendarOwner): Promise<UserCalendars | undefined> {
    const home = davPath('calendars', email)
    const found = await this.#collections(email, home)
    const own = found?.filter(({ path }) => isOwn(path, home))
    return own && new CalDavCalendar(this.#dav, email, own)
  }

  async openResource(resource: {
    readonly id: number
    readonly email: string
  }): Promise<ResourceCalendar | undefined> {
    const { owner, path } = resourceCalendar(resource)
    const found = await this.#collections(owner, path)
    return found && new CalDavCalendar(this.#dav, owner, found)
  }

  /** Calendars at a path or directly below; undefined: the server doesn't know it. */
  async #collections(user: string, path: string): Promise<Collection[] | undefined> {
    const wanted = [element('d:resourcetype', ''), element('c:supported-calendar-component-set', '')]
    const body = xml('d:propfind', [element('d:prop', wanted)])
    const { status, text } = await this.#dav.ask(
      { method: 'PROPFIND', path, user, body, headers: { depth: '1' } },
      [404],
    )
    if (status === 404) return undefined
    return responsesOf(text).flatMap(({ href, properties }) => {
      const isCalendar = childOf(properties.get('resourcetype'), 'calendar') !== undefined
      const kinds = properties.get('supported-calendar-component-set')?.children ?? []
      const names = kinds.map((one) => one.attributes.get('name')?.toLowerCase())
      return isCalendar ? [{ path: href, kinds: new Set(names.filter(isKind)) }] : []
    })
  }
}

/** The name of a calendar that someone else shares contains the address of its owner. */
const isOwn = (path: string, home: string) => !/@|%40/.test(path.slice(home.length))

const isKind = (name: string | undefined): name is CalendarKind => name === 'vevent' || name === 'vtodo'

/** Calendars of one owner. */
class CalDavCalendar implements ResourceCalendar {
  readonly #dav: Pick<DavClient, 'ask'>
  readonly #user: string
  readonly #collections: readonly Collection[]

  constructor(dav: Pick<DavClient, 'ask'>, user: string, collections: readonly Collection[]) {
    this.#dav = dav
    this.#user = user
    this.#collections = collections
  }

  async find(uid: string): Promise<readonly StoredObject[]> {
    const match = element('c:text-match', uid, { collation: 'i;octet' })
    const filter = (kind: CalendarKind) =>
      component(kind, [element('c:prop-filter', [match], { name: 'UID' })])
    const found = await this.#search(filter)
    // the server compares parts of texts
    return found.filter(({ text }) => uidsOf(text).includes(uid))
  }

  after(moment: number): Promise<readonly StoredObject[]> {
    const range = element('c:time-range', '', { start: utcTime(moment) })
    return this.#search((kind) => component(kind, [range]))
  }

  async defaultFolder(kind: CalendarKind): Promise<string | undefined> {
    const suitable = this.#collections.filter(({ kinds }) => kinds.size === 0 || kinds.has(kind))
    const usual = suitable.find(({ path }) => path.endsWith('/Default/'))
    return (usual ?? suitable[0])?.path
  }

  create(folder: string, name: string, text: string): Promise<boolean> {
    return this.#change({ method: 'PUT', path: folder + name, body: text, headers: { 'if-none-match': '*' } })
  }

  replace(href: string, etag: string | null, text: string): Promise<boolean> {
    return this.#change({ method: 'PUT', path: href, body: text, headers: ifMatch(etag) })
  }

  remove(href: string, etag: string | null): Promise<boolean> {
    return this.#change({ method: 'DELETE', path: href, headers: ifMatch(etag) })
  }

  async #change(request: {
    readonly method: 'PUT' | 'DELETE'
    readonly path: string
    readonly body?: string
    readonly headers: Readonly<Record<string, string>>
  }): Promise<boolean> {
    const headers = { 'content-type': 'text/calendar; charset=utf-8', ...request.headers }
    const { status } = await this.#dav.ask({ ...request, user: this.#user, headers }, [404, 412])
    return status !== 412 && status !== 404
  }

  async #search(filter: (kind: CalendarKind) => XmlElement): Promise<StoredObject[]> {
    const objects: StoredObject[] = []
    for (const { path, kinds } of this.#collections) {
      for (const kind of kinds.size === 0 ? (['vevent'] as const) : kinds) {
        objects.push(...(await this.#report(path, filter(kind))))
      }
    }
    return objects
  }

  async #report(path: string, filter: XmlElement): Promise<StoredObject[]> {
    const wanted = element('d:prop', [element('d:getetag', ''), element('c:calendar-data', '')])
    const body = xml('c:calendar-query', [wanted, element('c:filter', [filter])])
    const request = { method: 'REPORT', path, user: this.#user, body, headers: { depth: '1' } }
    const { status, text } = await this.#dav.ask(request, [404])
    if (status === 404) return []
    return responsesOf(text).flatMap(({ href, properties }) => {
      const data = properties.get('calendar-data')
      const etag = properties.get('getetag')?.text.trim() ?? null
      return data === undefined ? [] : [{ href, etag, text: data.text }]
    })
  }
}

/** RFC 4791 §9.7: the component within the calendar. */
function component(kind: CalendarKind, conditions: readonly XmlElement[]): XmlElement {
  const inner = element('c:comp-filter', conditions, { name: kind.toUpperCase() })
  return element('c:comp-filter', [inner], { name: 'VCALENDAR' })
}

function xml(name: string, content: readonly XmlElement[]): string {
  return writeXml(element(name, content, { 'xmlns:d': 'DAV:', 'xmlns:c': 'urn:ietf:params:xml:ns:caldav' }))
}

interface DavResponse {
  readonly href: string
  /** Properties that exist, by name. */
  readonly properties: ReadonlyMap<string, XmlNode>
}

function responsesOf(text: string): DavResponse[] {
  return readXml(text)
    .children.filter(({ name }) => name === 'response')
    .map((response) => {
      const found = response.children.filter(
        (part) => part.name === 'propstat' && / 200 /.test(childOf(part, 'status')?.text ?? ''),
      )
      const properties = found.flatMap((part) => childOf(part, 'prop')?.children ?? [])
      return {
        href: childOf(response, 'href')?.text.trim() ?? '',
        properties: new Map(properties.map((one) => [one.name, one])),
      }
    })
}

function childOf(node: XmlNode | undefined, name: string): XmlNode | undefined {
  return node?.children.find((child) => child.name === name)
}

const ifMatch = (etag: string | null): Record<string, string> => (etag === null ? {} : { 'if-match': etag })

/** The UIDs in a calendar, unfolded (RFC 5545 §3.1). */
function uidsOf(text: string): string[] {
  const lines = text.replaceAll(/\r?\n[ \t]/g, '').split(/\r?\n/)
  return lines.filter((line) => /^UID[;:]/i.test(line)).map((line) => line.slice(line.indexOf(':') + 1))
}

function utcTime(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replaceAll(/[-:]|\.\d{3}/g, '')
}
