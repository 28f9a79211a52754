import { after, type Clock, hour } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { Forbidden, NotFound } from '../../platform/http/errors.ts'
import { newUuid } from '../../platform/ids.ts'
import { enqueueAll } from '../../platform/jobs/enqueue.ts'
import { FileConflict } from '../errors.ts'
import { freeName } from '../file-name.ts'
import type { FileSettings } from '../file-settings.ts'
import type { Item } from '../items/item.ts'
import { insertItem, readItem, readItems, setProperties, touchItem } from '../items/item-store.ts'
import { addParents, holdTree, itemsNamed, namesIn, removeParents } from '../items/tree-store.ts'
import { recordFile } from '../record.ts'
import { scanJob } from '../scan/scan-job.ts'
import { bestShare } from '../share-store.ts'
import { insertVersion, versionOf } from '../version-store.ts'
import { completeContent, holdUpload, markFinished, type Upload } from './upload-store.ts'

interface Parts {
  readonly clock: Clock
  readonly settings: FileSettings
}

interface Whole {
  readonly size: number
  readonly sha256: Buffer
}

/**
 * Creates a file from an upload, or a new version of an existing one, in one transaction that holds the
 * owner's tree. Returns the existing file if the upload was finished before. If the target collections have
 * been deleted, the file goes to the owner's root. Throws FileConflict, Forbidden.
 */
export async function fileUpload(trx: Db, parts: Parts, started: Upload, whole: Whole): Promise<Item> {
  const upload = await holdUpload(trx, started.id)
  if (upload === undefined) throw new NotFound()
  if (upload.finishedItemId !== null) {
    const item = await readItem(trx, upload.finishedItemId)
    if (item === undefined || item.deletedAt !== null) throw new NotFound()
    return item
  }
  const { clock, settings } = parts
  await holdTree(trx, upload.ownerId)
  const scan = settings.FILES_CLAMD === undefined ? 'off' : 'waiting'
  const { mimetype } = await completeContent(trx, upload.contentId, { ...whole, scan })
  const content = { id: upload.contentId, size: whole.size, mimetype }
  const item = await place(trx, clock, upload, content)
  // counted as a version from here on
  await markFinished(trx, upload.id, {
    itemId: item.id,
    size: whole.size,
    expiresAt: after(clock.now(), hour),
  })
  if (scan === 'waiting') {
    const payload = { contentId: content.id }
    await enqueueAll(trx, scanJob, [{ payload, key: `files:scan:${content.id}` }])
  }
  return item
}

interface Content {
  readonly id: string
  readonly size: number
  readonly mimetype: string
}

async function place(trx: Db, clock: Clock, upload: Upload, content: Content): Promise<Item> {
  const { facts, ownerId, itemId } = upload
  const target = itemId ?? facts.reuse
  if (target !== undefined && target !== null) {
    const item = await readItem(trx, target)
    if (item !== undefined && item.deletedAt === null && item.type === 'file') {
      await requireStillAllowed(trx, upload, item.id)
      return replace(trx, clock, upload, item, content)
    }
    if (itemId !== null) throw new NotFound()
  }
  const parents = await livingParents(trx, upload)
  const where = { parentId: parents[0] ?? null, ownerId }
  const conflict = facts.conflict ?? 'keep'
  if (conflict === 'fail' || conflict === 'replace') {
    const [same] = await itemsNamed(trx, where, [upload.name])
    if (same !== undefined && conflict === 'fail') throw new FileConflict('files.name-taken')
    if (same?.type === 'file') return replace(trx, clock, upload, same, content)
  }
  const name = conflict === 'rename' ? await nameFor(trx, where, upload.name) : upload.name
  return create(trx, clock, upload, { name, parents, content })
}

/** Returns the name, or its first available variant. */
export async function nameFor(
  trx: Db,
  where: { readonly parentId: string | null; readonly ownerId: number },
  name: string,
): Promise<string> {
  const taken = await namesIn(trx, where)
  return freeName(name, (candidate) => taken.has(candidate))
}

async function livingParents(trx: Db, upload: Upload): Promise<string[]> {
  const ids = upload.parents
  const items = ids.length === 0 ? [] : await readItems(trx, ids)
  const living = ids.filter((id) =>
    items.some((item) => item.id === id && item.type === 'collection' && item.ownerId === upload.ownerId),
  )
  // adding to another owner's collection requires the permission until the upload ends
  if (upload.userId !== upload.ownerId) {
    if (living.length === 0) throw new Forbidden()
    for (const id of living) await requireStillAllowed(trx, upload, id)
  }
  return living
}

async function requireStillAllowed(trx: Db, { userId, ownerId }: Upload, itemId: string): Promise<void> {
  if (userId === ownerId) return
  const share = await bestShare(trx, userId, itemId)
  if (share?.rights !== 'read-write') throw new Forbidden()
}

async function create(
  trx: Db,
  clock: Clock,
  upload: Upload,
  { name, parents, content }: { name: string; parents: readonly string[]; content: Content },
): Promise<Item> {
  const now = clock.now()
  const versionId = newUuid()
  const item = await insertItem(trx, {
    id: newUuid(),
    tenantId: upload.tenantId,
    ownerId: upload.ownerId,
    type: 'file',
    name,
    versionId,
    size: content.size,
    mimetype: content.mimetype,
    changedAt: changedAt(upload, now),
    createdBy: upload.userId,
    now,
  })
  await addParents(trx, item.id, parents)
  await setProperties(trx, item.id, upload.facts.properties ?? {})
  await insertVersion(trx, { id: versionId, item, contentId: content.id, number: 1, by: upload.userId, now })
  const { size, mimetype } = content
  await recordFile(trx, clock, 'file.created', item, upload.facts.actor, { size, mimetype })
  return item
}

async function replace(trx: Db, clock: Clock, upload: Upload, item: Item, content: Content): Promise<Item> {
  const { facts } = upload
  const before = await versionOf(trx, item)
  if (facts.ifMatch !== undefined && before?.sha256.toString('hex') !== facts.ifMatch) {
    throw new FileConflict('files.changed-meanwhile')
  }
  const now = clock.now()
  const { size, mimetype } = content
  const changed = { ...item, size, mimetype, changedAt: changedAt(upload, now), updatedAt: now }
  const versionId = newUuid()
  await insertVersion(trx, { id: versionId, item: changed, contentId: content.id, by: upload.userId, now })
  if (facts.reuse === item.id) {
    await setProperties(trx, item.id, facts.properties ?? {})
    await removeParents(trx, item.id)
    await addParents(trx, item.id, await livingParents(trx, upload))
    await touchItem(trx, item.id, upload.name, now)
  }
  const data = { before: { size: item.size }, after: { size } }
  await recordFile(trx, clock, 'file.replaced', item, facts.actor, data)
  return { ...changed, versionId, ...(facts.reuse === item.id && { name: upload.name }) }
}

function changedAt({ facts }: Upload, now: Date): Date {
  return facts.mtime === undefined ? now : new Date(facts.mtime * 1000)
}
