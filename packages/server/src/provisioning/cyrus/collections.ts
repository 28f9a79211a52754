import { type DavClient, davPath } from './dav-client.ts'

const namespaces =
  'xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav" xmlns:A="urn:ietf:params:xml:ns:carddav"'

/** Creates a calendar or task list. `folder` is its mailbox, such as `#calendars/sf12`. */
export async function createCalendar(
  dav: DavClient,
  owner: string,
  folder: string,
  { name, component }: { readonly name: string; readonly component: 'VEVENT' | 'VTODO' },
): Promise<void> {
  const properties = `${displayName(name)}<C:supported-calendar-component-set><C:comp name="${component}"/></C:supported-calendar-component-set>`
  const body = `<C:mkcalendar ${namespaces}><D:set><D:prop>${properties}</D:prop></D:set></C:mkcalendar>`
  await dav.ask({ method: 'MKCALENDAR', path: pathOf(owner, folder), user: owner, body })
}

/** Creates an address book. */
export async function createAddressBook(
  dav: DavClient,
  owner: string,
  folder: string,
  name: string,
): Promise<void> {
  const type = '<D:resourcetype><D:collection/><A:addressbook/></D:resourcetype>'
  const body = `<D:mkcol ${namespaces}><D:set><D:prop>${type}${displayName(name)}</D:prop></D:set></D:mkcol>`
  await dav.ask({ method: 'MKCOL', path: pathOf(owner, folder), user: owner, body })
}

/** Sets the name under which programs show a calendar or address book. */
export async function setDisplayName(
  dav: DavClient,
  owner: string,
  folder: string,
  name: string,
): Promise<void> {
  const body = `<D:propertyupdate ${namespaces}><D:set><D:prop>${displayName(name)}</D:prop></D:set></D:propertyupdate>`
  await dav.ask({ method: 'PROPPATCH', path: pathOf(owner, folder), user: owner, body })
}

function displayName(name: string): string {
  return `<D:displayname>${escapeXml(name)}</D:displayname>`
}

function pathOf(owner: string, folder: string): string {
  const [kind = '', collection] = folder.slice(1).split('/')
  return davPath(kind, owner, collection)
}

function escapeXml(text: string): string {
  const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }
  return text.replace(/[&<>]/g, (character) => entities[character] ?? character)
}
