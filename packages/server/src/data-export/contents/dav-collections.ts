import { archiveName } from '../../files/file-name.ts'
import { readXml, type XmlNode } from '../../platform/xml/read-xml.ts'
import { element, writeXml } from '../../platform/xml/write-xml.ts'
import { type DavClient, davPath } from '../../provisioning/cyrus/dav-client.ts'
import { type Member, only } from '../archive/archive-writer.ts'
import type { MailOwner, Omission } from './mail-store.ts'
import type { OnProgress } from './write-records.ts'

interface Kind {
  /** Of the path, and the folder in the archive. */
  readonly name: 'calendars' | 'addressbooks'
  readonly folder: string
  readonly type: string
  readonly what: string
  readonly accept: string
  readonly ending: string
  /** Matches the beginning of an entry. */
  readonly entry: RegExp
}

const kinds: readonly Kind[] = [
  {
    ...{ name: 'calendars', folder: 'calendars', type: 'calendar', what: 'Calendar or task list' },
    ...{ accept: 'text/calendar', ending: 'ics', entry: /^BEGIN:(VEVENT|VTODO|VJOURNAL)\b/gm },
  },
  {
    ...{ name: 'addressbooks', folder: 'contacts', type: 'addressbook', what: 'Address book' },
    ...{ accept: 'text/vcard', ending: 'vcf', entry: /^BEGIN:VCARD\b/gm },
  },
]

interface Collection {
  readonly path: string
  readonly name: string
}

/** Yields the calendars (iCalendar) and address books (vCard) of an owner, each as the store exports it. */
export async function* davMembers(
  dav: DavClient,
  owner: MailOwner,
  onProgress: OnProgress,
  onOmitted: (omission: Omission) => void,
): AsyncGenerator<Member> {
  for (const kind of kinds) {
    const taken = new Set<string>()
    for (const { path, name } of await collections(dav, owner, kind)) {
      const request = { method: 'GET', path, user: owner.login, headers: { accept: kind.accept } }
      const { status, text } = await dav.ask(request, [403, 404])
      if (status !== 200) {
        onOmitted({ login: owner.login, name, reason: `status ${status}` })
        continue
      }
      const count = [...text.matchAll(kind.entry)].length
      const file = freeName(archiveName(name), taken)
      yield {
        ...{ path: `${kind.folder}/${owner.folder}/${file}.${kind.ending}`, what: kind.what },
        ...{ count: () => count, content: only(Buffer.from(text)) },
      }
      await onProgress(count)
    }
  }
}

async function collections(dav: DavClient, owner: MailOwner, kind: Kind): Promise<Collection[]> {
  const home = davPath(kind.name, owner.login)
  const wanted = element('d:prop', [element('d:resourcetype', ''), element('d:displayname', '')])
  const body = writeXml(element('d:propfind', [wanted], { 'xmlns:d': 'DAV:' }))
  const request = { method: 'PROPFIND', path: home, user: owner.login, body, headers: { depth: '1' } }
  const { status, text } = await dav.ask(request, [403, 404])
  if (status !== 207) return []
  return readXml(text).children.flatMap((response) => {
    const path = textOf(response, 'href')
    const properties = response.children
      .filter(({ name }) => name === 'propstat')
      .flatMap((part) => part.children.find(({ name }) => name === 'prop')?.children ?? [])
    const type = properties.find(({ name }) => name === 'resourcetype')?.children ?? []
    // the name of what others share contains their address
    const isOwn = path.startsWith(home) && !/@|%40/.test(path.slice(home.length))
    if (!isOwn || !type.some(({ name }) => name === kind.type)) return []
    const shown = properties.find(({ name }) => name === 'displayname')?.text.trim() ?? ''
    const last = decodeURIComponent(path.replace(/\/$/, '').split('/').at(-1) ?? '')
    return [{ path, name: shown === '' ? last : shown }]
  })
}

function textOf(node: XmlNode, name: string): string {
  return node.children.find((child) => child.name === name)?.text.trim() ?? ''
}

function freeName(name: string, taken: Set<string>): string {
  let free = name
  for (let number = 2; taken.has(free.toLowerCase()); number++) free = `${name} (${number})`
  taken.add(free.toLowerCase())
  return free
}
