import type { BackendAccess, BackendFolder, BackendResource } from '../backend.ts'
import { createAddressBook, createCalendar, setDisplayName } from './collections.ts'
import type { CyrusParts } from './cyrus-parts.ts'
import { sortFolderMail } from './folder-script.ts'
import { splitAddress, technicalAddress, userMailbox } from './mailbox-names.ts'
import type { Acl } from './mailboxes.ts'
import { calendarRights, folderRights, freeBusy, largerRight } from './rights.ts'
import { subscribe, unsubscribe } from './subscriptions.ts'

/** Where the store keeps a shared folder or resource: at a technical user of its domain. */
export interface Place {
  readonly owner: string
  /** Name below the owner's inbox. */
  readonly folder: string
}

/** The collections of the store for each type of folder. Only mail folders and files have their name as path. */
const collections: Readonly<
  Record<BackendFolder['type'], '' | '#calendars/' | '#addressbooks/' | '#drive/'>
> = {
  mail: '',
  note: '',
  event: '#calendars/',
  task: '#calendars/',
  contact: '#addressbooks/',
  file: '#drive/',
}

/** Brings a shared folder into the state that the portal wants. */
export async function syncFolder(parts: CyrusParts, folder: BackendFolder): Promise<void> {
  const { mailboxes } = parts
  const place = placeOf(folder, folder.path)
  await createTechnicalUser(parts, place.owner)
  for (const path of folder.previousPaths) await movePlace(parts, folder.id, placeOf(folder, path), place)
  const name = userMailbox(place.owner, place.folder)
  if (!(await mailboxes.exists(name))) await createFolder(parts, folder, place)
  else if (place.folder.startsWith('#') && folder.type !== 'file') {
    await setDisplayName(parts.dav, place.owner, place.folder, folder.name)
  }
  await mailboxes.writeId(name, folder.id)
  const former = [...(await mailboxes.readAcl(name)).keys()]
  const acl = aclOf(folder)
  await mailboxes.setAcl(name, acl, place.owner)
  for (const member of members(former, place.owner)) {
    if (!acl.has(member)) await unsubscribe(parts, place.owner, [place.folder], member)
  }
  // only those who were named: an account can have thousands of users
  const named = folder.acl.map(({ identifier }) => identifier.toLowerCase())
  for (const member of members(named, place.owner)) {
    await subscribe(parts, place.owner, [place.folder], member)
  }
  if (folder.type === 'mail') await sortFolderMail(parts, place.owner)
}

/** Deletes a shared folder, whatever its type. */
export async function removeFolder(
  parts: CyrusParts,
  { id, path }: Pick<BackendFolder, 'id' | 'path'>,
): Promise<void> {
  const { mailboxes } = parts
  for (const type of ['mail', 'event', 'contact', 'file'] as const) {
    const { owner, folder } = placeOf({ id, type }, path)
    const name = userMailbox(owner, folder)
    if (!(await mailboxes.exists(name))) continue
    // by now, another folder may have the name
    const isOther = (await mailboxes.readId(name)) !== id
    if (isOther) continue
    const former = members((await mailboxes.readAcl(name)).keys(), owner)
    for (const member of former) await unsubscribe(parts, owner, [folder], member)
    await mailboxes.remove(name)
    if (type === 'mail') await sortFolderMail(parts, owner)
  }
}

/** Keeps a resource's bookings in a calendar in which everyone in the account sees when it is busy. */
export async function syncResource(parts: CyrusParts, resource: BackendResource): Promise<void> {
  const { mailboxes } = parts
  const place = resourcePlace(resource.id, resource.path)
  await createTechnicalUser(parts, place.owner)
  for (const path of resource.previousPaths) {
    await movePlace(parts, resource.id, resourcePlace(resource.id, path), place)
  }
  const name = userMailbox(place.owner, place.folder)
  if (await mailboxes.exists(name)) {
    await setDisplayName(parts.dav, place.owner, place.folder, resource.name)
  } else {
    await createCalendar(parts.dav, place.owner, place.folder, { name: resource.name, component: 'VEVENT' })
  }
  await mailboxes.writeId(name, resource.id)
  const acl = new Map(resource.everyone.map((member) => [member.toLowerCase(), freeBusy]))
  await mailboxes.setAcl(name, acl, place.owner)
}

/** Deletes a resource's calendar. */
export async function removeResource(
  { mailboxes }: CyrusParts,
  { id, path }: Pick<BackendResource, 'id' | 'path'>,
): Promise<void> {
  const { owner, folder } = resourcePlace(id, path)
  const name = userMailbox(owner, folder)
  if (await mailboxes.exists(name)) await mailboxes.remove(name)
}

/** Where a folder with a path is, or would be, in the store. */
export function placeOf({ id, type }: Pick<BackendFolder, 'id' | 'type'>, path: string): Place {
  const at = path.lastIndexOf('@')
  const owner = technicalAddress(path.slice(at + 1))
  const name = path.slice('shared/'.length, at)
  const collection = collections[type]
  const hasName = collection === '' || collection === '#drive/'
  return { owner, folder: `${collection}${hasName ? name : `sf${id}`}` }
}

/** Where a resource's calendar is in the store. */
export function resourcePlace(id: number, path: string): Place {
  return { owner: technicalAddress(splitAddress(path).domain), folder: `#calendars/rs${id}` }
}

/** Its inbox is marked once it is complete. Nobody gets rights in it, because new calendars would inherit them. */
async function createTechnicalUser({ mailboxes, dav }: CyrusParts, owner: string): Promise<void> {
  const inbox = userMailbox(owner)
  await mailboxes.create(inbox)
  if ((await mailboxes.readId(inbox)) === 0) return
  await dav.createHome(owner)
  await mailboxes.removeRights(userMailbox(owner, '#calendars/Default'), 'anyone')
  await mailboxes.writeId(inbox, 0)
}

/** Moves a folder, but not other shared folders that are in it. */
async function movePlace({ mailboxes }: CyrusParts, id: number, from: Place, to: Place): Promise<void> {
  const [source, target] = [userMailbox(from.owner, from.folder), userMailbox(to.owner, to.folder)]
  if (source === target || !(await mailboxes.exists(source)) || (await mailboxes.exists(target))) return
  const owner = await mailboxes.readId(source)
  if (owner !== undefined && owner !== id) return
  await mailboxes.rename(source, target)
  for (const moved of await mailboxes.below(target)) {
    if ((await mailboxes.readId(moved)) === undefined) continue
    const back = `${source.slice(0, source.lastIndexOf('@'))}${moved.slice(target.lastIndexOf('@'))}`
    await mailboxes.rename(moved, back.replace(/@[^@]*$/, source.slice(source.lastIndexOf('@'))))
  }
}

async function createFolder(parts: CyrusParts, { type, name }: BackendFolder, place: Place): Promise<void> {
  const { mailboxes, dav } = parts
  const { owner, folder } = place
  if (type === 'event' || type === 'task') {
    await createCalendar(dav, owner, folder, { name, component: type === 'event' ? 'VEVENT' : 'VTODO' })
  } else if (type === 'contact') {
    await createAddressBook(dav, owner, folder, name)
  } else {
    await mailboxes.create(userMailbox(owner, folder))
    // by which groupware clients recognise folders of notes
    if (type === 'note') {
      await mailboxes.annotate(userMailbox(owner, folder), '/shared/vendor/kolab/folder-type', 'note')
    }
  }
}

/** Rights of users in a folder, in the words of the store. */
export /** Rights of each user. `anyone` is spelled out, because in Cyrus it would include users of other accounts. */
function aclOf({ type, acl, everyone }: BackendFolder): Acl {
  const rightsOf = type === 'event' || type === 'task' ? calendarRights : folderRights
  const granted = acl.flatMap(({ identifier, right }) =>
    (identifier === 'anyone' ? everyone : [identifier]).map((user) => ({ user: user.toLowerCase(), right })),
  )
  const wanted = new Map<string, BackendAccess['right']>()
  for (const { user, right } of granted) wanted.set(user, largerRight(wanted.get(user), right))
  return new Map([...wanted].map(([user, right]) => [user, rightsOf(right)]))
}

/** Users who appear in an access list apart from the owner. */
function members(identifiers: Iterable<string>, owner: string): string[] {
  return [...identifiers].filter((one) => one.includes('@') && one !== owner)
}
