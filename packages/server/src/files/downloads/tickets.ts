import { after, day, hour, minute } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { StoredContent } from '../../platform/http/bodies/content.ts'
import type { Person, Principal } from '../../platform/http/callers/principal.ts'
import { Forbidden, message, NotFound, ValidationError } from '../../platform/http/errors.ts'
import { isUuid, randomToken } from '../../platform/ids.ts'
import { sha256 } from '../../platform/secrets.ts'
import { reachItem } from '../access.ts'
import type { FileParts } from '../file-parts.ts'
import { readHolder } from '../holder-store.ts'
import type { Item } from '../items/item.ts'
import { readItems } from '../items/item-store.ts'
import { countDownload } from '../links/link-store.ts'
import { requireOpenLink, requireUnderLink } from '../links/visit.ts'
import { recordFile } from '../record.ts'
import { readVersion, type Version, versionOf } from '../version-store.ts'
import { archive, archiveEntries, mostInArchive } from './archive.ts'
import { archiveFilename, requireHarmless, savedContent, shownContent } from './content.ts'
import { beginTicket, findTicket, insertTicket, type Ticket } from './ticket-store.ts'

/** Seconds within which a download has to begin, as in other clients. */
const begins = minute
/** Seconds for which a download may be continued with ranges. */
const goesOn = day
/** Seconds for which a preview is available. */
const shown = hour

/** The holder of a URL: a signed-in user or a visitor of a link. */
export type Holder =
  | { readonly userId: number; readonly sessionId: string | null }
  | { readonly linkId: string }

/** Returns the holder for a principal. URLs issued in a session end with it. */
export function holderOf({ userId, sessionId, thirdParty }: Principal): Holder {
  return { userId, sessionId: thirdParty === undefined && isUuid(sessionId) ? sessionId : null }
}

type Parts = Pick<FileParts, 'db' | 'clock' | 'config' | 'store' | 'keys'>

/** Creates a URL for one download of a version. */
export function downloadAddress(
  parts: Parts,
  holder: Holder,
  item: Pick<Item, 'id' | 'name'>,
  version: Pick<Version, 'id'>,
): Promise<string> {
  const what = { itemIds: [item.id], versionId: version.id, name: item.name }
  return issue(parts, holder, 'download', what)
}

/** Creates a URL for one download of an archive. Throws a 422 if it has too many items. */
export async function archiveAddress(
  parts: Parts,
  holder: Holder,
  items: readonly Item[],
  name?: string | null,
): Promise<{ readonly downloadUrl: string; readonly name: string }> {
  if ((await archiveEntries(parts, items)) === undefined) {
    throw ValidationError.at('ids', 'files.too-many-items', { max: mostInArchive })
  }
  const filename = archiveFilename(items, name)
  const what = { itemIds: items.map((item) => item.id), versionId: null, name: filename }
  return { downloadUrl: await issue(parts, holder, 'download', what), name: filename }
}

/** Creates a URL that shows a version. Throws a 422 at `field` if its type can't be shown. */
export async function previewAddress(
  parts: Parts,
  holder: Holder,
  item: Pick<Item, 'id' | 'name'>,
  version: Version,
  field: string,
): Promise<string> {
  if (shownContent(parts, item.name, version) === undefined) {
    throw ValidationError.at(field, 'files.no-preview')
  }
  return issue(parts, holder, 'preview', { itemIds: [item.id], versionId: version.id, name: item.name })
}

async function issue(
  { db, clock, config }: Parts,
  holder: Holder,
  kind: 'download' | 'preview',
  what: Pick<Ticket, 'itemIds' | 'versionId' | 'name'>,
): Promise<string> {
  const token = randomToken()
  const now = clock.now()
  const facts = {
    userId: 'userId' in holder ? holder.userId : null,
    sessionId: 'userId' in holder ? holder.sessionId : null,
    linkId: 'linkId' in holder ? holder.linkId : null,
  }
  const expiresAt = after(now, kind === 'download' ? begins : shown)
  await insertTicket(db, { hash: sha256(token), kind, ...facts, ...what, expiresAt }, now)
  return `${config.FILES_ORIGIN ?? config.APP_URL}/api/v4/fs/${kind}s/${token}`
}

/** Client and request that use a URL. */
export interface Use {
  readonly ip: string
  readonly hasRange: boolean
}

/**
 * Opens the content of a download URL. It begins once; after that it serves ranges of the same content to the
 * same network address only. Throws NotFound, and ContentLocked for content that must not be served.
 */
export async function openDownload(parts: Parts, token: string, use: Use): Promise<StoredContent> {
  const ticket = await findTicket(parts.db, sha256(token), 'download', parts.clock.now())
  if (ticket === undefined) throw new NotFound()
  const isGoingOn = ticket.begunAt !== null
  if (isGoingOn && !(use.hasRange && ticket.begunIp === use.ip)) throw new NotFound()
  const { items, isOwner } = await stillOpen(parts.db, parts, ticket)
  const begin = isGoingOn ? undefined : () => beginDownload(parts, ticket, items, use.ip)
  const content =
    ticket.versionId === null
      ? await archiveContent(parts, ticket, items, isOwner)
      : savedContent(parts, ticket.name, await harmless(parts.db, ticket.versionId, isOwner))
  return { ...content, ...(begin !== undefined && { begin }) }
}

/** Opens the content of a preview URL. */
export async function openPreview(parts: Parts, token: string): Promise<StoredContent> {
  const ticket = await findTicket(parts.db, sha256(token), 'preview', parts.clock.now())
  if (ticket?.versionId == null) throw new NotFound()
  const { isOwner } = await stillOpen(parts.db, parts, ticket)
  const content = shownContent(parts, ticket.name, await harmless(parts.db, ticket.versionId, isOwner))
  if (content === undefined) throw new NotFound()
  return content
}

async function harmless(db: Db, versionId: string, isOwner: boolean): Promise<Version> {
  const version = await readVersion(db, versionId)
  if (version === undefined) throw new NotFound()
  requireHarmless(version, isOwner)
  return version
}

async function archiveContent(
  parts: Parts,
  ticket: Ticket,
  items: readonly Item[],
  isOwner: boolean,
): Promise<StoredContent> {
  const entries = await archiveEntries(parts, items)
  if (entries === undefined) throw new NotFound()
  return {
    filename: ticket.name,
    type: 'application/zip',
    size: undefined,
    read: () => archive(parts, entries, isOwner),
  }
}

async function beginDownload(
  { db, clock }: Parts,
  ticket: Ticket,
  items: readonly Item[],
  ip: string,
): Promise<void> {
  const now = clock.now()
  await db.transaction().execute(async (trx) => {
    if (!(await beginTicket(trx, ticket.hash, { now, ip, expiresAt: after(now, goesOn) })))
      throw new NotFound()
    if (ticket.linkId === null) return
    if (!(await countDownload(trx, ticket.linkId, now))) throw new NotFound()
    for (const item of items.slice(0, 1)) {
      await recordFile(trx, clock, 'file.link-downloaded', item, { ip }, { items: items.length })
    }
  })
}

/** Returns the items of a URL that its holder may still access. Links and shares are checked again. */
async function stillOpen(
  db: Db,
  parts: Parts,
  ticket: Ticket,
): Promise<{ readonly items: Item[]; readonly isOwner: boolean }> {
  if (ticket.linkId !== null) {
    const { item: root } = await requireOpenLink(parts, { id: ticket.linkId })
    const items: Item[] = []
    for (const id of ticket.itemIds) items.push(await requireUnderLink(db, root, id))
    return { items, isOwner: false }
  }
  const person = await activeHolder(db, ticket, parts.clock.now())
  let isOwner = true
  for (const id of ticket.itemIds) {
    const reach = await reachItem(db, person, id).catch(() => undefined)
    if (reach === undefined) throw new NotFound()
    isOwner &&= reach.rights === 'owner'
  }
  const items = await readItems(db, ticket.itemIds)
  return { items, isOwner }
}

/** Returns the user of a URL, who must be active, and checks that the session has not ended. */
async function activeHolder(db: Db, ticket: Ticket, now: Date): Promise<Person> {
  const holder = await readHolder(db, ticket, now)
  if (holder === undefined || ticket.userId === null || holder.isSessionOver) throw new NotFound()
  if (holder.isSuspended) throw new Forbidden(message('auth.suspended'))
  return { userId: ticket.userId, tenantId: holder.tenantId, role: null }
}

/** Returns the current version of a file if it may be read. Throws a 422 at `field` for a collection. */
export async function requireContent(db: Db, item: Item, isOwner: boolean, field: string): Promise<Version> {
  const version = await versionOf(db, item)
  if (version === undefined) throw ValidationError.at(field, 'validation.invalidvalue')
  requireHarmless(version, isOwner)
  return version
}
