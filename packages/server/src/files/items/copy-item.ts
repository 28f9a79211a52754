import type { NameConflict } from '@gatehouse/contract/files/file-uploads'
import type { Actor } from '../../platform/audit.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { NotFound, ValidationError } from '../../platform/http/errors.ts'
import { newUuid } from '../../platform/ids.ts'
import { ContentLocked, FileConflict } from '../errors.ts'
import { freeName } from '../file-name.ts'
import type { FileSettings } from '../file-settings.ts'
import { requireRoom } from '../quota.ts'
import { recordFile } from '../record.ts'
import { insertVersion, versionOf } from '../version-store.ts'
import type { Item } from './item.ts'
import { insertItem, readItem } from './item-store.ts'
import {
  addParents,
  ancestorsOf,
  deepest,
  depthAbove,
  depthBelow,
  descendantsOf,
  holdTree,
  namesIn,
} from './tree-store.ts'

/** Maximum number of items created by one copy. */
const most = 10_000

export interface Copy {
  readonly source: Item
  readonly ownerId: number
  readonly tenantId: number
  /** Null: the root. */
  readonly parentId: string | null
  readonly name: string
  readonly conflict: NameConflict
  readonly by: number
}

interface Parts {
  readonly db: Db
  readonly clock: Clock
  readonly settings: Pick<FileSettings, 'FILES_FREE_GIB'>
}

/**
 * Copies a file, or a collection with everything below it. Content is shared, not copied, but counts towards
 * each owner's quota. Throws QuotaExceeded, FileConflict, and a 422 for a collection copied into itself or
 * with too many items.
 */
export function copyItem(parts: Parts, copy: Copy, actor: Actor): Promise<Item> {
  return parts.db.transaction().execute((trx) => copyIn(trx, parts, copy, actor))
}

async function copyIn(trx: Db, { clock, settings }: Parts, copy: Copy, actor: Actor): Promise<Item> {
  const { source, ownerId, parentId } = copy
  // locked by ascending id, like every lock on two owners
  for (const id of [...new Set([source.ownerId, ownerId])].sort((a, b) => a - b)) await holdTree(trx, id)
  const original = await readItem(trx, source.id)
  if (original === undefined || original.deletedAt !== null) throw new NotFound()
  await requireFit(trx, original, parentId)
  const taken = await namesIn(trx, { parentId, ownerId })
  if (taken.has(copy.name) && (copy.conflict === 'fail' || copy.conflict === 'replace')) {
    throw new FileConflict('files.name-taken')
  }
  const name = copy.conflict === 'rename' ? freeName(copy.name, (one) => taken.has(one)) : copy.name
  const below = original.type === 'collection' ? await descendantsOf(trx, [original.id], most + 1) : []
  if (below.length > most) throw ValidationError.at('id', 'files.too-many-items', { max: most })
  const made = await copyOne(trx, clock, original, {
    ...copy,
    name,
    parents: parentId === null ? [] : [parentId],
  })
  const copies = new Map([[original.id, made.id]])
  for (const item of below) {
    const parent = copies.get(item.parentId)
    if (parent === undefined) continue
    const known = copies.get(item.id)
    if (known !== undefined) await addParents(trx, known, [parent])
    else {
      const one = await copyOne(trx, clock, item, { ...copy, name: item.name, parents: [parent] })
      copies.set(item.id, one.id)
    }
  }
  await requireRoom(trx, ownerId, settings.FILES_FREE_GIB)
  await recordFile(trx, clock, 'file.copied', made, actor, { from: original.id, items: copies.size })
  return made
}

async function requireFit(trx: Db, original: Item, parentId: string | null): Promise<void> {
  if (parentId === null) return
  if ((await ancestorsOf(trx, [parentId])).has(original.id))
    throw ValidationError.at('parent', 'files.circle')
  const below = original.type === 'collection' ? await depthBelow(trx, original.id) : 0
  if ((await depthAbove(trx, [parentId])) + below >= deepest) {
    throw ValidationError.at('parent', 'files.too-deep', { max: deepest })
  }
}

async function copyOne(
  trx: Db,
  clock: Clock,
  original: Item,
  to: Pick<Copy, 'ownerId' | 'tenantId' | 'name' | 'by'> & { readonly parents: readonly string[] },
): Promise<Item> {
  const now = clock.now()
  const version = await versionOf(trx, original)
  // copying must not bypass the download restriction
  if (version?.scan === 'infected') throw new ContentLocked('files.infected')
  const versionId = version === undefined ? null : newUuid()
  const { type, size, mimetype, changedAt } = original
  const { ownerId, tenantId, name, by } = to
  const facts = { ownerId, tenantId, type, name, versionId, size, mimetype, changedAt }
  const item = await insertItem(trx, { id: newUuid(), ...facts, createdBy: by, now })
  await addParents(trx, item.id, to.parents)
  if (version !== undefined && versionId !== null) {
    await insertVersion(trx, { id: versionId, item, contentId: version.contentId, number: 1, by, now })
  }
  return item
}
